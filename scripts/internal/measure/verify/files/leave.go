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
		for _, how := range []string{"FIN", "RST"} {
			m := member{}
			m.name, m.file = seeded(form + ",id=" + s.ID())
			err := m.begin(s, after)
			if m.Client != nil {
				defer m.Client.Close()
			}
			if err != nil {
				return err
			}
			if how == "FIN" {
				m.Client.Drain() // a close with unread bytes would send a reset too
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
	if how == "RST" {
		if err := c.SetLinger(0); err != nil {
			return verify.Harness(err) // a plain close would send FIN
		}
	}
	c.Close()
	found, ok, err := s.Entries(idOf(name), func(e []verify.Entry) bool { return len(e) == 1 && e[0].Outcome == "cancelled" })
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("GET /files/%s: the client left (%s), but the upstream request was not ended %v later (%d pieces sent)", name, how, verify.Patience, found[0].Events)
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
	return left(s, c, name, "RST") // as any close with unread bytes
}
