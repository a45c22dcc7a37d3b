// Command todo is a list of things to do, in SQLite. It uses net/http and database/sql. Nothing in it is for a
// benchmark.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"

	_ "modernc.org/sqlite"
)

// An item is a thing to do.
type item struct {
	ID      int64     `json:"id"`
	Title   string    `json:"title"`
	Done    bool      `json:"done"`
	Changed time.Time `json:"changed"`
}

type api struct{ db *sql.DB }

func main() {
	db, err := sql.Open("sqlite", "file:todo.db?_pragma=journal_mode(wal)&_pragma=busy_timeout(5000)&_pragma=synchronous(normal)")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close() // the process ends
	// More connections than this only wait for each other, and SQLite waits by sleeping.
	db.SetMaxOpenConns(2 * runtime.NumCPU())
	n := flag.Int("fill", 0, "make a new database of this many `items`, and end")
	flag.Parse()
	if *n > 0 {
		if err := fill(db, *n); err != nil {
			log.Fatal(err)
		}
		return
	}
	a := api{db}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /todos", a.list)
	mux.HandleFunc("GET /todos/{id}", a.get)
	mux.HandleFunc("PUT /todos/{id}", a.put)
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: mux}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-stop.Done()
		limit, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(limit); err != nil {
			log.Print(err)
		}
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
	<-ended
}

// fill makes a new database.
func fill(db *sql.DB, items int) error {
	if _, err := db.Exec("DROP TABLE IF EXISTS todos; CREATE TABLE todos (id INTEGER PRIMARY KEY, title TEXT NOT NULL, done BOOLEAN NOT NULL, changed DATETIME NOT NULL)"); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for id := range items {
		if _, err := tx.Exec("INSERT INTO todos VALUES (?, ?, ?, ?)", id+1, fmt.Sprintf("item %d", id+1), id%3 == 0, time.Now().UTC()); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

// list answers with the first open items.
func (a api) list(w http.ResponseWriter, r *http.Request) {
	rows, err := a.db.QueryContext(r.Context(), "SELECT id, title, done, changed FROM todos WHERE NOT done ORDER BY id LIMIT 20")
	if err != nil {
		fail(w, err)
		return
	}
	defer rows.Close() // rows.Err has the error
	items := []item{}
	for rows.Next() {
		var i item
		if err := rows.Scan(&i.ID, &i.Title, &i.Done, &i.Changed); err != nil {
			fail(w, err)
			return
		}
		items = append(items, i)
	}
	if err := rows.Err(); err != nil {
		fail(w, err)
		return
	}
	answer(w, items)
}

func (a api) get(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.Error(w, "the id is not a number", http.StatusBadRequest)
		return
	}
	var i item
	err = a.db.QueryRowContext(r.Context(), "SELECT id, title, done, changed FROM todos WHERE id = ?", id).Scan(&i.ID, &i.Title, &i.Done, &i.Changed)
	if errors.Is(err, sql.ErrNoRows) {
		http.Error(w, "no such item", http.StatusNotFound)
		return
	}
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, i)
}

// put replaces an item, or adds it.
func (a api) put(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	var i item
	if err != nil || json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&i) != nil || i.Title == "" {
		http.Error(w, `want a number and {"title": "..."}`, http.StatusBadRequest)
		return
	}
	i.ID, i.Changed = id, time.Now().UTC()
	if _, err := a.db.ExecContext(r.Context(), "INSERT OR REPLACE INTO todos (id, title, done, changed) VALUES (?, ?, ?, ?)", i.ID, i.Title, i.Done, i.Changed); err != nil {
		fail(w, err)
		return
	}
	answer(w, i)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Print(err)
	}
}

func fail(w http.ResponseWriter, err error) {
	log.Print(err)
	http.Error(w, "internal error", http.StatusInternalServerError)
}
