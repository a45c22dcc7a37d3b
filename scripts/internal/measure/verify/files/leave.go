package files

import (
	"context"
	"fmt"

	"fairstream/scripts/internal/measure/verify"
)

// leave closes the client's connection while the stub is silent after some pieces, once with FIN and once
// with a reset.
func leave(form string, after int) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		for _, how := range []string{verify.FIN, verify.RST} {
			m := member{}
			m.name, m.file = seeded(form + ",id=" + s.ID())
			err := m.begin(s, after)
			if m.Client != nil {
				defer m.Client.Close()
			}
			if err != nil {
				return err
			}
			if err := left(s, m.Client, m.name, how); err != nil {
				return err
			}
		}
		return nil
	}
}

// left closes a connection and waits for the end of the upstream request.
func left(s *verify.Subject, c *verify.Client, name, how string) error {
	if err := s.Leave(c, idOf(name), how); err != nil {
		return fmt.Errorf("GET /files/%s: %w", name, err)
	}
	return nil
}

// leaveUnread leaves while the upstream waits for the server, which waits for the client.
func leaveUnread(_ context.Context, s *verify.Subject) error {
	c, name, _, err := stalled(s, stalledMB) // also if the check is light: the kernel takes less than 10 MB at once
	if c != nil {
		defer c.Close()
	}
	if err != nil {
		return err
	}
	return left(s, c, name, verify.RST) // as any close with unread bytes
}
