package files

import (
	"context"
	"fmt"

	"fairstream/scripts/internal/measure/verify"
)

// begin sends a member's request on a new connection, and waits until the stub has sent some pieces and holds
// the next.
func (m *member) begin(s *verify.Subject, pieces int) error {
	if pieces > 0 {
		if err := s.Release(idOf(m.name), pieces); err != nil {
			return err
		}
	}
	m.sent = pieces
	if err := m.open(s); err != nil {
		return err
	}
	return arrived(s, idOf(m.name), pieces)
}

// open sends a member's request on a new connection.
func (m *member) open(s *verify.Subject) (err error) {
	if m.Client, err = verify.Dial(s.Port); err != nil {
		return err
	}
	return ask(m.Client, "GET", m.name, "")
}

// arrived waits until a request has reached the stub, which has sent some pieces.
func arrived(s *verify.Subject, id string, pieces int) error {
	found, ok, err := s.Entries(id, func(e []verify.Entry) bool { return len(e) == 1 && e[0].Events == pieces })
	if err == nil && !ok {
		err = fmt.Errorf("%d requests reached the upstream; want 1, with %d pieces sent", len(found), pieces)
	}
	return err
}

// gather opens n requests. The stub has sent the first piece of each and holds the rest: when gather returns,
// all are open at the same time.
func gather(s *verify.Subject, n int, directives string, pieces int) ([]member, error) {
	all := make([]member, n)
	for i := range all {
		all[i] = held(s, directives, pieces)
	}
	return all, verify.Each(all, func(m *member) error {
		if err := m.begin(s, 1); err != nil {
			return fmt.Errorf("opening %d requests: %w", n, err)
		}
		return nil
	})
}

func closeMembers(all []member) {
	for _, m := range all {
		if m.Client != nil {
			m.Client.Close()
		}
	}
}

// finish lets the rest of a file go and expects it.
func (m *member) finish(s *verify.Subject) error {
	rest := len(m.file)/m.piece - m.sent
	if err := s.Release(idOf(m.name), rest); err != nil {
		return err
	}
	m.sent += rest
	if err := m.seen(s); err != nil {
		return err
	}
	return m.whole()
}

// crowdSize is the number of requests at once in the contract.
const crowdSize = 500

func crowd(_ context.Context, s *verify.Subject) error {
	defer verify.EnterLargeCrowd()()
	all, err := gather(s, s.Share(crowdSize), "piece=2k", 4)
	defer closeMembers(all)
	if err != nil {
		return err
	}
	return verify.Each(all, func(m *member) error { return m.finish(s) })
}

// reuse sends its requests over one connection. A server with a pool for each thread may choose the thread by
// connection.
func reuse(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	seen := map[int64]bool{}
	requests := s.Share(100)
	for range requests {
		id := s.ID()
		if err := file(c, "8k-%d,id="+id); err != nil {
			return err
		}
		found, err := s.Entry(id)
		if err != nil {
			return err
		}
		seen[found.Connection] = true
	}
	if len(seen) > 3 {
		return fmt.Errorf("%d requests used %d upstream connections; want at most 3", requests, len(seen))
	}
	return nil
}

func sequential(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := range s.Share(200) {
		c.Most = verify.MaxPart
		if err := file(c, []string{"8k-%d", "200k-%d", "0-%d", "20k-%d,chunked"}[n%4]); err != nil {
			return fmt.Errorf("request %d on one connection: %w", n+1, err)
		}
	}
	return nil
}

// crosstalk aborts requests in the middle, which leaves half-read connections to the upstream. Later answers
// must have none of their bytes.
func crosstalk(_ context.Context, s *verify.Subject) error {
	for range s.Share(20) {
		c, err := verify.Dial(s.Port)
		if err != nil {
			return err
		}
		name, want := seeded("2m-%d")
		a, err := get(c, name, want)
		if err == nil {
			err = a.upTo(1)
		}
		if err == nil {
			if err := c.SetLinger(0); err != nil {
				return verify.Harness(err) // a plain close would send FIN
			}
		}
		c.Close()
		if err != nil {
			return fmt.Errorf("GET /files/%s: %w", name, verify.Readable(err))
		}
		for range 5 {
			if err := anew(s, "20k-%d"); err != nil {
				return fmt.Errorf("after an aborted request: %w", err)
			}
		}
	}
	return nil
}
