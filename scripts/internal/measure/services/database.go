package services

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/workload"
)

// A Database has the services of one server: a database of PostgreSQL with a role that reaches nothing else, and a
// Redis.
type Database struct {
	needs     workload.Needs
	services  *Services
	name      string // of the database, its role and its user of Redis
	secret    string // password of both
	redis     *process.Process
	redisPort int
}

func (s *Services) database(number int64) *Database {
	return &Database{needs: s.options.Needs, services: s, name: fmt.Sprintf("server_%d", number), secret: rand.Text()}
}

// role is the statement that makes the role.
func (d *Database) role() string {
	return fmt.Sprintf("create role %s login password '%s'", d.name, d.secret)
}

// Database makes what a server needs: a copy of the template, and a Redis. It may be called side by side.
func (s *Services) Database(ctx context.Context) (*Database, error) {
	d, template := s.database(s.made.Add(1)), s.database(0).name
	if d.needs.Redis {
		if err := d.startRedis(ctx); err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
	}
	if !d.needs.Postgres {
		return d, nil
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

// startRedis starts a Redis for this server alone. Servers cannot share one: each connection begins in its database 0,
// and a script stalls it for all. The user may do all that ends in this Redis. It reaches no files, no settings and no
// other machine.
func (d *Database) startRedis(ctx context.Context) (err error) {
	s := d.services
	if d.redisPort, err = s.options.Ports(); err != nil {
		return err
	}
	config := fmt.Sprintf("bind 127.0.0.1\nport %d\ndatabases 1\nsave \"\"\nappendonly no\nuser default off\n"+
		"user %s on >%s ~* &* +@all -@admin -@dangerous +flushdb +info +keys +sort\n", d.redisPort, d.name, d.secret)
	d.redis, err = process.Start(process.Command{
		Args: append(slices.Clone(s.as), s.programs.Redis, "-"), Dir: s.dir, Stdin: strings.NewReader(config), Bare: true,
		CPUs: s.options.CPUs,
	}, filepath.Join(s.dir, d.name+".redis.log"))
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.redis = append(s.redis, d.redis)
	s.mu.Unlock()
	return until(ctx, d.redis, func() error { return d.ping(ctx) })
}

// ping fails until Redis answers. It uses Redis's inline commands:
// https://redis.io/docs/latest/develop/reference/protocol-spec/#inline-commands
func (d *Database) ping(ctx context.Context) error {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", d.redisPort))
	if err != nil {
		return err
	}
	defer c.Close()                            // the answers are read
	c.SetDeadline(time.Now().Add(time.Second)) // it fails for a closed one alone
	if _, err := fmt.Fprintf(c, "auth %s %s\r\nping\r\nquit\r\n", d.name, d.secret); err != nil {
		return err
	}
	answers, err := io.ReadAll(c)
	if want := "+OK\r\n+PONG\r\n+OK\r\n"; err == nil && string(answers) != want {
		err = fmt.Errorf("it answers %q; want %q", answers, want)
	}
	return err
}

// Env is the environment of the server.
func (d *Database) Env() (env []string) {
	if d.needs.Postgres {
		env = append(env, "DATABASE_URL="+d.url(), fmt.Sprintf("DATABASE_CONNECTIONS=%d", Connections))
	}
	if d.needs.Redis {
		env = append(env, "REDIS_URL="+d.redisURL())
	}
	return env
}

func (d *Database) url() string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%[1]s?sslmode=disable", d.name, d.secret, d.services.port)
}

func (d *Database) redisURL() string {
	return fmt.Sprintf("redis://%s:%s@127.0.0.1:%d/0", d.name, d.secret, d.redisPort)
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
	if !d.needs.Postgres {
		return nil, nil
	}
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

// Remove removes the database with its role, and ends its Redis. Connections end.
func (d *Database) Remove(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	s := d.services
	if d.redis != nil {
		s.mu.Lock()
		s.redis = slices.DeleteFunc(s.redis, func(p *process.Process) bool { return p == d.redis })
		s.mu.Unlock()
		d.redis.Signal(syscall.SIGKILL) // on SIGTERM it would finish a script
		d.redis.Stop()
	}
	if !d.needs.Postgres {
		return nil
	}
	return s.run(limited, "drop database "+d.name+" with (force)", "drop role "+d.name)
}
