package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// A thread is a row of threads.
type thread struct {
	ID        int64     `json:"id"`
	Title     string    `json:"title"`
	CreatedAt time.Time `json:"created_at"`
}

const columns = "id, title, created_at"

// A message is a row of messages.
type message struct {
	ID      int64           `json:"id"`
	Message json.RawMessage `json:"message"`
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	title, ok := readTitle(w, r)
	if !ok {
		return
	}
	s.one(w, http.StatusCreated, "insert into threads (title) values ($1) returning "+columns, title)
}

func (s *server) read(w http.ResponseWriter, r *http.Request) {
	if id, ok := readID(w, r); ok {
		s.one(w, http.StatusOK, "select "+columns+" from threads where id = $1", id)
	}
}

func (s *server) rename(w http.ResponseWriter, r *http.Request) {
	id, ok := readID(w, r)
	if !ok {
		return
	}
	if title, ok := readTitle(w, r); ok {
		s.one(w, http.StatusOK, "update threads set title = $2 where id = $1 returning "+columns, id, title)
	}
}

// one answers with the thread that a query returns.
func (s *server) one(w http.ResponseWriter, status int, query string, arguments ...any) {
	var t thread
	err := s.db.QueryRow(context.Background(), query, arguments...).Scan(&t.ID, &t.Title, &t.CreatedAt)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		fail(w, http.StatusNotFound, "no such thread")
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err.Error())
	default:
		answer(w, status, t)
	}
}

func (s *server) remove(w http.ResponseWriter, r *http.Request) {
	id, ok := readID(w, r)
	if !ok {
		return
	}
	tag, err := s.db.Exec(context.Background(), "delete from threads where id = $1", id)
	switch {
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err.Error())
	case tag.RowsAffected() == 0:
		fail(w, http.StatusNotFound, "no such thread")
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	limit, before := int64(20), int64(1<<63-1)
	for name, value := range map[string]*int64{"limit": &limit, "before": &before} {
		if text := r.URL.Query().Get(name); text != "" {
			var err error
			if *value, err = strconv.ParseInt(text, 10, 64); err != nil {
				fail(w, http.StatusBadRequest, name+": want a number")
				return
			}
		}
	}
	if limit < 1 || limit > 100 {
		fail(w, http.StatusBadRequest, "limit: want 1 to 100")
		return
	}
	rows, err := s.db.Query(context.Background(), "select "+columns+" from threads where id < $1 order by id desc limit $2", before, limit)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[thread])
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	answer(w, http.StatusOK, map[string]any{"threads": all})
}

// messages answers with those of a thread. Only one without messages needs a second query.
func (s *server) messages(w http.ResponseWriter, r *http.Request) {
	id, ok := readID(w, r)
	if !ok {
		return
	}
	all, err := s.history(id)
	if err == nil && len(all) == 0 {
		var one int
		err = s.db.QueryRow(context.Background(), "select 1 from threads where id = $1", id).Scan(&one)
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		fail(w, http.StatusNotFound, "no such thread")
	case err != nil:
		fail(w, http.StatusServiceUnavailable, err.Error())
	default:
		answer(w, http.StatusOK, map[string]any{"messages": all})
	}
}

// history returns the messages of a thread, in order.
func (s *server) history(thread int64) ([]message, error) {
	rows, err := s.db.Query(context.Background(), "select id, message::text from messages where thread_id = $1 order by id", thread)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (m message, err error) {
		var text string
		err = row.Scan(&m.ID, &text)
		m.Message = json.RawMessage(text)
		return m, err
	})
}

// readID reads the id in the path. Without one it answers.
func readID(w http.ResponseWriter, r *http.Request) (id int64, ok bool) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		fail(w, http.StatusBadRequest, "id: want a number")
	}
	return id, err == nil
}

// readTitle reads the body. Without a title it answers.
func readTitle(w http.ResponseWriter, r *http.Request) (title string, ok bool) {
	var body struct{ Title *string }
	if !readJSON(w, r, &body) {
		return "", false
	}
	if body.Title == nil {
		fail(w, http.StatusBadRequest, `want {"title": "..."}`)
		return "", false
	}
	return *body.Title, true
}

// mostBytes limits a body: an image of 8 MB in base64, and more.
const mostBytes = 16 << 20

func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBytes)).Decode(into); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return false
	}
	return true
}
