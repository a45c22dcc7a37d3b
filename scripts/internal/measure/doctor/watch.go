package doctor

import (
	"context"
	"fmt"
	"net"
	"time"

	"fairstream/scripts/internal/cli"
)

// WatchTime is the time between the two readings: 200 ticks a core, so 2 % of a core are four ticks.
const WatchTime = 2 * time.Second

// Watch waits for WatchTime with an open connection on the loopback, which connection tracking then has in
// its table.
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
	return cli.Sleep(ctx, WatchTime)
}
