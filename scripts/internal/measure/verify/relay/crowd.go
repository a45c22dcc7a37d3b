package relay

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/verify"
)

// crowdSize is the number of concurrent streams in the contract.
const crowdSize = 200

// A member is one of many open streams.
type member struct {
	*client
	id string
	*answer
}

// gather opens n streams. The stub has sent the first event of each and holds
// the rest: when gather returns, all are open at the same time.
func (s *subject) gather(n int) ([]member, error) {
	all := make([]member, n)
	for i := range all {
		all[i].id = s.ID()
	}
	return all, verify.Each(all, func(m *member) (err error) {
		if m.client, err = s.beginAs(m.id, fmt.Sprintf("@hold=1 @tokens=%d", stepTokens), 1); err != nil {
			err = fmt.Errorf("opening %d streams: %w", n, err)
		}
		return err
	})
}

func closeMembers(all []member) {
	for _, m := range all {
		if m.client != nil {
			m.client.Close()
		}
	}
}

// crowd completes n streams that are open at the same time.
func crowd(n int) func(context.Context, *subject) error {
	return func(_ context.Context, s *subject) error {
		n := s.Share(n)
		if n > crowdSize {
			defer verify.EnterLargeCrowd()()
		}
		all, err := s.gather(n)
		defer closeMembers(all)
		if err != nil {
			return err
		}
		if err := verify.Each(all, func(m *member) error { return s.Release(m.id, stepTokens+2) }); err != nil {
			return err
		}
		return verify.Each(all, func(m *member) (err error) {
			if m.answer, err = m.stream(); err == nil {
				err = s.whole(m.answer, m.id)
			}
			return err
		})
	}
}

// reuse sends its requests over one connection. A server with a pool for each thread may choose the thread by
// connection.
func reuse(_ context.Context, s *subject) error {
	c, err := dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	seen := map[int64]bool{}
	requests := s.Share(100)
	for range requests {
		id := s.ID()
		if err := c.chat("hello @tokens=1 @itl=0s @id=" + id); err != nil {
			return err
		}
		if _, err := c.finish(); err != nil {
			return err
		}
		found, ok, err := s.Entries(id, func(e []entry) bool { return len(e) == 1 })
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("%d requests at the stub; want 1", len(found))
		}
		seen[found[0].Connection] = true
	}
	if len(seen) > 3 {
		return fmt.Errorf("%d requests used %d upstream connections; want at most 3", requests, len(seen))
	}
	return nil
}

// stale lets the upstream close its idle connection between requests. A server that watches idle connections
// gets time to notice. Another server, which the first request reveals, must try again.
func stale(ctx context.Context, s *subject) error {
	watches := true
	for n := range 3 {
		if err := unchanged("@tokens=1 @itl=0s @hangup=1")(ctx, s); err != nil {
			return fmt.Errorf("request %d, after the upstream had closed its idle connection: %w", n+1, err)
		}
		seen := false
		for deadline := time.Now().Add(2 * time.Second); !seen && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			left, closed, err := s.idle()
			if err != nil {
				return err
			}
			seen = left == 0 || !watches && closed
		}
		watches = watches && seen
	}
	return nil
}

// idle counts the server's open connections to the stub, and reports whether the stub has closed all of them.
func (s *subject) idle() (left int, closed bool, err error) {
	open, err := s.Sockets(func(_, peer int) bool { return peer == s.StubPort })
	defer verify.CloseAll(open)
	closed = true
	for _, fd := range open {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			return 0, false, verify.Harness(fmt.Errorf("TCP_INFO: %w", err))
		}
		closed = closed && info.State == unix.BPF_TCP_CLOSE_WAIT
	}
	return len(open), closed, err
}

// crosstalk aborts streams in the middle, which leaves half-read connections to the upstream. Later answers
// must have none of their events.
func crosstalk(ctx context.Context, s *subject) error {
	for range s.Share(20) {
		id := s.ID()
		a, err := s.open("hello @tokens=1000 @itl=0s @size=200 @id=" + id)
		if err != nil {
			return err
		}
		if err := a.next(); err != nil {
			return verify.Readable(err)
		}
		if err := a.c.SetLinger(0); err != nil {
			return verify.Harness(err) // a plain close would send FIN
		}
		a.c.Close()
		for range 5 {
			if err := unchanged("@tokens=3 @itl=0s")(ctx, s); err != nil {
				return fmt.Errorf("after an aborted request: %w", err)
			}
		}
	}
	return nil
}

func sigterm(_ context.Context, s *subject) error {
	var ids []string
	var open []*client
	for range 5 {
		c, id, err := s.begin(fmt.Sprintf("@hold=1 @tokens=%d", stepTokens), 2)
		if err != nil {
			return err
		}
		defer c.Close()
		ids, open = append(ids, id), append(open, c)
	}
	return s.Terminate(func() error {
		for i, c := range open {
			if err := s.Release(ids[i], stepTokens+3); err != nil {
				return err
			}
			a, err := c.stream()
			if err == nil {
				err = s.whole(a, ids[i])
			}
			if err != nil {
				return err
			}
			c.Close()
		}
		return nil
	})
}
