package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// programs are the injected servers, which are built once.
var programs = map[string]func() (server.Server, error){}

func init() {
	for _, name := range Servers {
		programs[name] = sync.OnceValues(func() (server.Server, error) { return copied(name) })
	}
}

func copied(name string) (s server.Server, err error) {
	tmp, err := os.MkdirTemp("", "fairstream-inject-")
	if err != nil {
		return s, err
	}
	temporary = append(temporary, tmp)
	from, dir := filepath.Join("../../../../servers", name), filepath.Join(tmp, filepath.Base(name))
	if _, err := os.Stat(filepath.Join(from, "target")); err == nil { // so that only the server is compiled
		if err := errors.Join(os.Mkdir(dir, 0o755), copyAll(filepath.Join(from, "target"), dir)); err != nil {
			return s, err
		}
	}
	if s, err = Inject(context.Background(), from, dir, prove.Flags{Work: 7, TTFTUS: 1.5, TTFTShare: 0.2}); err != nil {
		return s, err
	}
	if args := strings.Join(s.Run, " "); !strings.HasSuffix(args, " -work 7 -ttft-us 1.5 -ttft-share 0.2") {
		return s, fmt.Errorf("run is %q; want the flags at the end", args)
	}
	_, err = process.Output(context.Background(), process.Command{Args: s.Build, Dir: dir})
	return s, err
}

// copyAll copies a directory with its times, by which cargo knows what to build.
func copyAll(from, to string) error {
	out, err := exec.Command("cp", "-a", from, to).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// temporary lists the directories of programs.
var temporary []string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, dir := range temporary {
		os.RemoveAll(dir) // best effort
	}
	os.Exit(code)
}

const events = 8 // of the upstream's answers

// An injected server that runs, with an upstream of the test.
type injected struct {
	*process.Process
	url, log string
	seen     chan bool       // gets a value for each event at the client; the upstream waits for it, unless it is nil
	message  string          // of the next stream
	crowd    *sync.WaitGroup // of streams that begin before any goes on; nil: none
}

// forEach runs a test with each server.
func forEach(t *testing.T, test func(t *testing.T, server string)) {
	for _, server := range Servers {
		t.Run(server, func(t *testing.T) { test(t, server) })
	}
}

// start starts a server with flags.
func start(t testing.TB, server string, lockStep bool, flags ...string) *injected {
	t.Helper()
	built, err := programs[server]()
	if err != nil {
		t.Fatal(err)
	}
	p := &injected{log: filepath.Join(t.TempDir(), "log")}
	if lockStep {
		p.seen = make(chan bool)
	}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.crowd != nil {
			p.crowd.Done()
			p.crowd.Wait()
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range events {
			fmt.Fprintf(w, "data: %d\n\n", i) // the reader notices
			w.(http.Flusher).Flush()
			if p.seen != nil {
				<-p.seen
			}
		}
	}))
	t.Cleanup(upstream.Close)
	port, err := process.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	p.Process, err = process.Start(process.Command{
		Args: append(slices.Clone(built.Run[:len(built.Run)-6]), flags...), Dir: built.Dir,
		Env: []string{"HOST=127.0.0.1", fmt.Sprintf("PORT=%d", port), "STUB_URL=" + upstream.URL}, Bare: true,
	}, p.log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	if err := p.WaitReady(t.Context(), port, "/healthz", 20*time.Second); err != nil {
		t.Fatal(err)
	}
	p.url = fmt.Sprintf("http://127.0.0.1:%d/chat", port)
	return p
}

// stream reads one stream to its end. It returns the time to the header.
func (p *injected) stream(t testing.TB) time.Duration {
	t.Helper()
	started := time.Now()
	res, err := http.Post(p.url, "application/json", strings.NewReader(fmt.Sprintf(`{"message": %q}`, cmp.Or(p.message, "hello"))))
	if err != nil {
		t.Error(err)
		return 0
	}
	took := time.Since(started)
	defer res.Body.Close()
	var all []byte
	buf := make([]byte, 1<<10)
	for err == nil {
		n := 0
		n, err = res.Body.Read(buf)
		all = append(all, buf[:n]...)
		if p.seen != nil && strings.HasSuffix(string(buf[:n]), "\n\n") {
			p.seen <- true
		}
	}
	if count := strings.Count(string(all), "data: "); err != io.EOF || count != events {
		t.Errorf("%d events of %d, then %v", count, events, err)
	}
	return took
}

// told waits for the report after this many streams.
func (p *injected) told(t testing.TB, streams int) prove.Told {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		f, err := os.Open(p.log)
		if err != nil {
			t.Fatal(err)
		}
		told, err := ReadTold(f)
		f.Close()
		if err == nil && told.Streams == streams {
			return told
		}
		if time.Now().After(until) {
			t.Fatalf("after %d streams: told %+v, %v", streams, told, err)
		}
	}
}

// peak is the most memory that the server held, in bytes.
func (p *injected) peak(t *testing.T) float64 {
	t.Helper()
	bytes, err := load.PeakRSS([]int{p.Pid})
	if err != nil {
		t.Fatal(err)
	}
	return float64(bytes)
}

func TestACopyHasNothingThatWasBuilt(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "mine"), filepath.Join(t.TempDir(), "copy")
	if err := copyAll("../../../../servers/relay/go-http", from); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"bin", "target", "src/bin"} {
		if err := os.MkdirAll(filepath.Join(from, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Copy(from, to); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{"bin": false, "target": false, "src/bin": true, "main.go": true} {
		if _, err := os.Stat(filepath.Join(to, dir)); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
