package verify

import (
	"context"
	"fmt"
)

// earlyHeader looks for a header while the stub holds its first event back.
func earlyHeader(_ context.Context, s *subject) error {
	id := s.id()
	a, err := s.open("hello @hold=1 @id=" + id)
	if err != nil {
		return fmt.Errorf("the upstream's header was sent, its first event held back: %w", err)
	}
	a.c.Close()
	return nil
}

// leave closes the client's connection, once politely and once with a reset,
// while the upstream is silent.
func leave(directives string, after int) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		for _, how := range []string{"FIN", "RST"} {
			id := s.id()
			c, err := dial(s.port)
			if err != nil {
				return err
			}
			defer c.Close()
			if after > 0 {
				if err := s.release(id, after); err != nil {
					return err
				}
			}
			if err := c.chat("hello @id=" + id + " " + directives); err != nil {
				return err
			}
			if after > 0 {
				a, err := c.stream()
				for range after {
					if err == nil {
						_, err = a.next()
					}
				}
				if err != nil {
					return fmt.Errorf("before the client left: %w", readable(err))
				}
			}
			if _, ok, err := s.entries(id, func(e []entry) bool { return len(e) == 1 }); err != nil || !ok {
				return fmt.Errorf("the request never reached the upstream (%v)", err)
			}
			if how == "RST" {
				c.SetLinger(0)
			}
			c.Close()
			found, ok, err := s.entries(id, func(e []entry) bool { return e[0].Outcome == "cancelled" })
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("the client left (%s), but the upstream request was still open %v later (%d events sent)", how, patience, found[0].Events)
			}
		}
		return nil
	}
}
