package agent

import (
	"context"
	"fmt"
)

// announced reads the rows as soon as an event announces one, while the run waits for the model.
func announced(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	h := held{script: s.script(3, 2, 1), thread: t}
	if h.stream, err = say(s.Port, t, h.String()+" @hold=1"); err != nil {
		return err
	}
	defer h.close()
	for seen := 0; ; {
		if err := s.Release(h.id, 1); err != nil {
			return err
		}
		for {
			e, err := h.stream.next()
			if err != nil {
				return fmt.Errorf("after %d stored messages: %w", seen, err)
			}
			if e.name == "done" {
				if seen != 8 {
					return fmt.Errorf("done came after %d messages were announced; want 8", seen)
				}
				return nil
			}
			if e.name != "stored" {
				continue
			}
			if err := s.has(ctx, t, e); err != nil {
				return err
			}
			if seen++; seen == 1 || seen == 4 || seen == 7 { // then the model is asked
				if err := s.Release(h.id, 20); err != nil {
					return err
				}
			}
		}
	}
}

// has expects the row that an event announced.
func (s *subject) has(ctx context.Context, t thread, e event) error {
	rows, err := s.rows(ctx, t)
	if err != nil {
		return err
	}
	f := e.fields()
	for _, r := range rows {
		if r.ID == f.ID {
			if role := r.role(); role != f.Role {
				return fmt.Errorf("stored %s: the role of this message is %q", e.data, role)
			}
			return nil
		}
	}
	return fmt.Errorf("stored %s was announced, and the database has no such row", e.data)
}

// killed ends the server at once after done. Another process then has all messages.
func killed(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for range 5 {
		all, err := s.run(t, s.script(2, 2, 2).String())
		if err != nil {
			return err
		}
		if err := s.Restart(ctx); err != nil {
			return err
		}
		for _, e := range all {
			if e.name == "stored" {
				if err := s.has(ctx, t, e); err != nil {
					return fmt.Errorf("after kill -9: %w", err)
				}
			}
		}
		got, err := messages(s.Port, t)
		if err != nil {
			return fmt.Errorf("after kill -9: %w", err)
		}
		if len(got)%5 != 0 {
			return fmt.Errorf("after kill -9: GET %s: %d messages; want 5 for each run", t.path("/messages"), len(got))
		}
	}
	return nil
}

// wholeTurn breaks off the model's answer in the third turn. What the thread has then is a history that the model takes.
func wholeTurn(ctx context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for _, fault := range []string{"@cut=3", "@fail=3"} {
		if err := s.failing(t, s.script(4, 2, 1).String()+" "+fault); err != nil {
			return fmt.Errorf("%s: %w", fault, err)
		}
	}
	const run = "user assistant tool tool assistant tool tool"
	if err := s.roles(ctx, t, run+" "+run); err != nil {
		return err
	}
	_, err = s.runs(t, s.script(1, 0, 1))
	return err
}
