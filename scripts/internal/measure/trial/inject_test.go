package trial

import (
	"cmp"
	"context"
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
	"fairstream/scripts/internal/measure/process"
	peaks "fairstream/scripts/internal/measure/sample"
)

// program is a injected go-http; its sizes are on the command line.
var program = sync.OnceValues(func() (string, error) {
	tmp, err := os.MkdirTemp("", "fairstream-inject-")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(tmp, "go-http")
	s, err := Inject("../../../../servers/relay/go-http", dir, prove.Flags{Work: 7, TTFTUS: 1.5, TTFTShare: 0.2})
	if err != nil {
		return tmp, err
	}
	if want := []string{"bin/server", "-work", "7", "-ttft-us", "1.5", "-ttft-share", "0.2"}; !slices.Equal(s.Run, want) {
		return tmp, fmt.Errorf("run is %q; want %q", s.Run, want)
	}
	_, err = process.Output(context.Background(), process.Command{Args: s.Build, Dir: s.Dir})
	return tmp, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if tmp, _ := program(); tmp != "" { // a test has told
		os.RemoveAll(tmp) // it need not be there
	}
	os.Exit(code)
}

const events = 8 // of the upstream's answers

// A injected server that runs, before an upstream of our own.
type injected struct {
	*process.Process
	url, log string
	seen     chan bool       // one for each event that a client has; the upstream waits for it, unless it is nil
	itl      time.Duration   // of the upstream's events
	message  string          // of the next stream
	crowd    *sync.WaitGroup // of streams that begin before any goes on; as above
}

func start(t *testing.T, lockStep bool, args ...string) *injected {
	t.Helper()
	tmp, err := program()
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
			time.Sleep(p.itl)
		}
	}))
	t.Cleanup(upstream.Close)
	port, err := process.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	p.Process, err = process.Start(process.Command{
		Args: append([]string{filepath.Join(tmp, "go-http/bin/server")}, args...),
		Env:  []string{fmt.Sprintf("PORT=%d", port), "STUB_URL=" + upstream.URL}, Bare: true,
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

// stream is one stream to its end; it says how long the header took to come.
func (p *injected) stream(t *testing.T) time.Duration {
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
func (p *injected) told(t *testing.T, streams int) prove.Told {
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
	bytes, err := peaks.PeakRSS([]int{p.Pid})
	if err != nil {
		t.Fatal(err)
	}
	return float64(bytes)
}

func TestACopyHasNothingThatWasBuilt(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "mine"), filepath.Join(t.TempDir(), "copy")
	if out, err := exec.Command("cp", "-a", "../../../../servers/relay/go-http", from).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
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
