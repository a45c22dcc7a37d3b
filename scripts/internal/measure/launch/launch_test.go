package launch

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// declaring is a server that declares its requests.
func declaring(t *testing.T, keys string, run ...string) server.Server {
	t.Helper()
	var k server.Keys
	if err := json.Unmarshal([]byte(keys), &k); err != nil {
		t.Fatal(err)
	}
	d, err := server.ParseDeclaration(k)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(workload.All, func(w workload.Workload) bool { return w.Declares })
	return server.Server{Workload: workload.All[i].Name, Name: "mine", Dir: t.TempDir(), Run: run, Declared: &d}
}

func TestACommandHasThePortAndItsVariables(t *testing.T) {
	s := declaring(t, `{"requests": [{"path": "/"}], "env": {"B": "$PORT", "A": "1"}}`, "serve", "--listen=:$PORT")
	c := command(s, 1234, "", nil)
	if !slices.Equal(c.Args, []string{"serve", "--listen=:1234"}) || !slices.Equal(c.Env, []string{"HOST=127.0.0.1", "PORT=1234", "A=1", "B=$PORT"}) || c.Dir != s.Dir || !c.Bare {
		t.Errorf("%q with %q in %s", c.Args, c.Env, c.Dir)
	}
	if c := command(declaring(t, `{"requests": [{"path": "/"}]}`, "serve", "$HOST:$PORT"), 1234, "", []string{"HOST=10.0.0.1"}); c.Args[1] != "10.0.0.1:1234" {
		t.Errorf("%q", c.Args)
	}
	relay := server.Server{Workload: "relay", Run: []string{"serve", "$PORT"}}
	if c := command(relay, 1234, "http://x", nil); c.Args[1] != "$PORT" || !slices.Equal(c.Env, []string{"HOST=127.0.0.1", "PORT=1234", "STUB_URL=http://x/v1"}) {
		t.Errorf("%q with %q", c.Args, c.Env)
	}
	if ReadyLimit(s) != 30*time.Second || ReadyLimit(relay) != 5*time.Second {
		t.Error(ReadyLimit(s), ReadyLimit(relay))
	}
}

func TestBeforePreparesData(t *testing.T) {
	preparing := func(script string) string {
		text, err := json.Marshal([]string{"sh", "-c", script})
		if err != nil {
			t.Fatal(err)
		}
		return `{"requests": [{"path": "/"}], "env": {"NAME": "ann"}, "before": ` + string(text) + `}`
	}
	s := declaring(t, preparing(`echo "$NAME $PORT" >data`))
	if err := before(t.Context(), s, 1234, "", nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(s.Dir, "data")); err != nil || string(text) != "ann 1234\n" {
		t.Errorf("%q, %v", text, err)
	}
	err := before(t.Context(), declaring(t, preparing(`echo no disk; exit 3`)), 1, "", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "before: sh: exited with status 3") || !strings.Contains(err.Error(), "no disk") || !strings.Contains(err.Error(), "in server.json") {
		t.Errorf("%v", err)
	}
	was := mostBefore
	mostBefore = 50 * time.Millisecond
	defer func() { mostBefore = was }()
	if err := before(t.Context(), declaring(t, preparing(`sleep 60`)), 1, "", nil); err == nil || !strings.Contains(err.Error(), "before: not ended after 50ms") {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := before(ended, declaring(t, preparing(`sleep 60`)), 1, "", nil); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// A server is ready when it answers as it says, here a redirect to somebody with a key.
func TestReadyIsWhatTheServerSays(t *testing.T) {
	script := `import http.server, os
class H(http.server.BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_GET(self):
        self.send_response(302 if self.headers.get("Key") == "k" and self.path == "/a" else 401)
        self.send_header("Location", "/nowhere")
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), H).serve_forever()`
	s := declaring(t, `{"requests": [{"path": "/a", "headers": {"Key": "k"}, "answer": {"status": 302}}]}`, "python3", "-c", script)
	start := func(s server.Server, limit time.Duration) error {
		port, err := process.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		p, err := process.Start(command(s, port, "", nil), filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Stop()
		return WaitReady(t.Context(), p, s, "", port, limit)
	}
	if err := start(s, ReadyLimit(s)); err != nil {
		t.Error(err)
	}
	s.Declared.Ready.Headers = nil
	if err := start(s, 2*time.Second); err == nil || !strings.Contains(err.Error(), "401 Unauthorized; want 302") {
		t.Error(err)
	}
}
