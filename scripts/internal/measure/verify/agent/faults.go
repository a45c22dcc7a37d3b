package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fairstream/scripts/internal/measure/verify"
)

// refused expects 409 for a message to a thread that has a run.
func refused(port int, t thread) error {
	return expect(port, "POST", t.path("/messages"), `{"content": "@tokens=1 @itl=0s"}`, 409, nil)
}

func busy(_ context.Context, s *subject) error { return s.busy(s.Port) }

func busyTwoProcesses(ctx context.Context, s *subject) error {
	other, err := s.Second(ctx, s.StubURL(""))
	if err != nil {
		return err
	}
	return s.busy(other)
}

// busy sends messages to a port while a thread has a run in the first process.
func (s *subject) busy(port int) error {
	h, err := s.begun()
	if err != nil {
		return err
	}
	defer h.close()
	if err := refused(port, h.thread); err != nil {
		return err
	}
	other, err := s.create("another thread")
	if err != nil {
		return err
	}
	if _, err := s.runs(other, s.script(1, 0, 1)); err != nil {
		return fmt.Errorf("another thread, meanwhile: %w", err)
	}
	if err := h.end(s); err != nil {
		return err
	}
	_, err = runAt(port, h.thread, "@tokens=1 @itl=0s") // the lock has ended with the run
	return err
}

func modelFails(ctx context.Context, s *subject) error { return s.recovers(ctx, "@fail=1") }

func modelCut(ctx context.Context, s *subject) error { return s.recovers(ctx, "@cut=1") }

func modelEnds(ctx context.Context, s *subject) error { return s.recovers(ctx, "@end=1") }

// recovers expects that a run with a fault in its first turn ends with error, and that another thread works. The model
// said nothing that could be stored.
func (s *subject) recovers(ctx context.Context, fault string) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for range 2 {
		if err := s.failing(t, s.script(1, 0, 8).String()+" "+fault); err != nil {
			return err
		}
		if _, err := s.runs(t, s.script(1, 0, 1)); err != nil {
			return fmt.Errorf("the run after it: %w", err)
		}
	}
	return s.roles(ctx, t, "user user assistant user user assistant")
}

// leave leaves while the model speaks.
func leave(_ context.Context, s *subject) error {
	for _, how := range []string{verify.FIN, verify.RST} {
		h, err := s.begun()
		if err != nil {
			return err
		}
		defer h.close()
		if err := s.Leave(h.Client, h.id, how); err != nil {
			return err
		}
		if err := s.free(h.thread); err != nil {
			return err
		}
	}
	return nil
}

// free waits until a thread whose client left can have another run.
func (s *subject) free(t thread) error {
	c := s.script(1, 0, 1)
	for tries := 0; ; tries++ {
		all, err := s.run(t, c.String())
		if err != nil && strings.Contains(err.Error(), "status 409") && tries < 100 {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if err == nil {
			err = sameEvents(all, c.events())
		}
		if err != nil {
			return fmt.Errorf("the next run of the thread: %w", err)
		}
		return nil
	}
}

// leaveTool leaves while two tools take their time.
func leaveTool(_ context.Context, s *subject) error {
	c := s.script(2, 2, 1)
	t, a, err := s.begin(c.String() + " @delay=1h")
	if err != nil {
		return err
	}
	defer a.close()
	open := func(outcome string) func([]verify.Entry) bool {
		return func(all []verify.Entry) bool {
			n := 0
			for _, e := range all {
				if strings.HasSuffix(e.Path, "/lookup") && e.Outcome == outcome {
					n++
				}
			}
			return n == 2
		}
	}
	if _, ok, err := s.Entries(c.id, open("")); err != nil {
		return err
	} else if !ok {
		return errors.New("two tools are not called at the same time")
	}
	a.close()
	found, ok, err := s.Entries(c.id, open("cancelled"))
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("the client left, and %v later its tools were still called (%d requests upstream)", verify.Patience, len(found))
	}
	return s.free(t)
}

// noDatabase refuses connections to the database and ends those that are open.
func noDatabase(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	back, err := s.Database.Away(ctx)
	if err != nil {
		return verify.Harness(err)
	}
	for range 2 {
		for _, p := range paths {
			if p.rest == "/events" {
				continue // it needs Redis only
			}
			if err := expect(s.Port, p.method, t.path(p.rest), p.body, 503, nil); err != nil {
				return fmt.Errorf("without a database: %w", err)
			}
		}
	}
	if err := back(); err != nil {
		return verify.Harness(err)
	}
	for tries := 0; ; tries++ { // a pool may notice late that a connection is dead
		status, _, err := call(s.Port, "GET", t.path(""), "")
		if err != nil {
			return err
		}
		if status == 200 {
			break
		}
		if tries == 2*connections {
			return fmt.Errorf("with the database back: status %d after %d requests; want 200", status, tries)
		}
	}
	_, err = s.runs(t, s.script(2, 2, 2))
	return err
}
