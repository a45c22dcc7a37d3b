package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// foreignKeyViolation is a code of https://www.postgresql.org/docs/current/errcodes-appendix.html
const foreignKeyViolation = "23503"

// A run is the answer to one message. Its events go to the client that asked, and to all that follow the thread.
type run struct {
	*server
	ctx    context.Context // of the request
	thread int64
	mu     sync.Mutex // agents run at the same time
	out    http.ResponseWriter
}

// post answers a new message of a user.
func (s *server) post(w http.ResponseWriter, r *http.Request) {
	thread, ok := readID(w, r)
	if !ok {
		return
	}
	var body struct{ Content json.RawMessage }
	if !readJSON(w, r, &body) {
		return
	}
	if len(body.Content) == 0 || body.Content[0] != '"' && body.Content[0] != '[' {
		fail(w, http.StatusBadRequest, `want {"content": "..."}, or a list of parts`)
		return
	}
	locked, err := s.locks.try(thread)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	if !locked {
		fail(w, http.StatusConflict, "the thread has a run")
		return
	}
	release := sync.OnceFunc(func() { s.locks.release(thread) })
	defer release()
	user, err := json.Marshal(map[string]any{"role": "user", "content": body.Content})
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	ids, err := s.store(thread, user)
	if missing, ok := errors.AsType[*pgconn.PgError](err); ok && missing.Code == foreignKeyViolation {
		fail(w, http.StatusNotFound, "no such thread")
		return
	}
	var history []message
	if err == nil {
		history, err = s.history(thread)
	}
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	a := agent{run: &run{server: s, ctx: r.Context(), thread: thread, out: w}, ctx: r.Context()}
	for _, m := range history {
		a.messages = append(a.messages, m.Message)
	}
	a.emit("stored", stored{ids[0], "user"}) // the next event fails as well
	name, data := "done", []byte("{}")
	if _, err := a.loop(); err != nil {
		name = "error"
		data, _ = json.Marshal(map[string]string{"message": err.Error()}) // a text always encodes
	}
	s.publish(thread, name, data) // before another run can
	release()                     // before the client can send another message
	a.send(name, data)
}

// stored is the data of the event of that name.
type stored struct {
	ID   int64  `json:"id"`
	Role string `json:"role"`
}

// store commits messages, all or none, and returns their ids in order.
func (s *server) store(thread int64, messages ...[]byte) ([]int64, error) {
	texts := make([]string, len(messages))
	for i, m := range messages {
		texts[i] = string(m)
	}
	rows, err := s.db.Query(context.Background(),
		"insert into messages (thread_id, message) select $1, m::json from unnest($2::text[]) with ordinality as t (m, n) order by n returning id", thread, texts)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// emit sends an event to the client, and publishes it.
func (r *run) emit(name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.send(name, text)
	return r.publish(r.thread, name, text)
}

// send sends an event to the client. If that has left, the run ends by its context.
func (r *run) send(name string, data []byte) {
	if r.ctx.Err() == nil {
		fmt.Fprintf(r.out, "event: %s\ndata: %s\n\n", name, data) // the client may have left
		http.NewResponseController(r.out).Flush()                 // likewise
	}
}

// Locks are advisory locks of PostgreSQL, one for each thread that has a run. They belong to one connection, which is
// not of the pool: a run must not keep a connection. Locks of one connection do not exclude each other, so held does.
type locks struct {
	config *pgx.ConnConfig
	mu     sync.Mutex
	conn   *pgx.Conn
	held   map[int64]bool
}

func (l *locks) open(ctx context.Context) (err error) {
	l.conn, err = pgx.ConnectConfig(ctx, l.config)
	return err
}

// try locks a thread. It returns false if the thread has a run, in any process.
func (l *locks) try(thread int64) (locked bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[thread] {
		return false, nil
	}
	ctx := context.Background()
	if l.conn == nil || l.conn.IsClosed() {
		if err := l.open(ctx); err != nil {
			return false, err
		}
	}
	if err = l.conn.QueryRow(ctx, "select pg_try_advisory_lock($1)", thread).Scan(&locked); err == nil && locked {
		l.held[thread] = true
	}
	return locked, err
}

func (l *locks) release(thread int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, thread)
	if l.conn != nil {
		l.conn.Exec(context.Background(), "select pg_advisory_unlock($1)", thread) // a lock ends with its connection
	}
}
