package agent

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

func threads(_ context.Context, s *subject) error {
	const title = "A title, “in quotes” 😀"
	made, err := s.create(title)
	if err != nil {
		return err
	}
	if made.Title != title {
		return fmt.Errorf("POST /threads: title %q; want %q", made.Title, title)
	}
	if _, err := time.Parse(time.RFC3339, made.CreatedAt); err != nil {
		return fmt.Errorf("POST /threads: created_at: %w", err)
	}
	same := func(method, body, title string) error {
		var got thread
		if err := expect(s.Port, method, made.path(""), body, 200, &got); err != nil {
			return err
		}
		if want := (thread{made.ID, title, made.CreatedAt}); got != want {
			return fmt.Errorf("%s %s: %+v; want %+v", method, made.path(""), got, want)
		}
		return nil
	}
	for _, step := range []struct{ method, body, title string }{{"GET", "", title}, {"PATCH", `{"title": "new"}`, "new"}, {"GET", "", "new"}} {
		if err := same(step.method, step.body, step.title); err != nil {
			return err
		}
	}
	if all, err := messages(s.Port, made); err != nil || len(all) > 0 {
		return fmt.Errorf("GET %s of a new thread: %d messages, %w; want none", made.path("/messages"), len(all), err)
	}
	if _, err := s.run(made, "@tokens=1 @itl=0s"); err != nil { // its messages go too
		return err
	}
	if err := expect(s.Port, "DELETE", made.path(""), "", 204, nil); err != nil {
		return err
	}
	return expect(s.Port, "GET", made.path(""), "", 404, nil)
}

// pages makes 25 threads, and reads them in pages.
func pages(_ context.Context, s *subject) error {
	var want []int64 // newest first
	for i := range 25 {
		t, err := s.create(fmt.Sprint("thread ", i))
		if err != nil {
			return err
		}
		want = append([]int64{t.ID}, want...)
	}
	page := func(query string, want []int64) error {
		var got struct{ Threads []thread }
		if err := expect(s.Port, "GET", "/threads"+query, "", 200, &got); err != nil {
			return err
		}
		var ids []int64
		for _, t := range got.Threads {
			ids = append(ids, t.ID)
		}
		if fmt.Sprint(ids) != fmt.Sprint(want) {
			return fmt.Errorf("GET /threads%s: ids %d; want %d", query, ids, want)
		}
		return nil
	}
	for _, c := range []struct {
		query string
		want  []int64
	}{
		{"", want[:20]}, {"?limit=3", want[:3]}, {"?limit=100", want},
		{fmt.Sprintf("?limit=3&before=%d", want[2]), want[3:6]}, {fmt.Sprintf("?before=%d", want[4]), want[5:]},
		{fmt.Sprintf("?before=%d", want[24]), nil},
	} {
		if err := page(c.query, c.want); err != nil {
			return err
		}
	}
	return nil
}

// paths are those of a thread, with the bodies that they take.
var paths = []struct{ method, rest, body string }{
	{"GET", "", ""}, {"PATCH", "", `{"title": "new"}`}, {"DELETE", "", ""}, {"GET", "/messages", ""}, {"GET", "/events", ""}, {"POST", "/messages", `{"content": "hello"}`},
}

func unknown(_ context.Context, s *subject) error {
	for _, p := range paths {
		if err := expect(s.Port, p.method, "/threads/999999999"+p.rest, p.body, 404, nil); err != nil {
			return err
		}
	}
	return expect(s.Port, "GET", "/nowhere", "", 404, nil)
}

func malformed(_ context.Context, s *subject) error {
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	for _, p := range paths {
		if err := expect(s.Port, p.method, "/threads/one"+p.rest, p.body, 400, nil); err != nil {
			return err
		}
	}
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/threads?limit=0", ""}, {"GET", "/threads?limit=101", ""}, {"GET", "/threads?limit=ten", ""}, {"GET", "/threads?before=x", ""},
		{"POST", "/threads", "{"}, {"POST", "/threads", "{}"}, {"POST", "/threads", `{"title": 1}`}, {"PATCH", t.path(""), `{}`},
		{"POST", t.path("/messages"), "{"}, {"POST", t.path("/messages"), `{}`}, {"POST", t.path("/messages"), `{"content": 1}`},
	} {
		if err := expect(s.Port, c.method, c.path, c.body, 400, nil); err != nil {
			return err
		}
	}
	_, err = s.run(t, "@tokens=1 @itl=0s") // none of them left something behind
	return err
}

// fresh changes rows behind the server's back.
func fresh(ctx context.Context, s *subject) error {
	t, err := s.create("old")
	if err != nil {
		return err
	}
	for _, p := range []string{"", "/messages"} { // a cache would have them now
		if err := expect(s.Port, "GET", t.path(p), "", 200, nil); err != nil {
			return err
		}
	}
	err = s.sql(ctx, func(c *pgx.Conn) error {
		_, err := c.Exec(ctx, "update threads set title = 'changed' where id = $1", t.ID)
		return err
	})
	if err == nil {
		err = s.insert(ctx, t, `{"role": "user", "content": "@id=fresh @tokens=1"}`)
	}
	if err != nil {
		return err
	}
	var got thread
	if err := expect(s.Port, "GET", t.path(""), "", 200, &got); err != nil {
		return err
	}
	if got.Title != "changed" {
		return fmt.Errorf("GET %s: title %q; the database has %q", t.path(""), got.Title, "changed")
	}
	all, err := messages(s.Port, t)
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return fmt.Errorf("GET %s: %d messages; the database has 1", t.path("/messages"), len(all))
	}
	return nil
}

// pool counts the server's connections to the database before the first request.
func pool(ctx context.Context, s *subject) error {
	found, err := s.Database.Backends(ctx)
	if err != nil {
		return err
	}
	if n := len(found); n < connections || n > connections+1 {
		return fmt.Errorf("%d connections to the database are open; want %d, and at most one more", n, connections)
	}
	return nil
}
