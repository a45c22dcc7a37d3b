package doctor

import (
	"context"
	"fmt"
	"net"
	"time"
)

// WatchTime is how long Look watches this machine: 200 ticks a core, so that 2 %
// of a core are four of them.
const WatchTime = 2 * time.Second

// Watch lets WatchTime pass while a connection over the loopback is open, which
// connection tracking then has in its table.
func Watch(ctx context.Context) error {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("doctor: loopback: %w", err)
	}
	defer listener.Close()
	connection, err := net.Dial("tcp4", listener.Addr().String())
	if err != nil {
		return fmt.Errorf("doctor: loopback: %w", err)
	}
	defer connection.Close()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(WatchTime):
		return nil
	}
}
