package main

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// list returns the names of the first items, and asks for each.
func list(ctx context.Context, db *pgxpool.Pool) (names []string, err error) {
	for id := 1; id <= 10; id++ {
		var name string
		if err := db.QueryRow(ctx, "select name from items where id = $1", id).Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}
