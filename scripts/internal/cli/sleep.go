package cli

import (
	"context"
	"time"
)

// Sleep waits, and returns an error as soon as ctx has ended.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() // also when both happened
}
