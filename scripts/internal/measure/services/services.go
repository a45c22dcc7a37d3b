// Package services starts what servers of some workloads need beside their upstream: a PostgreSQL and a Redis that nobody
// else uses. They listen on loopback only, on free ports. Their data is in memory where the machine has a tmpfs, and
// is removed at the end.
package services

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/workload"
)

// Connections is the size of a server's pool.
const Connections = 10

// mostRedis is the number of databases of one Redis.
const mostRedis = 1000

// startLimit is the time that each service may take to start.
const startLimit = 30 * time.Second

// Options say how services start.
type Options struct {
	SQL   []string // files of SQL, for each database
	CPUs  string   // cores that they may use, in the form of process.Command
	Logs  string   // directory of their logs
	Ports func() (int, error)
}

// Services are a PostgreSQL and a Redis that run.
type Services struct {
	dir             string
	postgres, redis *process.Process
	port, redisPort int
	secret          string        // password of everybody
	admin           *pgxpool.Pool // with all rights
	made            atomic.Int64  // databases
}

// Start starts the services, and makes a template of the databases. The error is process.Unable if something is not
// installed.
func Start(ctx context.Context, o Options) (s *Services, err error) {
	programs, err := Find()
	if err != nil {
		return nil, process.Unable{Err: err}
	}
	if err := os.MkdirAll(o.Logs, 0o755); err != nil {
		return nil, process.Unable{Err: err}
	}
	dir, err := os.MkdirTemp(memory(), "fairstream-services-")
	if err != nil {
		return nil, process.Unable{Err: err}
	}
	s = &Services{dir: dir, secret: rand.Text()}
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	if err := s.startRedis(ctx, programs, o); err != nil {
		return s, fmt.Errorf("redis: %w", err)
	}
	if err := s.startPostgres(ctx, programs, o); err != nil {
		return s, fmt.Errorf("postgresql: %w", err)
	}
	return s, nil
}

// For starts the services of a workload, and nothing for one that needs none. Loaded says whether databases have the rows of a
// load. Logs go to dir.
func For(ctx context.Context, root, dir string, w workload.Workload, loaded bool, cpus string, ports func() (int, error)) (*Services, error) {
	if !w.Database {
		return nil, nil
	}
	o := Options{SQL: []string{filepath.Join(root, "servers", w.Name, "schema.sql")}, CPUs: cpus, Logs: dir, Ports: ports}
	if loaded {
		o.SQL = append(o.SQL, filepath.Join(root, "k6", w.Name, "seed.sql"))
	}
	return Start(ctx, o)
}

// Shared are the processes that serve all databases: Redis, and those of PostgreSQL without the backends of clients.
func (s *Services) Shared(ctx context.Context) ([]int, error) {
	rows, err := s.admin.Query(ctx, "select pid from pg_stat_activity where backend_type <> 'client backend'")
	if err != nil {
		return nil, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	return append(pids, s.redis.Pid, s.postgres.Pid), err
}

// memory is a directory in memory, or "" for the usual place of temporary files.
func memory() string {
	const shm = "/dev/shm"
	var fs syscall.Statfs_t
	if err := syscall.Statfs(shm, &fs); err == nil && fs.Bavail*uint64(fs.Bsize) > 1<<30 {
		return shm
	}
	return ""
}

func (s *Services) startRedis(ctx context.Context, p Programs, o Options) (err error) {
	if s.redisPort, err = o.Ports(); err != nil {
		return err
	}
	config := fmt.Sprintf("bind 127.0.0.1\nport %d\nrequirepass %s\ndatabases %d\nsave \"\"\nappendonly no\n", s.redisPort, s.secret, mostRedis)
	s.redis, err = process.Start(process.Command{Args: []string{p.Redis, "-"}, Dir: s.dir, Stdin: strings.NewReader(config), Bare: true, CPUs: o.CPUs}, filepath.Join(o.Logs, "redis.log"))
	if err != nil {
		return err
	}
	return until(ctx, s.redis, func() error {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.redisPort))
		if err == nil {
			c.Close()
		}
		return err
	})
}

// settings are those of a database whose content nobody needs later. Everything else is the default.
var settings = []string{
	"listen_addresses=127.0.0.1", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
	"max_connections=400", "shared_buffers=256MB", "shared_preload_libraries=pg_stat_statements",
}

func (s *Services) startPostgres(ctx context.Context, p Programs, o Options) (err error) {
	if s.port, err = o.Ports(); err != nil {
		return err
	}
	data, password := filepath.Join(s.dir, "data"), filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(s.secret), 0o600); err != nil {
		return err
	}
	as, err := unprivileged(s.dir, password)
	if err != nil {
		return err
	}
	initdb := append(as, p.Initdb, "-D", data, "-U", "postgres", "--auth=scram-sha-256", "--pwfile="+password, "--no-sync", "--no-instructions", "--encoding=UTF8", "--locale=C")
	if _, err := process.Output(ctx, process.Command{Args: initdb, Dir: s.dir, Bare: true}); err != nil {
		return err
	}
	run := append(as, p.Postgres, "-D", data, "-k", s.dir, "-p", fmt.Sprint(s.port))
	for _, setting := range settings {
		run = append(run, "-c", setting)
	}
	if s.postgres, err = process.Start(process.Command{Args: run, Dir: s.dir, Bare: true, CPUs: o.CPUs}, filepath.Join(o.Logs, "postgresql.log")); err != nil {
		return err
	}
	if s.admin, err = pgxpool.New(ctx, s.url("postgres", "postgres")); err != nil {
		return err
	}
	if err := until(ctx, s.postgres, func() error {
		return s.admin.Ping(ctx)
	}); err != nil {
		return err
	}
	return s.template(ctx, o)
}

// template makes the database that others are copies of.
func (s *Services) template(ctx context.Context, o Options) error {
	for _, sql := range []string{"create extension pg_stat_statements", "create role server login password '" + s.secret + "'", "create database template_server owner server"} {
		if _, err := s.admin.Exec(ctx, sql); err != nil {
			return err
		}
	}
	// A template can be copied while nobody is connected to it.
	c, err := pgx.Connect(ctx, s.url("server", "template_server"))
	if err != nil {
		return err
	}
	for _, file := range o.SQL {
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = c.Exec(ctx, string(text))
		}
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", file, err), c.Close(ctx))
		}
	}
	return c.Close(ctx)
}

func (s *Services) url(user, database string) string {
	return fmt.Sprintf("postgres://%s:%s@127.0.0.1:%d/%s?sslmode=disable", user, s.secret, s.port, database)
}

// until tries until it succeeds, the program ends, or the time is over.
func until(ctx context.Context, p *process.Process, try func() error) error {
	deadline := time.Now().Add(startLimit)
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-p.Done():
			return p.Gone()
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("not ready after %v: %w", startLimit, err)
		}
	}
}

// Stop ends the services and removes their data. It does nothing for nil.
func (s *Services) Stop() {
	if s == nil {
		return
	}
	if s.admin != nil {
		s.admin.Close()
	}
	var all []*process.Process
	if s.postgres != nil {
		s.postgres.Signal(syscall.SIGINT) // on SIGTERM it would wait for its clients
		all = append(all, s.postgres)
	}
	if s.redis != nil {
		all = append(all, s.redis)
	}
	process.StopAll(all)
	os.RemoveAll(s.dir) // best effort: temporary files
}
