package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

// Events of a thread are a stream in Redis, which gives them their ids. A run may be in another process, so all
// processes read them from there.

// kept is how long Redis keeps events.
const kept = time.Minute

func key(thread int64) string { return fmt.Sprintf("events:%d", thread) }

// publish adds an event to those of a thread.
func (s *server) publish(thread int64, name string, data []byte) error {
	ctx := context.Background()
	add := &redis.XAddArgs{Stream: key(thread), Values: []any{"event", name, "data", data}}
	if name == "stored" { // not for each token
		add.MinID, add.Approx = strconv.FormatInt(time.Now().Add(-kept).UnixMilli(), 10), true
	}
	if err := s.redis.XAdd(ctx, add).Err(); err != nil {
		return err
	}
	if name == "done" || name == "error" {
		return s.redis.Expire(ctx, key(thread), kept).Err()
	}
	return nil
}

// An event as subscribers get it.
type event struct {
	id   string
	text []byte
	last bool // of its run
}

// A feed has the events of a thread that has subscribers. Each of them follows at its own pace.
type feed struct {
	mu        sync.Mutex
	events    []event
	begin     int           // of the latest run, in events
	forgotten int           // events before those
	more      chan struct{} // closed with the next event
	ready     chan struct{} // closed when the past events are there
	err       error         // of Redis
	users     int           // under followed.mu
	stop      context.CancelFunc
}

// followed has the feeds, by thread.
type followed struct {
	mu      sync.Mutex
	threads map[int64]*feed
}

// join returns the feed of a thread. The caller leaves it later.
func (s *server) join(thread int64) *feed {
	s.followed.mu.Lock()
	defer s.followed.mu.Unlock()
	f := s.followed.threads[thread]
	if f == nil {
		ctx, stop := context.WithCancel(context.Background())
		f = &feed{more: make(chan struct{}), ready: make(chan struct{}), stop: stop}
		s.followed.threads[thread] = f
		go s.fill(ctx, f, thread)
	}
	f.users++
	return f
}

func (s *server) leave(f *feed, thread int64) {
	s.followed.mu.Lock()
	defer s.followed.mu.Unlock()
	if f.users--; f.users == 0 {
		f.stop()
		delete(s.followed.threads, thread)
	}
}

// fill reads events from Redis until nobody follows them.
func (s *server) fill(ctx context.Context, f *feed, thread int64) {
	past, err := s.events.XRange(ctx, key(thread), "-", "+").Result()
	f.add(past, err)
	close(f.ready)
	after := "0"
	for ctx.Err() == nil && err == nil {
		if n := len(past); n > 0 {
			after = past[n-1].ID
		}
		var streams []redis.XStream
		streams, err = s.events.XRead(ctx, &redis.XReadArgs{Streams: []string{key(thread), after}, Block: time.Second}).Result()
		if past = nil; err == redis.Nil { // nothing came
			err = nil
			continue
		}
		if err == nil {
			past = streams[0].Messages
		}
		f.add(past, err)
	}
}

// add adds events, and forgets those before the latest two runs.
func (f *feed) add(all []redis.XMessage, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range all {
		name, data := m.Values["event"].(string), m.Values["data"].(string)
		e := event{id: m.ID, text: fmt.Appendf(nil, "id: %s\nevent: %s\ndata: %s\n\n", m.ID, name, data), last: name == "done" || name == "error"}
		if name == "stored" && strings.Contains(data, `"user"`) { // a run begins
			f.forgotten, f.events, f.begin = f.forgotten+f.begin, f.events[f.begin:], len(f.events)-f.begin
		}
		f.events = append(f.events, e)
	}
	f.err = err
	close(f.more)
	f.more = make(chan struct{})
}

// from is the number of the first event that a subscriber gets: that after an id, or the first of a run that is going on.
func (f *feed) from(lastID string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := len(f.events)
	if lastID != "" {
		at := 0
		for at < n && !later(f.events[at].id, lastID) {
			at++
		}
		return f.forgotten + at
	}
	if n > 0 && !f.events[n-1].last {
		return f.forgotten + f.begin
	}
	return f.forgotten + n
}

// later compares ids of Redis: milliseconds, and a number.
func later(a, b string) bool {
	var a1, a2, b1, b2 int64
	fmt.Sscanf(a, "%d-%d", &a1, &a2) // other text is 0
	fmt.Sscanf(b, "%d-%d", &b1, &b2) // likewise
	return a1 > b1 || a1 == b1 && a2 > b2
}

// after returns the events from a number on, and what to wait for if there are none. lost says that some are forgotten.
func (f *feed) after(n int) (events []event, more chan struct{}, lost bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n < f.forgotten {
		return nil, nil, true, f.err
	}
	return f.events[n-f.forgotten:], f.more, false, f.err
}

// stalled is how long a subscriber may not read.
const stalled = 10 * time.Second

// follow shows the events of a thread until the client leaves.
func (s *server) follow(w http.ResponseWriter, r *http.Request) {
	thread, ok := readID(w, r)
	if !ok {
		return
	}
	var one int
	switch err := s.db.QueryRow(context.Background(), "select 1 from threads where id = $1", thread).Scan(&one); {
	case errors.Is(err, pgx.ErrNoRows):
		fail(w, http.StatusNotFound, "no such thread")
		return
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	f := s.join(thread)
	defer s.leave(f, thread)
	<-f.ready
	next := f.from(r.Header.Get("Last-Event-ID"))
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	client := http.NewResponseController(w)
	for {
		events, more, lost, err := f.after(next)
		if lost || err != nil {
			return
		}
		next += len(events)
		client.SetWriteDeadline(time.Now().Add(stalled)) // the write below fails as well
		for _, e := range events {
			if _, err := w.Write(e.text); err != nil {
				return
			}
		}
		if client.Flush() != nil { // the first time, the header
			return
		}
		select {
		case <-more:
		case <-r.Context().Done():
			return
		case <-s.stopping:
			return
		}
	}
}
