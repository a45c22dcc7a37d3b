package services

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
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
		if c, err := pgx.ConnectConfig(ctx, config); err == nil {
			t.Errorf("a server may connect: %s", name)
			c.Close(ctx) // as above
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
		if _, err := c.Exec(ctx, sql); err == nil {
			t.Errorf("a server may %s", sql)
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

// The same for Redis.
func TestAServerStaysInItsRedis(t *testing.T) {
	s, ctx := begin(t), t.Context()
	_, _, of := two(t, s)
	own, theirs := redis.NewClient(of[0]), redis.NewClient(of[1])
	defer own.Close()    // the services end anyway
	defer theirs.Close() // as above
	if err := theirs.Set(ctx, "key", "theirs", 0).Err(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*redis.Options){
		"no name":                 func(o *redis.Options) { o.Username = "" },
		"no password":             func(o *redis.Options) { o.Username, o.Password = "", "" },
		"the neighbour's name":    func(o *redis.Options) { o.Username = of[1].Username },
		"the admin's name":        func(o *redis.Options) { o.Username = "admin" },
		"the neighbour's number":  func(o *redis.Options) { o.DB = of[1].DB },
		"the number of the admin": func(o *redis.Options) { o.Username, o.Password, o.DB = "default", "", 0 },
	} {
		options := *of[0]
		change(&options)
		c := redis.NewClient(&options)
		if err := c.Get(ctx, "key").Err(); err == nil || err == redis.Nil {
			t.Errorf("a server may connect with %s", name)
		}
		c.Close() // as above
	}
	number := fmt.Sprint(of[1].DB)
	for _, command := range []string{
		"flushall", "config get dir", "config set dir /tmp", "select " + number, "swapdb 1 2", "move key " + number,
		"copy key stolen db " + number, "monitor", "client list", "client kill type normal", "client pause 1000", "client unblock 1",
		"acl list", "acl setuser me on nopass", "debug sleep 0", "shutdown nosave", "save", "script flush", "function flush",
		"publish events x", "subscribe events", "psubscribe *", "pubsub channels", "eval redis.call('select'," + number + ") 0",
		"eval redis.call('flushall') 0", "replicaof no one", "module list", "migrate 127.0.0.1 1 key 1 1", "slowlog get",
	} {
		if err := say(ctx, own, command); err == nil {
			t.Errorf("a server may %s", command)
		}
	}
	if got, err := theirs.Get(ctx, "key").Result(); got != "theirs" || err != nil {
		t.Errorf("the neighbour's key: %q, %v", got, err)
	}
	for _, command := range []string{ // in its own
		"set key mine", "xadd events:1 maxlen ~ 10000 * event token", "expire events:1 60", "xrange events:1 - +", "xread streams events:1 0",
		"xread block 1 streams events:1 $", "eval return(redis.call('get',KEYS[1])) 1 key", "keys *", "scan 0", "incr n", "info server", "flushdb",
		"select " + fmt.Sprint(of[0].DB),
	} {
		if err := say(ctx, own, command); err != nil && err != redis.Nil {
			t.Errorf("a server may not %s: %v", command, err)
		}
	}
	if got, err := theirs.Get(ctx, "key").Result(); got != "theirs" || err != nil {
		t.Errorf("the neighbour's key: %q, %v", got, err)
	}
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
