package services

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

func begin(t *testing.T) *Services {
	t.Helper()
	schema := filepath.Join(t.TempDir(), "schema.sql")
	testfile.Write(t, schema, "create table messages (id bigint); insert into messages values (1);")
	s, err := Start(t.Context(), Options{Needs: workload.Needs{Postgres: true, Redis: true}, SQL: []string{schema}, Logs: t.TempDir(), Ports: process.FreePort})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Each server has a copy of the template, and sees no other.
func TestDatabasesAreApart(t *testing.T) {
	s, ctx := begin(t), t.Context()
	var all []*Database
	for range 2 {
		d, err := s.Database(ctx)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	c, err := all[0].Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(ctx, "insert into messages values (2), (3)"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{3, 1} {
		if n, err := all[i].Messages(ctx); n != want || err != nil {
			t.Errorf("database %d: %d messages, %v; want %d", i, n, err, want)
		}
	}
	if n, err := all[0].Queries(ctx); n < 1 || err != nil {
		t.Errorf("%d queries, %v; want the insert at least", n, err)
	}
	// The backend of a closed connection ends a little later than the connection.
	if err := until(ctx, s.postgres, func() error {
		if pids, err := all[0].Backends(ctx); len(pids) != 1 || err != nil {
			return fmt.Errorf("backends %v, %v; want that of one connection", pids, err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if shared, err := s.Shared(ctx); err != nil || len(shared) < 4 ||
		!contains(shared, s.postgres.Pid, all[0].redis.Pid, all[1].redis.Pid) {
		t.Errorf("shared processes %v, %v", shared, err)
	}
	env := strings.Join(all[0].Env(), " ")
	for _, want := range []string{"DATABASE_URL=postgres://server_1:", "REDIS_URL=redis://server_1:"} {
		if !strings.Contains(env, want) {
			t.Errorf("%s; want %s", env, want)
		}
	}

	back, err := all[0].Away(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exec(ctx, "select 1"); err == nil {
		t.Error("an open connection survives while the database is away")
	}
	if _, err := all[0].Connect(ctx); err == nil {
		t.Error("a new connection is taken while the database is away")
	}
	if err := back(); err != nil {
		t.Fatal(err)
	}
	if n, err := all[0].Messages(ctx); n != 3 || err != nil {
		t.Errorf("with the database back: %d messages, %v", n, err)
	}
	if err := all[0].Remove(ctx); err != nil {
		t.Error(err)
	}
	if shared, err := s.Shared(ctx); err != nil || contains(shared, all[0].redis.Pid) ||
		!contains(shared, all[1].redis.Pid) {
		t.Errorf("shared processes without the first server: %v, %v", shared, err)
	}
}

func contains(pids []int, wanted ...int) bool {
	return !slices.ContainsFunc(wanted, func(pid int) bool { return !slices.Contains(pids, pid) })
}

// Checks that run side by side each ask for a database.
func TestDatabasesAreMadeSideBySide(t *testing.T) {
	s := begin(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := s.Database(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// Nothing is left: no process, and no file.
func TestStopLeavesNothing(t *testing.T) {
	s := begin(t)
	var all []*process.Process
	for range 2 {
		d, err := s.Database(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d.redis)
	}
	s.Stop()
	for _, p := range append(all, s.postgres) {
		select {
		case <-p.Done():
		default:
			t.Errorf("process %d runs", p.Pid)
		}
	}
	if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
		t.Errorf("%s: %v", s.dir, err)
	}
	(*Services)(nil).Stop()
}

func TestAMissingProgramIsNamed(t *testing.T) {
	old := debian
	t.Cleanup(func() { debian = old })
	t.Setenv("PATH", t.TempDir())
	debian = t.TempDir()
	_, err := Find(workload.Needs{Postgres: true, Redis: true})
	if want := "initdb, postgres, redis-server: not found; a server needs PostgreSQL or Redis"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
	if _, err := Start(context.Background(), Options{Needs: workload.Needs{Postgres: true, Redis: true}}); err == nil {
		t.Error("services start without programs")
	}
}

// An initdb that hangs cannot be interrupted, so it has a limit.
func TestAHangingInitdbIsEnded(t *testing.T) {
	dir, old := t.TempDir(), startLimit
	t.Cleanup(func() { startLimit = old })
	startLimit = time.Second
	if err := errors.Join(
		os.Chmod(filepath.Dir(dir), 0o755), // the user of PostgreSQL reads it
		os.WriteFile(filepath.Join(dir, "initdb"), []byte("#!/bin/sh\nexec sleep 20\n"), 0o755),
	); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	_, err := Start(t.Context(), Options{Needs: workload.Needs{Postgres: true, Redis: true}, Logs: t.TempDir(), Ports: process.FreePort})
	if want := "postgresql: initdb: not done after 1s"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
