// Package services starts what servers of some workloads need beside their upstream: a PostgreSQL that nobody else
// uses, and a Redis for each server. They listen on loopback only, on free ports. Their data is in memory where the
// machine has a tmpfs, and is removed at the end.
package services

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/workload"
)

// Connections is the size of a server's pool.
const Connections = 10

// startLimit is the time that each step of a service's start may take. Tests have less.
var startLimit = 30 * time.Second

// Options say how services start.
type Options struct {
	workload.Needs
	SQL   []string // files of SQL, for each database
	CPUs  string   // cores that they may use, in the form of process.Command
	Logs  string   // directory of their logs
	Ports func() (int, error)
}

// Services are a PostgreSQL that runs if some server needs one, and what each server has of its own.
type Services struct {
	options  Options
	programs Programs
	dir      string
	postgres *process.Process // nil without PostgreSQL, as admin
	port     int
	as       []string      // words before command lines
	secret   string        // password of the superuser
	admin    *pgxpool.Pool // with all rights
	made     atomic.Int64  // databases
	remove   func() error  // removes dir

	mu    sync.Mutex
	redis []*process.Process // one for each database that is there
}

// Start starts PostgreSQL if it is needed, and makes a template of the databases. The error is process.Unable if something
// is not installed.
func Start(ctx context.Context, o Options) (s *Services, err error) {
	programs, err := Find(o.Needs)
	if err != nil {
		return nil, process.Unable{Err: err}
	}
	if err := os.MkdirAll(o.Logs, 0o755); err != nil {
		return nil, process.Unable{Err: err}
	}
	dir, remove, err := files.MkdirTemp(memory(), "fairstream-services-")
	if err != nil {
		return nil, process.Unable{Err: err}
	}
	s = &Services{options: o, programs: programs, dir: dir, secret: rand.Text(), remove: remove}
	defer func() {
		if err != nil {
			s.Stop()
		}
	}()
	if s.as, err = unprivileged(s.dir); err != nil {
		return s, process.Unable{Err: err}
	}
	if !o.Postgres {
		return s, nil
	}
	if err := s.startPostgres(ctx); err != nil {
		return s, fmt.Errorf("postgresql: %w", err)
	}
	return s, nil
}

// For starts the services that servers of a workload need, and nothing if they need none. Loaded says whether databases have
// the rows of a load. Logs go to dir.
func For(ctx context.Context, root, dir string, w workload.Workload, needs workload.Needs, loaded bool, cpus string, ports func() (int, error)) (*Services, error) {
	if !needs.Any() {
		return nil, nil
	}
	o := Options{Needs: needs, CPUs: cpus, Logs: dir, Ports: ports}
	if w.Database {
		o.SQL = []string{filepath.Join(root, "servers", w.Name, "schema.sql")}
	}
	if w.Database && loaded {
		o.SQL = append(o.SQL, filepath.Join(root, "k6", w.Name, "seed.sql"))
	}
	return Start(ctx, o)
}

// Shared are the processes of the services without the backends of clients: those of PostgreSQL that serve all
// databases, and each Redis.
func (s *Services) Shared(ctx context.Context) (pids []int, err error) {
	if s.postgres != nil {
		rows, err := s.admin.Query(ctx, "select pid from pg_stat_activity where backend_type <> 'client backend'")
		if err != nil {
			return nil, err
		}
		if pids, err = pgx.CollectRows(rows, pgx.RowTo[int]); err != nil {
			return nil, err
		}
		pids = append(pids, s.postgres.Pid)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.redis {
		pids = append(pids, p.Pid)
	}
	return pids, nil
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

// settings are those of a database whose content nobody needs later. Memory that its processes share lies in its
// directory, and goes with it. Everything else is the default.
var settings = []string{
	"listen_addresses=127.0.0.1", "fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off",
	"max_connections=400", "shared_buffers=256MB", "shared_preload_libraries=pg_stat_statements", "dynamic_shared_memory_type=mmap",
}

// access lets the superuser in by the socket alone, whose directory is ours. A role of any other name reaches the
// database of its name, and no other.
const access = `local all      postgres              scram-sha-256
host  all      postgres all          reject
host  sameuser all      127.0.0.1/32 scram-sha-256
`

func (s *Services) startPostgres(ctx context.Context) (err error) {
	p, o := s.programs, s.options
	if s.port, err = o.Ports(); err != nil {
		return err
	}
	data, password := filepath.Join(s.dir, "data"), filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(s.secret), 0o600); err != nil {
		return err
	}
	if _, err := unprivileged(password); err != nil {
		return err
	}
	initdb := append(slices.Clone(s.as), p.Initdb, "-D", data, "-U", "postgres", "--auth=scram-sha-256",
		"--pwfile="+password, "--no-sync", "--no-instructions", "--encoding=UTF8", "--locale=C")
	// It shares memory while it works, and removes that at its end.
	c := process.Command{Args: initdb, Dir: s.dir, Bare: true, Finishes: true}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), startLimit)
	defer cancel()
	if _, err := process.Output(limited, c); err != nil {
		if limited.Err() != nil {
			err = fmt.Errorf("initdb: not done after %v", startLimit)
		}
		return err
	}
	rules := filepath.Join(data, "pg_hba.conf")
	if err := errors.Join(ctx.Err(), os.Remove(password), os.WriteFile(rules, []byte(access), 0o600)); err != nil {
		return err
	}
	run := append(slices.Clone(s.as), p.Postgres, "-D", data, "-k", s.dir, "-p", fmt.Sprint(s.port))
	for _, setting := range settings {
		run = append(run, "-c", setting)
	}
	if s.postgres, err = process.Start(process.Command{Args: run, Dir: s.dir, Bare: true, CPUs: o.CPUs}, filepath.Join(o.Logs, "postgresql.log")); err != nil {
		return err
	}
	if s.admin, err = pgxpool.New(ctx, s.adminURL("postgres")); err != nil {
		return err
	}
	if err := until(ctx, s.postgres, func() error {
		return s.admin.Ping(ctx)
	}); err != nil {
		return err
	}
	return s.template(ctx)
}

// template makes the database that others are copies of.
func (s *Services) template(ctx context.Context) error {
	d := s.database(0)
	create := "create database " + d.name + " owner " + d.name
	if err := s.run(ctx, "create extension pg_stat_statements", d.role(), create); err != nil {
		return err
	}
	c, err := d.Connect(ctx)
	if err != nil {
		return err
	}
	for _, file := range s.options.SQL {
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = c.Exec(ctx, string(text))
		}
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", file, err), c.Close(ctx))
		}
	}
	// A template can be copied while nobody is connected to it. Its role owns nothing but what is in it, so that another
	// role can take that over in a copy.
	return errors.Join(c.Close(ctx), s.run(ctx, "alter database "+d.name+" owner to postgres"))
}

// run runs statements with all rights.
func (s *Services) run(ctx context.Context, statements ...string) error {
	for _, sql := range statements {
		if _, err := s.admin.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

func (s *Services) adminURL(database string) string {
	return fmt.Sprintf("postgres://postgres:%s@/%s?host=%s&port=%d", s.secret, database, url.QueryEscape(s.dir), s.port)
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
	all := s.redis // nobody makes another now
	for _, p := range all {
		p.Signal(syscall.SIGKILL) // on SIGTERM it would finish a script
	}
	if s.postgres != nil {
		s.postgres.Signal(syscall.SIGINT) // on SIGTERM it would wait for its clients
		all = append(all, s.postgres)
	}
	process.StopAll(all)
	s.remove() // best effort: temporary files
}
