package services

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/redis/go-redis/v9"
)

// two makes the databases of a server and of its neighbour, and returns what the environment tells them.
func two(t *testing.T, s *Services) (all [2]*Database, postgres [2]*pgx.ConnConfig, events [2]*redis.Options) {
	t.Helper()
	for i := range all {
		d, err := s.Database(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all[i] = d
		for _, entry := range d.Env() {
			if url, ok := strings.CutPrefix(entry, "DATABASE_URL="); ok {
				postgres[i], err = pgx.ParseConfig(url)
			} else if url, ok := strings.CutPrefix(entry, "REDIS_URL="); ok {
				events[i], err = redis.ParseURL(url)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return all, postgres, events
}

// A server that tries all with what it was given reaches neither the database of its neighbour nor the machine.
func TestAServerStaysInItsDatabase(t *testing.T) {
	s, ctx := begin(t), t.Context()
	_, of, _ := two(t, s)
	own, theirs := of[0], of[1]
	neighbour, err := pgx.ConnectConfig(ctx, theirs)
	if err != nil {
		t.Fatal(err)
	}
	defer neighbour.Close(ctx) // the services end anyway
	for name, change := range map[string]func(*pgx.ConnConfig){
		"the neighbour's database":            func(c *pgx.ConnConfig) { c.Database = theirs.Database },
		"the neighbour's database, as it":     func(c *pgx.ConnConfig) { c.Database, c.User = theirs.Database, theirs.User },
		"the database postgres":               func(c *pgx.ConnConfig) { c.Database = "postgres" },
		"a template":                          func(c *pgx.ConnConfig) { c.Database = "template1" },
		"the template of servers":             func(c *pgx.ConnConfig) { c.Database = "server_0" },
		"the superuser":                       func(c *pgx.ConnConfig) { c.User = "postgres" },
		"the superuser, its database":         func(c *pgx.ConnConfig) { c.User, c.Database = "postgres", "postgres" },
		"the superuser, the socket":           func(c *pgx.ConnConfig) { c.User, c.Host = "postgres", s.dir },
		"the superuser, socket, no password":  func(c *pgx.ConnConfig) { c.User, c.Host, c.Password = "postgres", s.dir, "" },
		"the socket":                          func(c *pgx.ConnConfig) { c.Host = s.dir },
		"no password":                         func(c *pgx.ConnConfig) { c.Password = "" },
		"the neighbour's database, by socket": func(c *pgx.ConnConfig) { c.Host, c.Database = s.dir, theirs.Database },
	} {
		config := own.Copy()
		config.Fallbacks = nil
		change(config)
		c, err := pgx.ConnectConfig(ctx, config)
		if err == nil {
			c.Close(ctx) // as above
		}
		if got := sqlState(err); got != "28000" && got != "28P01" {
			t.Errorf("a server connects: %s: %v; want a refusal", name, err)
		}
	}

	c, err := pgx.ConnectConfig(ctx, own)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx) // as above
	for _, sql := range []string{
		"copy messages from program 'echo 1'", "copy messages to '/tmp/out'", "select pg_read_file('PG_VERSION')",
		"alter system set fsync = on", "select pg_reload_conf()", "checkpoint", "create role r superuser", "create database d",
		"set session authorization postgres", "set role postgres", "set role " + theirs.User, "set role server_0",
		"grant " + theirs.User + " to " + own.User, "alter role " + theirs.User + " password 'x'",
		"alter role " + own.User + " superuser",
		"drop database " + theirs.Database, "alter database " + theirs.Database + " connection limit 0", "drop database server_0",
		"create extension dblink", "create extension file_fdw", "create extension pg_stat_statements",
		fmt.Sprintf("select 1 / pg_terminate_backend(%d)::int", neighbour.PgConn().PID()),
	} {
		if _, err := c.Exec(ctx, sql); sqlState(err) != "42501" {
			t.Errorf("a server sends %s: %v; want insufficient_privilege", sql, err)
		}
	}
	for _, sql := range []string{ // of its own
		"alter table messages add column more text", "create index on messages (id)",
		"create table more (id bigint)", "drop table more",
		"truncate messages", "create schema mine", "vacuum messages", "analyze", "drop table messages",
	} {
		if _, err := c.Exec(ctx, sql); err != nil {
			t.Errorf("a server may not %s: %v", sql, err)
		}
	}
	if err := neighbour.Ping(ctx); err != nil {
		t.Errorf("the neighbour's connection: %v", err)
	}
}

// sqlState is the code of an error of PostgreSQL, such as 28000 invalid_authorization_specification, 28P01
// invalid_password and 42501 insufficient_privilege; "" of another error.
func sqlState(err error) string {
	if of, ok := errors.AsType[*pgconn.PgError](err); ok {
		return of.Code
	}
	return ""
}

// The same for Redis, where each connection begins in database 0. Each server has a Redis of its own, since the rights
// of a user of Redis hold in all databases.
func TestAServerStaysInItsRedis(t *testing.T) {
	s, ctx := begin(t), t.Context()
	_, _, of := two(t, s)
	own, theirs := redis.NewClient(of[0]), redis.NewClient(of[1])
	defer own.Close()    // the services end anyway
	defer theirs.Close() // as above
	if err := theirs.Set(ctx, "key", "theirs", 0).Err(); err != nil {
		t.Fatal(err)
	}
	for i := range of { // a client that sends no SELECT
		options := *of[i]
		options.DB = 0
		c := redis.NewClient(&options)
		if n, err := c.Incr(ctx, "starts").Result(); n != 1 || err != nil {
			t.Errorf("database 0 of server %d: %d starts, %v; want its own alone", i+1, n, err)
		}
		c.Close() // as above
	}
	for name, change := range map[string]func(*redis.Options){
		"its own name":         func(*redis.Options) {},
		"the neighbour's name": func(o *redis.Options) { o.Username = of[1].Username },
		"no name":              func(o *redis.Options) { o.Username = "" },
		"no password":          func(o *redis.Options) { o.Username, o.Password = "", "" },
		"the default user":     func(o *redis.Options) { o.Username, o.Password = "default", "" },
	} {
		options := *of[0]
		options.Addr = of[1].Addr
		change(&options)
		c := redis.NewClient(&options)
		if err := c.Get(ctx, "key").Err(); !refused(err, "WRONGPASS", "NOAUTH") {
			t.Errorf("a server connects to the neighbour's with %s: %v; want a refusal", name, err)
		}
		c.Close() // as above
	}
	for _, command := range []string{
		"config get dir", "config set dir /tmp", "save", "bgsave", "debug sleep 0", "module list", "monitor",
		"shutdown nosave", "acl list", "acl setuser me on nopass", "replicaof 127.0.0.1 1", "migrate 127.0.0.1 1 key 0 1",
		"eval redis.call('lastsave') 0",
	} {
		if err := say(ctx, own, command); !refused(err, "NOPERM", "ERR DEBUG command not allowed",
			"ERR ACL failure in script", "ERR The user executing the script") { // in the words of two versions
			t.Errorf("a server sends %s: %v; want a refusal", command, err)
		}
	}
	for _, command := range []string{ // in its own
		"set key mine", "xadd events:1 maxlen ~ 10000 * event token", "expire events:1 60", "xrange events:1 - +", "xread streams events:1 0",
		"xread block 1 streams events:1 $", "eval return(redis.call('get',KEYS[1])) 1 key", "keys *", "scan 0", "incr n", "info server", "flushdb",
		"select 0", "publish events x",
	} {
		if err := say(ctx, own, command); err != nil && err != redis.Nil {
			t.Errorf("a server may not %s: %v", command, err)
		}
	}
	if got, err := theirs.Get(ctx, "key").Result(); got != "theirs" || err != nil {
		t.Errorf("the neighbour's key: %q, %v", got, err)
	}
}

// A script that never ends keeps Redis from its own server alone, and keeps nobody from removing the database.
func TestAStalledRedisStallsNobodyElse(t *testing.T) {
	s, ctx := begin(t), t.Context()
	all, _, of := two(t, s)
	own, theirs := redis.NewClient(of[0]), redis.NewClient(of[1])
	defer own.Close()    // the services end anyway
	defer theirs.Close() // as above
	stalled := make(chan error, 1)
	go func() { stalled <- own.Eval(ctx, "redis.call('set','k','v') while true do end", nil).Err() }()
	time.Sleep(time.Second)
	began := time.Now()
	if err := theirs.Ping(ctx).Err(); err != nil {
		t.Errorf("the neighbour: %v", err)
	}
	if err := all[0].Remove(ctx); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the neighbour and the removal take %v", took)
	}
	if err := <-stalled; err == nil {
		t.Error("a script without an end ended")
	}
}

// refused reports whether Redis answered with one of these refusals.
func refused(err error, beginnings ...string) bool {
	return err != nil && slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(err.Error(), b) })
}

func say(ctx context.Context, c *redis.Client, command string) error {
	var args []any
	for _, word := range strings.Fields(command) {
		args = append(args, word)
	}
	return c.Do(ctx, args...).Err()
}

// Neither service has the rights of root, and neither writes outside of its directory: memory that programs share
// would outlive a kill.
func TestServicesHaveFewRights(t *testing.T) {
	s := begin(t)
	shared, err := s.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range shared {
		info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
		if err != nil {
			continue // it has ended
		}
		if uid := info.Sys().(*syscall.Stat_t).Uid; uid == 0 {
			t.Errorf("process %d is root's", pid)
		}
		maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid)) // it may have ended
		for line := range strings.Lines(string(maps)) {
			if at := strings.Index(line, "/dev/shm/"); at >= 0 && !strings.HasPrefix(line[at:], s.dir) {
				t.Errorf("process %d: %s", pid, line)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "password")); !os.IsNotExist(err) {
		t.Errorf("the superuser's password lies in a file: %v", err)
	}
}
