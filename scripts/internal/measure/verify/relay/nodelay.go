package relay

import (
	"context"
	"errors"
	"time"

	"fairstream/scripts/internal/measure/verify"
)

// noDelay reads TCP_NODELAY from the server's own sockets while a stream is open. Delays by Nagle's algorithm
// show only now and then, but the option is certain.
func noDelay(upstream bool) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		c, _, err := s.begin("@hold=1", 0)
		if err != nil {
			return err
		}
		defer c.Close()
		for wait := s.Wait(verify.Patience); ; time.Sleep(10 * time.Millisecond) {
			set, err := s.NoDelay(c.Client, upstream)
			if err != nil || set {
				return err
			}
			if wait.Over() {
				return errors.New("TCP_NODELAY is 0 on the server's socket; small writes then wait for acknowledgements")
			}
		}
	}
}
