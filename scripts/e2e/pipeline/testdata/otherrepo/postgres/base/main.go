// Command shop lists what a shop has, out of PostgreSQL.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	ctx := context.Background()
	db, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) > 1 && os.Args[1] == "migrate" {
		_, err := db.Exec(ctx, `create table if not exists items (id int primary key, name text not null);
			insert into items select n, 'item ' || n from generate_series(1, 500) n on conflict do nothing`)
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	http.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		if db.Ping(r.Context()) != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	http.HandleFunc("GET /items/{id}", func(w http.ResponseWriter, r *http.Request) {
		var name string
		if err := db.QueryRow(r.Context(), "select name from items where id = $1", r.PathValue("id")).Scan(&name); err != nil {
			http.NotFound(w, r)
			return
		}
		answer(w, map[string]string{"id": r.PathValue("id"), "name": name})
	})
	http.HandleFunc("GET /items", func(w http.ResponseWriter, r *http.Request) {
		names, err := list(r.Context(), db)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer(w, names)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may have left
}
