package relay

import (
	"context"
	"fmt"
	"strings"

	"fairstream/scripts/internal/measure/verify"
)

// earlyHeader checks that the header arrives while the stub holds back its first event.
func earlyHeader(_ context.Context, s *subject) error {
	id := s.ID()
	a, err := s.open("hello @hold=1 @id=" + id)
	if err != nil {
		return fmt.Errorf("the upstream's header was sent, its first event held back: %w", err)
	}
	a.c.Close()
	return nil
}

// leave closes the client's connection while the stub is silent after some events, once with FIN and once
// with a reset.
func leave(directives string, after int) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		for _, how := range []string{verify.FIN, verify.RST} {
			c, id, err := s.begin(directives, after)
			if err != nil {
				return err
			}
			defer c.Close()
			if err := s.Leave(c.Client, id, how); err != nil {
				return err
			}
		}
		return nil
	}
}

// begin sends a message on a new connection, and waits until the stub has sent some events and holds the next
// or stalls.
func (s *subject) begin(directives string, events int) (*client, string, error) {
	id := s.ID()
	c, err := s.beginAs(id, directives, events)
	return c, id, err
}

func (s *subject) beginAs(id, directives string, events int) (*client, error) {
	if events > 0 && strings.Contains(directives, "@hold=1") {
		if err := s.Release(id, events); err != nil {
			return nil, err
		}
	}
	c, err := dial(s.Port)
	if err != nil {
		return nil, err
	}
	if err = c.chat("hello @itl=0s @id=" + id + " " + directives); err == nil {
		var found []entry
		var ok bool
		found, ok, err = s.Entries(id, func(e []entry) bool { return len(e) == 1 && e[0].Events == events })
		if err == nil && !ok {
			err = fmt.Errorf("%d requests reached the upstream; want 1, with %d events sent", len(found), events)
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
