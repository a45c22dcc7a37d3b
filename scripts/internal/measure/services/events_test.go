package services

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/process/processtest"
	"fairstream/scripts/internal/workload"
)

// BenchmarkEvents compares two ways to bring events of a run to other processes: a stream of Redis, and NOTIFY with a row for
// each event, since its text may be longer than 8,000 bytes. One publishes and one follows. The ways take turns. It reports
// the CPU time of the service for an event, and the time until the event arrives.
func BenchmarkEvents(b *testing.B) {
	s, err := Start(b.Context(), Options{Needs: workload.Needs{Postgres: true, Redis: true}, Logs: b.TempDir(), Ports: process.FreePort})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Stop()
	d, err := s.Database(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	inRedis, err := redisEvents(b.Context(), d)
	if err != nil {
		b.Fatal(err)
	}
	defer inRedis.close()
	inPostgres, err := postgresEvents(b.Context(), d)
	if err != nil {
		b.Fatal(err)
	}
	defer inPostgres.close()
	shared, err := s.Shared(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	backends, err := d.Backends(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	postgres := slices.DeleteFunc(append(shared, backends...), func(pid int) bool { return pid == d.redis.Pid })
	ways := []*way{{name: "redis", events: inRedis, pids: []int{d.redis.Pid}}, {name: "notify", events: inPostgres, pids: postgres}}
	for _, w := range ways {
		w.cpu -= processtest.CPUTime(b, w.pids...)
	}
	for n := 0; b.Loop(); n++ {
		for _, w := range ways {
			began := time.Now()
			if err := w.publish(fmt.Sprintf(`{"text":"%d"}`, n)); err != nil {
				b.Fatal(err)
			}
			if err := w.next(); err != nil {
				b.Fatal(err)
			}
			w.took += time.Since(began)
		}
	}
	for _, w := range ways {
		w.cpu += processtest.CPUTime(b, w.pids...)
		b.ReportMetric(float64(w.cpu.Microseconds())/float64(b.N), w.name+"-us-CPU/event")
		b.ReportMetric(float64(w.took.Microseconds())/float64(b.N), w.name+"-us/event")
	}
	b.ReportMetric(float64(ways[1].cpu)/float64(ways[0].cpu), "notify/redis-CPU")
	b.ReportMetric(float64(ways[1].took)/float64(ways[0].took), "notify/redis-time")
}

// A way to bring events to other processes, and what it took.
type way struct {
	name string
	events
	pids      []int
	cpu, took time.Duration
}

// events are published and read on two connections.
type events struct {
	publish func(text string) error
	next    func() error
	close   func()
}

func redisEvents(ctx context.Context, d *Database) (e events, err error) {
	options, err := redis.ParseURL(d.redisURL())
	if err != nil {
		return e, err
	}
	writer, reader, last := redis.NewClient(options), redis.NewClient(options), "0"
	return events{
		func(text string) error {
			return writer.XAdd(ctx, &redis.XAddArgs{Stream: "events:1", Values: []any{"event", "token", "data", text}}).Err()
		},
		func() error {
			all, err := reader.XRead(ctx, &redis.XReadArgs{Streams: []string{"events:1", last}, Block: time.Minute}).Result()
			if err == nil {
				last = all[0].Messages[len(all[0].Messages)-1].ID
			}
			return err
		},
		func() { writer.Close(); reader.Close() }, // the process ends anyway
	}, nil
}

func postgresEvents(ctx context.Context, d *Database) (e events, err error) {
	writer, err := d.Connect(ctx)
	if err != nil {
		return e, err
	}
	reader, err := d.Connect(ctx)
	if err != nil {
		return e, err
	}
	if _, err := writer.Exec(ctx, "create table events (id bigint generated always as identity primary key, thread_id bigint not null, text text not null)"); err != nil {
		return e, err
	}
	if _, err := reader.Exec(ctx, "listen events"); err != nil {
		return e, err
	}
	return events{
		func(text string) error {
			_, err := writer.Exec(ctx, "with e as (insert into events (thread_id, text) values (1, $1) returning id) select pg_notify('events', id::text) from e", text)
			return err
		},
		func() error {
			n, err := reader.WaitForNotification(ctx)
			if err != nil {
				return err
			}
			rows, err := reader.Query(ctx, "select text from events where id = $1::text::bigint", n.Payload)
			if err != nil {
				return err
			}
			_, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[string])
			return err
		},
		func() { writer.Close(ctx); reader.Close(ctx) }, // the process ends anyway
	}, nil
}
