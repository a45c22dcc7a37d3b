// go-http: the standard library, with pgx and go-redis.
//
// Idiomatic here: a goroutine for each run, tool and agent, and the request's context ends all of them when the client
// leaves. threads.go has the threads, run.go a run, agent.go the loop of model and tools, follow.go the subscriptions.
//
// Settings that are not the default:
//   - Transport.MaxIdleConnsPerHost (default 2): all traffic goes to one host,
//     and beyond 2 every request would dial anew. https://pkg.go.dev/net/http#Transport
//   - Transport.IdleConnTimeout 90 s, as in http.DefaultTransport (default of a
//     new Transport: for ever). https://pkg.go.dev/net/http#DefaultTransport
//   - Server.ReadHeaderTimeout: net/http has no default and asks for one. https://pkg.go.dev/net/http#Server
//   - pgxpool's MinConns (default 0): connections are open before the first request.
//     https://pkg.go.dev/github.com/jackc/pgx/v5/pgxpool#Config
//   - go-redis's PoolSize (default 10 per core), of the connections that wait for events: each thread that is followed
//     has one. https://pkg.go.dev/github.com/redis/go-redis/v9#Options
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

// A server has what all requests share.
type server struct {
	model, tool string // URLs
	client      *http.Client
	db          *pgxpool.Pool
	locks       *locks
	redis       *redis.Client // for commands that answer at once
	events      *redis.Client // for commands that wait for events
	followed    followed
	stopping    chan struct{} // closed on SIGTERM
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	s, err := open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("POST /threads", s.create)
	mux.HandleFunc("GET /threads", s.list)
	mux.HandleFunc("GET /threads/{id}", s.read)
	mux.HandleFunc("PATCH /threads/{id}", s.rename)
	mux.HandleFunc("DELETE /threads/{id}", s.remove)
	mux.HandleFunc("GET /threads/{id}/messages", s.messages)
	mux.HandleFunc("POST /threads/{id}/messages", s.post)
	mux.HandleFunc("GET /threads/{id}/events", s.follow)
	listener := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	listener.RegisterOnShutdown(func() { close(s.stopping) }) // subscriptions have no end of their own

	finished := make(chan error)
	go func() {
		<-ctx.Done()
		finished <- listener.Shutdown(context.Background()) // waits for open runs
	}()
	if err := listener.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := <-finished; err != nil {
		log.Fatal(err)
	}
}

// open opens all connections that the server has between requests.
func open(ctx context.Context) (*server, error) {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(cmp.Or(os.Getenv("DATABASE_CONNECTIONS"), "10"))
	if err != nil {
		return nil, err
	}
	config.MinConns, config.MaxConns = int32(n), int32(n)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	var all []*pgxpool.Conn
	for range n { // the pool opens them one by one, in the background
		c, err := pool.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	for _, c := range all {
		c.Release()
	}
	locks := &locks{config: config.ConnConfig.Copy(), held: map[int64]bool{}}
	if err := locks.open(ctx); err != nil {
		return nil, err
	}
	options, err := redis.ParseURL(os.Getenv("REDIS_URL"))
	if err != nil {
		return nil, err
	}
	waiting := *options
	waiting.PoolSize = 4096 // a connection for each thread that is followed
	stub := os.Getenv("STUB_URL")
	return &server{
		model: stub + "/v1/chat/completions", tool: stub + "/tools/lookup",
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024, IdleConnTimeout: 90 * time.Second}},
		db:     pool, locks: locks,
		redis: redis.NewClient(options), events: redis.NewClient(&waiting), followed: followed{threads: map[int64]*feed{}},
		stopping: make(chan struct{}),
	}, nil
}

// answer writes a JSON value.
func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value) // the client may have left
}

func fail(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]string{"error": message})
}
