package files

import (
	"context"
	"fmt"

	"fairstream/scripts/internal/measure/verify"
)

// lockStep makes the stub send a piece only after the one before has arrived. It needs no clock: a server
// that waits for more never gets more. The directives begin with the size of a piece.
func lockStep(directives string, requests, pieces int) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		c, err := verify.Dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		for n := range requests {
			if err := step(s, c, directives, pieces); err != nil {
				return fmt.Errorf("request %d on its connection: %w", n+1, err)
			}
		}
		return nil
	}
}

func step(s *verify.Subject, c *verify.Client, directives string, pieces int) error {
	m := held(s, directives, pieces)
	m.Client = c
	if err := ask(c, "GET", m.name, ""); err != nil {
		return err
	}
	for range pieces {
		if err := m.next(s); err != nil {
			return err
		}
	}
	return m.whole()
}

// A member is a request whose answer the stub holds.
type member struct {
	*verify.Client
	*answer
	name  string
	file  []byte
	piece int // bytes
	sent  int // pieces
}

// held returns a request for a file of some pieces.
func held(s *verify.Subject, directives string, pieces int) member {
	piece := sizeOf(directives)
	name, want := seeded(fmt.Sprintf("%d-%%d,%s,hold,id=%s", piece*pieces, directives, s.ID()))
	return member{name: name, file: want, piece: piece}
}

// next releases a piece and expects it.
func (m *member) next(s *verify.Subject) error {
	if err := s.Release(idOf(m.name), 1); err != nil {
		return err
	}
	m.sent++
	return m.seen(s)
}

// seen expects all pieces that the stub has sent.
func (m *member) seen(s *verify.Subject) error {
	var err error
	if m.answer == nil {
		m.answer, err = receive(m.Client, m.file)
	}
	if err == nil {
		err = m.upTo(m.piece * m.sent)
	}
	if err == nil {
		return m.same(m.piece * m.sent)
	}
	select {
	case <-s.Server.Done():
		return fmt.Errorf("piece %d: %w", m.sent, s.Server.Gone())
	default:
	}
	if verify.IsSilence(err) {
		return fmt.Errorf("piece %d of %d bytes did not arrive before piece %d was sent; the server holds it back (%w)", m.sent, m.piece, m.sent+1, err)
	}
	return fmt.Errorf("piece %d: %w", m.sent, verify.Readable(err))
}

// stepCrowd is the number of answers that are in lock-step at the same time.
const stepCrowd = 200

func lockStepCrowd(_ context.Context, s *verify.Subject) error {
	all, err := gather(s, s.Share(stepCrowd), "piece=3k", 6)
	defer closeMembers(all)
	if err != nil {
		return err
	}
	for piece := range 6 {
		err := verify.Each(all, func(m *member) error {
			if piece == 0 { // already sent
				return m.seen(s)
			}
			return m.next(s)
		})
		if err != nil {
			return fmt.Errorf("with %d clients: %w", len(all), err)
		}
	}
	return verify.Each(all, func(m *member) error { return m.whole() })
}
