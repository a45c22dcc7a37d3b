package http

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/workload"
)

// The servers of the test are this program. Each has one fault and fails exactly its own checks.
var faults = map[string]struct {
	change func(*answering)
	fails  string // names of checks
	says   string // in the evidence of the first
}{
	"right":            {func(*answering) {}, "", ""},
	"exits":            {func(*answering) { os.Exit(3) }, "ready", "exited with status 3"},
	"another-status":   {func(s *answering) { s.status = 202 }, "answers", "POST /items: status 202"},
	"another-text":     {func(s *answering) { s.hello = "hello" }, "answers", `hello (GET /hello/1): the body has 5 bytes and differs at byte 5: ""; want 7 bytes with " 1" there`},
	"no-header":        {func(s *answering) { s.header = false }, "answers", "header X-Kind is missing"},
	"forgets":          {func(s *answering) { s.wrongFrom = 15 }, "in-a-row keep-alive", "request 15 in a row"},
	"closes":           {func(s *answering) { s.keeps = false }, "keep-alive", "20 requests took 20 connections; want 1"},
	"fifty-at-most":    {func(s *answering) { s.most = 50 }, "at-once", "of 100 at once: "},
	"leaves-a-lock":    {func(s *answering) { s.lock = true }, "restart", "is locked"},
	"keeps-its-data":   {func(s *answering) { s.keepsData = true }, "restart", `"before" in server.json can prepare the data of each start`},
	"ignores-sigterm":  {func(s *answering) { s.stays = true }, "sigterm", "still running 10s after SIGTERM"},
	"ends-by-its-self": {func(s *answering) { s.exit = 7 }, "", ""}, // any status will do
}

// An answering server answers the requests of declared.
type answering struct {
	hello                                 string
	header, keeps, lock, keepsData, stays bool
	status, wrongFrom, most, exit         int
	open                                  atomic.Int64
}

const declared = `{
	"requests": [
		{"name": "hello", "path": "/hello/{id}", "weight": 20, "values": {"id": {"pick": [1, 2]}},
			"answer": {"headers": {"X-Kind": "test"}, "text": "hello {id}"}},
		{"method": "POST", "path": "/items", "json": {"id": 1}, "answer": {"status": 201, "json": {"id": 1}}}
	],
	"ready": "/ready",
	"before": ["sh", "-c", "echo $KIND >prepared-$PORT"], "env": {"KIND": "test"}
}`

func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		if fault, ok := faults[os.Args[1]]; ok {
			s := &answering{hello: "hello %s", header: true, keeps: true, status: 201}
			fault.change(s)
			s.serve()
		}
	}
	os.Exit(m.Run())
}

type connection struct{}

// serve ends the process.
func (s *answering) serve() {
	fail := func(err any) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	port := os.Getenv("PORT")
	kind, err := os.ReadFile("prepared-" + port)
	if err != nil {
		fail(err)
	}
	if err := os.Remove("prepared-" + port); err != nil {
		fail(err)
	}
	if _, err := os.OpenFile("lock-"+port, os.O_CREATE|os.O_EXCL, 0o600); err != nil && s.lock {
		fail(port + " is locked")
	}
	_, had := os.Stat("items-" + port)
	ln, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fail(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		<-stop
		if !s.stays {
			os.Exit(s.exit)
		}
	}()
	h := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := r.Context().Value(connection{}).(*atomic.Int64).Add(1)
			id := strings.TrimPrefix(r.URL.Path, "/hello/")
			if s.header {
				w.Header().Set("X-Kind", strings.TrimSpace(string(kind)))
			}
			switch {
			case s.most > 0 && s.open.Load() > int64(s.most):
				w.WriteHeader(503)
			case r.URL.Path == "/ready":
			case r.Method == "POST":
				body, err := io.ReadAll(r.Body)
				if err != nil || r.Header.Get("Content-Type") != "application/json" {
					w.WriteHeader(400)
					return
				}
				if s.keepsData && had == nil {
					w.WriteHeader(409) // an earlier process made such an item
					return
				}
				if err := os.WriteFile("items-"+port, body, 0o600); err != nil {
					fail(err)
				}
				w.WriteHeader(s.status)
				fmt.Fprintf(w, `{"item": %s, "id": 1}`, body) // the client sees a fault, as below
			case s.wrongFrom > 0 && n >= int64(s.wrongFrom):
				fmt.Fprint(w, "hello ?") // as above
			default:
				fmt.Fprint(w, strings.Replace(s.hello, "%s", id, 1)) // as above
			}
		}),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, connection{}, new(atomic.Int64))
		},
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				s.open.Add(1)
			case http.StateClosed:
				s.open.Add(-1)
			}
		},
	}
	h.SetKeepAlivesEnabled(s.keeps)
	fail(h.Serve(ln))
}

func TestEachWrongServerFailsItsOwnChecksAndNoOther(t *testing.T) {
	var k server.Keys
	if err := json.Unmarshal([]byte(declared), &k); err != nil {
		t.Fatal(err)
	}
	d, err := server.ParseDeclaration(k)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(workload.All, func(w workload.Workload) bool { return w.Declares })
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := server.Server{Workload: workload.All[i].Name, Name: name, Dir: dir, Run: []string{os.Args[0], name}, Declared: &d}
			checks := Checks
			if fault.fails == "sigterm" { // each end of it takes 10 s
				checks = checks[len(checks)-1:]
			}
			results, err := verify.Server(t.Context(), dir, filepath.Join(dir, "logs"), s, checks, process.FreePort, func(verify.Result) {})
			if err != nil {
				t.Fatal(err)
			}
			var failed []string
			evidence := ""
			for _, r := range results {
				if !r.Pass {
					failed = append(failed, r.Check)
					if evidence == "" {
						evidence = r.Evidence
					}
				}
			}
			if got := strings.Join(failed, " "); got != fault.fails || !strings.Contains(evidence, fault.says) {
				t.Errorf("fails %q: %s\nwant %q: %s", got, evidence, fault.fails, fault.says)
			}
			if stops := fault.fails == "ready" || fault.fails == "answers"; stops == (len(results) == len(checks)) {
				t.Errorf("%d results of %d checks", len(results), len(checks))
			}
		})
	}
}

func TestEveryCheckIsFailedByAServer(t *testing.T) {
	for _, c := range Checks {
		found := false
		for _, fault := range faults {
			found = found || slices.Contains(strings.Fields(fault.fails), c.Name)
		}
		if !found {
			t.Errorf("no wrong server fails %s", c.Name)
		}
	}
}
