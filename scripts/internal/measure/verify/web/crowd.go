package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/verify"
)

// A member is one of many connections, with its request.
type member struct {
	*verify.Client
	task
	sent int // bytes of the request
}

// gather opens n connections.
func gather(s *verify.Subject, n int, of func(i int) task, option ...func(fd int) error) ([]member, error) {
	all := make([]member, n)
	for i := range all {
		all[i].task = of(i)
	}
	return all, verify.Each(all, func(m *member) (err error) {
		if m.Client, err = verify.Dial(s.Port, option...); err != nil {
			err = fmt.Errorf("opening %d connections: %w", n, err)
		}
		return err
	})
}

func closeMembers(all []member) {
	for _, m := range all {
		if m.Client != nil {
			m.Close()
		}
	}
}

// send sends the request up to a byte.
func (m *member) send(to int) error {
	_, err := io.WriteString(m, m.wire()[m.sent:to])
	m.sent = to
	return verify.Readable(err)
}

// finish sends the rest of the request and expects the answer.
func (m *member) finish() error {
	if err := m.send(len(m.wire())); err != nil {
		return err
	}
	a, err := m.answer(m.Client)
	if err != nil {
		return err
	}
	return m.check(a)
}

// others sends requests on new connections while some clients are slow.
func others(s *verify.Subject, slow string) error {
	for range 10 {
		c, err := verify.Dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		c.Patience = 3 * verify.Patience // the server may still be busy with the requests of all of them
		if err := random().do(c); err != nil {
			return fmt.Errorf("another client, while %s: %w", slow, err)
		}
	}
	return nil
}

// slowSenders stop inside a header, or inside a body.
func slowSenders(_ context.Context, s *verify.Subject) error {
	n := s.Share(50)
	all, err := gather(s, n, func(i int) task {
		if i%2 == 0 {
			return jsonTask()
		}
		return textTask()
	})
	defer closeMembers(all)
	if err != nil {
		return err
	}
	if err := verify.Each(all, func(m *member) error { return m.send(len(m.wire()) - 1 - len(m.body)/2) }); err != nil {
		return err
	}
	if err := others(s, fmt.Sprintf("%d clients have sent a part of their request", n)); err != nil {
		return err
	}
	return verify.Each(all, func(m *member) error {
		if err := m.finish(); err != nil {
			return fmt.Errorf("a client that sent its request slowly: %w", err)
		}
		return nil
	})
}

// Sizes of slowReaders.
const (
	slowSize      = 1_000_000
	slowStill     = 20 // looks without progress
	slowLookEvery = 50 * time.Millisecond
)

// slowReaders lets clients send some requests each until the server takes no more, and read nothing. Then they
// read all answers. The kernel takes a single answer at once. It cannot take eight, so the server has to wait.
func slowReaders(clients, answers int) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		n := s.Share(clients)
		all, err := gather(s, n, func(int) task {
			q := post(`{"text": "` + pick(alphanumeric, slowSize) + `"}`) // one text, which costs little to parse
			return task{q, q.returns}
		}, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) })
		defer closeMembers(all)
		if err != nil {
			return err
		}
		sendSlowly(all, answers)
		if err := others(s, fmt.Sprintf("%d clients do not read their answers of 1 MB", n)); err != nil {
			return err
		}
		return verify.Each(all, func(m *member) error { return m.readLate(answers) })
	}
}

// sendSlowly sends the request of each member some times, and returns when nothing more can be sent.
func sendSlowly(all []member, times int) {
	var sent atomic.Int64 // parts of requests
	for i := range all {
		m := &all[i]
		m.Most = 2*times*slowSize + 1<<20
		go func() {
			text := m.wire()
			for range times {
				for at := 0; at < len(text); at += 64 << 10 {
					if _, err := io.WriteString(m, text[at:min(len(text), at+64<<10)]); err != nil {
						return // the answers show why
					}
					sent.Add(1)
				}
			}
		}()
	}
	for still, before := 0, int64(-1); still < slowStill; time.Sleep(slowLookEvery) {
		now := sent.Load()
		if still++; now != before {
			still, before = 0, now
		}
	}
}

// readLate reads the answers, or those before the end of the connection.
func (m *member) readLate(answers int) error {
	m.SetReadBuffer(1 << 20) // saves time; may fail
	var right []byte         // an answer that was compared by value
	for i := range answers {
		a, err := m.answer(m.Client)
		if i > 0 && a == nil && errors.Is(err, verify.ErrClosed) {
			return nil
		}
		if err == nil && (right == nil || a.Status != 200 || !bytes.Equal(a.Body, right)) {
			err, right = m.check(a), a.Body
		}
		if err != nil {
			return fmt.Errorf("answer %d of a client that reads late: %w", i+1, err)
		}
	}
	return nil
}

// crowdSize is the number of connections in the contract.
const crowdSize = 1000

// crowd opens all connections before it sends anything. The last one asks first, while the others are idle.
// Then all others ask before the first one reads.
func crowd(_ context.Context, s *verify.Subject) error {
	n := s.Share(crowdSize)
	defer verify.EnterLargeCrowd()()
	all, err := gather(s, n, func(int) task { return textTask() })
	defer closeMembers(all)
	if err != nil {
		return err
	}
	if err := all[n-1].finish(); err != nil {
		return fmt.Errorf("beside %d idle connections: %w", n-1, err)
	}
	rest := all[:n-1]
	if err := verify.Each(rest, func(m *member) error { return m.send(len(m.wire())) }); err != nil {
		return err
	}
	return verify.Each(rest, func(m *member) error {
		if err := m.finish(); err != nil {
			return fmt.Errorf("one of %d connections at once: %w", n, err)
		}
		return nil
	})
}
