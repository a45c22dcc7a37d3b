package agent

import (
	"context"
	"fmt"
	"time"

	"fairstream/scripts/internal/measure/verify"
)

// crowd has runs of two turns with tools at once, each on a thread of its own. The model answers when all have begun.
func crowd(_ context.Context, s *subject) error {
	defer verify.EnterLargeCrowd()()
	all, err := s.gather(s.Share(crowdSize), 2, 2, 5)
	defer closeAll(all)
	if err == nil {
		err = verify.Each(all, func(h *held) error { return s.Release(h.id, 100) })
	}
	if err == nil {
		err = verify.Each(all, func(h *held) error {
			rest, err := h.done()
			if err == nil {
				err = sameEvents(append([]event{{name: "stored", data: `{"role": "user"}`}}, rest...), h.events())
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("with %d runs at once: %w", len(all), err)
	}
	return s.NoneOpen()
}

// A client may close a connection that is idle for longer. Undici, which is behind fetch in Node.js, does so after 4 s.
// https://undici.nodejs.org/#/docs/api/Client
const mostIdle = 2 * time.Second

// reuse counts the connections to the model. On a busy machine a pause between two runs may be longer than mostIdle. Each
// such pause allows one more.
func reuse(_ context.Context, s *subject) error {
	const runs, most = 50, 3
	used := map[int64]bool{}
	last, pauses := time.Now(), 0
	for range runs {
		began := time.Now()
		t, err := s.create("a thread")
		if err != nil {
			return err
		}
		c := s.script(1, 0, 1)
		if _, err := s.runs(t, c); err != nil {
			return err
		}
		noted, err := s.Entry(c.id)
		if err != nil {
			return err
		}
		used[noted.Connection] = true
		if time.Since(last) > mostIdle {
			pauses++
		}
		last = began
	}
	if len(used) > most+pauses {
		return fmt.Errorf("%d runs, one after the other, used %d connections upstream; want at most %d", runs, len(used), most+pauses)
	}
	return nil
}

// sequential has threads and runs on one connection of the client.
func sequential(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	for n := range s.Share(200) {
		method, path, body := "GET", t.path(""), ""
		if n%10 == 0 {
			method, path, body = "POST", t.path("/messages"), `{"content": "@tokens=1 @itl=0s"}`
		}
		a, err := send(c, method, path, "", body)
		if err == nil {
			err = whole(a)
		}
		if err == nil && a.Status != 200 {
			err = fmt.Errorf("status %d; want 200", a.Status)
		}
		if err != nil {
			return fmt.Errorf("request %d on its connection, %s %s: %w", n+1, method, path, verify.Readable(err))
		}
	}
	return nil
}

func quiet(_ context.Context, s *subject) error {
	const runs = 50
	return s.Quiet(runs, fmt.Sprintf("%d runs", runs), func() error {
		t, err := s.create("a thread")
		for n := 0; err == nil && n < runs; n++ {
			_, err = s.runs(t, s.script(1, 0, 1))
		}
		return err
	})
}

// restart starts the server again on the same port, while the kernel still remembers a client's connection to
// the old one.
func restart(ctx context.Context, s *subject) error {
	h, err := s.begun()
	if err != nil {
		return err
	}
	defer h.close()
	if err := s.Restart(ctx); err != nil {
		return err
	}
	return s.free(h.thread)
}

// sigterm has five runs and a subscriber open at SIGTERM.
func sigterm(_ context.Context, s *subject) error {
	all, err := s.gather(5, 1, 0, 4)
	defer closeAll(all)
	if err != nil {
		return err
	}
	f, err := follow(s.Port, all[0].thread, "")
	if err != nil {
		return err
	}
	defer f.close()
	return s.Terminate(func() error {
		for i := range all {
			if err := all[i].end(s); err != nil {
				return err
			}
			all[i].close()
		}
		return nil
	})
}
