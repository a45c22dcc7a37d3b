package services

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// A Database is what one server has: a database of PostgreSQL and one of Redis, with a role and a user that reach
// nothing else.
type Database struct {
	services *Services
	name     string // of the database, its role and its user of Redis
	number   int    // in Redis
	secret   string // password of both
}

func (s *Services) database(number int) *Database {
	return &Database{services: s, name: fmt.Sprintf("server_%d", number), number: number, secret: rand.Text()}
}

// role is the statement that makes the role.
func (d *Database) role() string {
	return fmt.Sprintf("create role %s login password '%s'", d.name, d.secret)
}

// redisUser is the command that makes the user. It may do all that ends at one database. Redis has channels, functions
// and loaded scripts once for all databases, so they are refused. Redis 7 and later know these rules.
func (d *Database) redisUser() string {
	return fmt.Sprintf("acl setuser %s on >%s ~* +@all -@admin -@dangerous -@pubsub -@scripting -select -move -copy "+
		"-client|unblock +select|%d +eval +evalsha +flushdb +info +keys +sort", d.name, d.secret, d.number)
}

// Database makes a copy of the template. It may be called side by side.
func (s *Services) Database(ctx context.Context) (*Database, error) {
	number := int(s.made.Add(1))
	if number >= mostRedis {
		return nil, fmt.Errorf("redis: no database left of %d", mostRedis)
	}
	d, template := s.database(number), s.database(0).name
	if err := s.redisSays(d.redisUser()); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	create := fmt.Sprintf("create database %s template %s owner %[1]s strategy file_copy", d.name, template)
	if err := s.run(ctx, d.role(), create); err != nil {
		return nil, fmt.Errorf("postgresql: %w", err)
	}
	c, err := pgx.Connect(ctx, s.adminURL(d.name))
	if err != nil {
		return nil, fmt.Errorf("postgresql: %w", err)
	}
	if _, err := c.Exec(ctx, fmt.Sprintf("reassign owned by %s to %s", template, d.name)); err != nil {
		return nil, fmt.Errorf("postgresql: %w", errors.Join(err, c.Close(ctx)))
	}
	return d, c.Close(ctx)
}

// Env is the environment of the server.
func (d *Database) Env() []string {
	return []string{
		"DATABASE_URL=" + d.url(), fmt.Sprintf("DATABASE_CONNECTIONS=%d", Connections), "REDIS_URL=" + d.redisURL(),
	}
}

func (d *Database) url() string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%[1]s?sslmode=disable", d.name, d.secret, d.services.port)
}

func (d *Database) redisURL() string {
	return fmt.Sprintf("redis://%s:%s@127.0.0.1:%d/%d", d.name, d.secret, d.services.redisPort, d.number)
}

// Connect opens a connection with the rights of the server.
func (d *Database) Connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, d.url())
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
	rows, err := d.services.admin.Query(ctx,
		"select pid from pg_stat_activity where datname = $1 and usename = $1 and backend_type = 'client backend' order by pid", d.name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

// Queries is how many statements the server has run.
func (d *Database) Queries(ctx context.Context) (n int64, err error) {
	err = d.services.admin.QueryRow(ctx,
		"select coalesce(sum(calls), 0)::bigint from pg_stat_statements join pg_database on pg_database.oid = dbid "+
			"where datname = $1 and userid = $1::regrole", d.name).Scan(&n)
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

// Remove removes the database with its role and its user. Connections end.
func (d *Database) Remove(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return errors.Join(
		d.services.run(limited, "drop database "+d.name+" with (force)", "drop role "+d.name),
		d.services.redisSays("acl deluser "+d.name))
}
