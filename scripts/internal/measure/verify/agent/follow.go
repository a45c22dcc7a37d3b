package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/verify"
)

// sameRun compares what a subscriber got with what the client of the run got.
func sameRun(got, want []event) error {
	text := func(all []event) (texts []string) {
		for _, e := range all {
			texts = append(texts, e.name+" "+e.data)
		}
		return texts
	}
	if a, b := text(got), text(want); !slices.Equal(a, b) {
		return fmt.Errorf("a subscriber got %d events: %s; the run had %d: %s", len(a), list(a), len(b), list(b))
	}
	for i, e := range got {
		if e.id == "" {
			return fmt.Errorf("event %d, %s: no id", i, e)
		}
		if slices.ContainsFunc(got[:i], func(f event) bool { return f.id == e.id }) {
			return fmt.Errorf("event %d, %s: the id %s came before", i, e, e.id)
		}
	}
	return nil
}

// sameNext compares the next run that a subscriber gets with what the client of the run got.
func sameNext(f *stream, want []event) error {
	got, err := f.toEnd()
	if err == nil {
		err = sameRun(got, want)
	}
	return err
}

// live has two subscribers before two runs, one after the other.
func live(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	var all []*stream
	for range 2 {
		f, err := follow(s.Port, t, "")
		if err != nil {
			return err
		}
		defer f.close()
		all = append(all, f)
	}
	for _, c := range []script{s.script(2, 2, 5), s.script(1, 0, 5)} {
		want, err := s.runs(t, c)
		if err != nil {
			return err
		}
		for _, f := range all {
			if err := sameNext(f, want); err != nil {
				return err
			}
		}
	}
	return nil
}

// middle begins a run, and stops it after some tokens.
func (s *subject) middle(t thread, tokens int) (*held, []event, error) {
	h := &held{script: s.script(1, 0, 6), thread: t}
	err := h.begin(s)
	for i := 0; err == nil && i < tokens; i++ {
		err = h.next(s)
	}
	if err != nil {
		h.close()
		return nil, nil, err
	}
	// The events so far, as they were sent.
	all, body := []event{}, &stream{Answer: &verify.Answer{Client: h.Client, Body: h.Body, Ended: true}}
	for {
		e, err := body.next()
		if err != nil {
			return h, all, nil
		}
		all = append(all, e)
	}
}

// begun is a run in the middle of its answer, on a thread of its own.
func (s *subject) begun() (*held, error) {
	t, err := s.create("a thread")
	if err != nil {
		return nil, err
	}
	h, _, err := s.middle(t, 2)
	return h, err
}

// joins subscribes in the middle of a run at a port, with the id of an event or "". It returns what the subscriber got
// and what the run had.
func (s *subject) joins(port int, t thread, last string) (got, want []event, err error) {
	h, want, err := s.middle(t, 3)
	if err != nil {
		return nil, nil, err
	}
	defer h.close()
	f, err := follow(port, t, last)
	if err != nil {
		return nil, nil, err
	}
	defer f.close()
	for range want { // the past comes before the model says more
		e, err := f.next()
		if err != nil {
			return nil, nil, fmt.Errorf("a subscriber that came late, event %d of %d that were sent before: %w", len(got)+1, len(want), verify.Readable(err))
		}
		got = append(got, e)
	}
	if err := s.Release(h.id, 100); err != nil {
		return nil, nil, err
	}
	more, err := h.done()
	if err != nil {
		return nil, nil, err
	}
	rest, err := f.toEnd()
	return append(got, rest...), append(want, more...), err
}

func late(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	if _, err := s.runs(t, s.script(1, 0, 3)); err != nil { // an earlier run does not come
		return err
	}
	got, want, err := s.joins(s.Port, t, "")
	if err != nil {
		return err
	}
	return sameRun(got, want)
}

// resumed leaves after each number of events, and comes back.
func resumed(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	f, err := follow(s.Port, t, "")
	if err != nil {
		return err
	}
	defer f.close()
	want, err := s.runs(t, s.script(2, 2, 5))
	if err != nil {
		return err
	}
	all, err := f.toEnd()
	if err != nil {
		return err
	}
	for n := 1; n < len(all); n++ {
		again, err := follow(s.Port, t, all[n-1].id)
		if err != nil {
			return err
		}
		defer again.close()
		rest, err := again.toEnd()
		if err == nil {
			err = sameRun(append(all[:n:n], rest...), want)
		}
		if err != nil {
			return fmt.Errorf("with Last-Event-ID of event %d: %w", n, err)
		}
	}
	return nil
}

func twoProcesses(ctx context.Context, s *subject) error {
	other, err := s.Second(ctx, s.StubURL(""))
	if err != nil {
		return err
	}
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	f, err := follow(other, t, "")
	if err != nil {
		return err
	}
	defer f.close()
	got, want, err := s.joins(other, t, "") // one comes late, the other was there
	if err != nil {
		return err
	}
	if err := sameRun(got, want); err != nil {
		return err
	}
	return sameNext(f, want)
}

// stalledSubscriber lets a client read nothing while runs send 44 MB. Others get all of it, and the client is dropped. The
// check removes the messages of each run, so that no request to the model gets long.
func stalledSubscriber(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	lazy, err := verify.Dial(s.Port, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) })
	if err != nil {
		return err
	}
	defer lazy.Close()
	if err := lazy.Send("GET", t.path("/events"), "", ""); err != nil {
		return err
	}
	f, err := follow(s.Port, t, "")
	if err != nil {
		return err
	}
	defer f.close()
	for range 4 {
		// It reads while the run goes on. On a busy machine a run takes longer than a server waits for a subscriber.
		var got []event
		reading := make(chan error, 1)
		go func() {
			var err error
			got, err = f.toEnd()
			reading <- err
		}()
		want, err := s.run(t, s.script(1, 0, 11).String()+" @size=1000000")
		if err != nil {
			f.close() // which ends the read
			<-reading
			return fmt.Errorf("while a subscriber does not read: %w", err)
		}
		if err = <-reading; err == nil {
			err = sameRun(got, want)
		}
		if err != nil {
			return fmt.Errorf("while another subscriber does not read: %w", err)
		}
		if err := s.sql(ctx, func(c *pgx.Conn) error {
			_, err := c.Exec(ctx, "delete from messages where thread_id = $1", t.ID)
			return err
		}); err != nil {
			return err
		}
	}
	for wait := s.Wait(3 * verify.Patience); ; time.Sleep(100 * time.Millisecond) {
		open, err := s.Sockets(s.Toward(lazy, false))
		verify.CloseAll(open)
		if err != nil || len(open) == 0 {
			return err
		}
		if wait.Over() {
			return fmt.Errorf("a subscriber that reads nothing is still connected after %v; want it dropped", 3*verify.Patience)
		}
	}
}
