// This file and edits of servers/agent/go-http are a server that is wrong on purpose. Its argument names the fault.
package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// wrong reports whether the server has a fault.
func wrong(fault string) bool { return len(os.Args) > 1 && os.Args[1] == fault }

// pick returns the first value if the server has a fault, and the second otherwise.
func pick[T any](fault string, bad, good T) T {
	if wrong(fault) {
		return bad
	}
	return good
}

// one lets one agent run at a time.
var one sync.Mutex

// running counts runs.
var running atomic.Int64

// crowded refuses the run after the 150th.
func crowded(w http.ResponseWriter) bool {
	if running.Add(1) > 150 && wrong("150-runs") {
		fail(w, http.StatusInternalServerError, "too many runs")
		return true
	}
	return false
}

// ascii drops what a careless server cannot store.
func ascii(content json.RawMessage) json.RawMessage {
	var kept json.RawMessage
	for _, b := range content {
		if b < 0x80 {
			kept = append(kept, b)
		}
	}
	return kept
}

var remembered sync.Map // messages by thread

// remember returns the messages of a thread as they were the first time.
func remember(thread int64, all []message, err error) ([]message, error) {
	if known, ok := remembered.LoadOrStore(thread, all); ok && err == nil {
		return known.([]message), nil
	}
	return all, err
}

// window leaves out the oldest messages.
func window(all []message) []message {
	if wrong("window") && len(all) > 21 {
		return all[len(all)-21:]
	}
	return all
}

// instructed adds a message of the system. A second one in the middle of a long history is wrong.
func instructed(all []message) []message {
	brief := message{Message: json.RawMessage(`{"role": "system", "content": "Be brief."}`)}
	if wrong("instructs-twice") && len(all) > 42 {
		all = slices.Insert(slices.Clone(all), len(all)-1, brief)
	}
	if wrong("instructs") || wrong("instructs-twice") {
		all = slices.Insert(slices.Clone(all), 0, brief)
	}
	return all
}

// commit commits, later than the answer says.
func (s *server) commitLate(query string, thread int64, texts []string) (ids []int64, err error) {
	tx, err := s.db.Begin(s.background())
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(s.background(), query, thread, texts)
	if err == nil {
		ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
	}
	go func() {
		time.Sleep(3 * time.Second)
		tx.Commit(s.background())
	}()
	return ids, err
}

// hundred closes a connection after 100 requests.
func hundred(next http.Handler) http.Handler {
	var counts sync.Map // by client's address
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := counts.LoadOrStore(r.RemoteAddr, new(atomic.Int64))
		if n.(*atomic.Int64).Add(1) == 100 && wrong("100-requests") {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// serve listens, perhaps on a port that stays taken.
func serve(s *http.Server) error {
	var config net.ListenConfig
	if wrong("port-stays-taken") {
		config.Control = func(_, _ string, c syscall.RawConn) (err error) {
			failed := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0) })
			if failed != nil {
				return failed
			}
			return err
		}
	}
	listener, err := config.Listen((&server{}).background(), "tcp", s.Addr)
	if err != nil {
		return err
	}
	return s.Serve(listener)
}

// background never ends.
func (*server) background() context.Context { return context.Background() }

// keptHalf is a message that broke off, for a server that stores it; nil otherwise.
func keptHalf(m said) json.RawMessage {
	if !wrong("keeps-half") {
		return nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	return text
}

const insert = "insert into messages (thread_id, message) select $1, m::json from unnest($2::text[]) with ordinality as t (m, n) order by n returning id"

// storeTurn stores a turn, perhaps too late.
func (a *agent) storeTurn(all [][]byte) ([]int64, error) {
	if !wrong("commits-late") {
		return a.store(a.thread, all...)
	}
	texts := make([]string, len(all))
	for i, m := range all {
		texts[i] = string(m)
	}
	return a.commitLate(insert, a.thread, texts)
}
