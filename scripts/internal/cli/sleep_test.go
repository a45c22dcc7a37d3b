package cli

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestSleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := Sleep(ctx, time.Millisecond); err != nil {
		t.Error(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	began := time.Now()
	if err := Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) || time.Since(began) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if err := Sleep(ctx, 0); err == nil {
		t.Error("a pause of an ended context begins")
	}
}
