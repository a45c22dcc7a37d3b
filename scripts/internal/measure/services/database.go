package services

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Database is what one server has: a database of PostgreSQL and one of Redis.
type Database struct {
	services *Services
	name     string
	number   int // in Redis
}

// Database makes a copy of the template. It may be called side by side.
func (s *Services) Database(ctx context.Context) (*Database, error) {
	number := int(s.made.Add(1))
	if number >= mostRedis {
		return nil, fmt.Errorf("redis: no database left of %d", mostRedis)
	}
	d := &Database{services: s, name: fmt.Sprintf("server_%d", number), number: number}
	_, err := s.admin.Exec(ctx, "create database "+d.name+" template template_server owner server strategy file_copy")
	if err != nil {
		return nil, fmt.Errorf("postgresql: %w", err)
	}
	return d, nil
}

// Env is the environment of the server.
func (d *Database) Env() []string {
	return []string{
		"DATABASE_URL=" + d.services.url("server", d.name), fmt.Sprintf("DATABASE_CONNECTIONS=%d", Connections), "REDIS_URL=" + d.redisURL(),
	}
}

func (d *Database) redisURL() string {
	return fmt.Sprintf("redis://:%s@127.0.0.1:%d/%d", d.services.secret, d.services.redisPort, d.number)
}

// Connect opens a connection with the rights of the server.
func (d *Database) Connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, d.services.url("server", d.name))
}

// Away refuses connections and ends those that are open. The returned function lets them come back.
func (d *Database) Away(ctx context.Context) (back func() error, err error) {
	allow := func(yes bool) error {
		_, err := d.services.admin.Exec(ctx, fmt.Sprintf("alter database %s allow_connections %t", d.name, yes))
		return err
	}
	if err := allow(false); err != nil {
		return nil, err
	}
	_, err = d.services.admin.Exec(ctx, "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", d.name)
	return func() error { return allow(true) }, err
}

// Backends are the processes of PostgreSQL that serve the server.
func (d *Database) Backends(ctx context.Context) ([]int, error) {
	rows, err := d.services.admin.Query(ctx, "select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend' order by pid", d.name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// Queries is how many statements the server has run.
func (d *Database) Queries(ctx context.Context) (n int64, err error) {
	err = d.services.admin.QueryRow(ctx,
		"select coalesce(sum(calls), 0)::bigint from pg_stat_statements join pg_database on pg_database.oid = dbid where datname = $1", d.name).Scan(&n)
	return n, err
}

// Messages is how many rows messages has.
func (d *Database) Messages(ctx context.Context) (n int64, err error) {
	c, err := d.Connect(ctx)
	if err != nil {
		return 0, err
	}
	err = c.QueryRow(ctx, "select count(*) from messages").Scan(&n)
	return n, errors.Join(err, c.Close(ctx))
}

// Remove removes the database. Connections to it end.
func (d *Database) Remove(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := d.services.admin.Exec(limited, "drop database "+d.name+" with (force)")
	return err
}
