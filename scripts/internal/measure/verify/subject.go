package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/files/logs"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
)

// readyLimit is in the contract. patiently is for checks about something else.
var readyLimit = 5 * time.Second

const patiently = 3 * patience

// A subject is a running server between its stub and the checks.
type subject struct {
	run            manifest.Server
	server, stub   *process.Process
	port, stubPort int
	log            string // the server's output
	ids            int    // number of journal ids, so that requests stay apart
	light          bool   // the check is a light one
}

// start starts a stub and the server, which must be ready within a limit.
func start(ctx context.Context, root, dir string, s manifest.Server, ready time.Duration, ports func() (int, error)) (*subject, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, harnessError{err}
	}
	sub := &subject{run: s, log: filepath.Join(dir, "server.log")}
	var err error
	if sub.stub, sub.stubPort, err = launchStub(ctx, root, filepath.Join(dir, "stub.log"), ports); err != nil {
		return nil, err
	}
	for tries := 1; ; tries++ {
		if sub.port, err = ports(); err != nil {
			err = harnessError{err}
			break
		}
		if sub.server, err = sub.launch(ctx, ready); err == nil {
			return sub, nil
		}
		if _, late := errors.AsType[process.Late](err); !late || !busy(ctx, root, dir, ports) {
			break
		}
		if tries == mostTries {
			err = harnessError{fmt.Errorf("%w; a second stub was late, too: this machine is too busy to verify on; end what else runs, and run again", err)}
			break
		}
	}
	sub.stub.Stop()
	return nil, err
}

// A late server is started again while a new stub takes longer than controlLimit too, since the machine is
// then at fault. tries limits the starts.
const (
	mostTries    = 3
	controlLimit = 500 * time.Millisecond
)

// busy reports whether a new stub is late.
func busy(ctx context.Context, root, dir string, ports func() (int, error)) bool {
	started := time.Now()
	stub, _, err := launchStub(ctx, root, filepath.Join(dir, "control.log"), ports)
	took := time.Since(started)
	if err == nil {
		stub.Stop()
	}
	return err != nil || took > controlLimit
}

// launchStub starts a stub. A stub that is not ready is a fault of the harness.
func launchStub(ctx context.Context, root, log string, ports func() (int, error)) (*process.Process, int, error) {
	port, err := ports()
	if err != nil {
		return nil, 0, harnessError{err}
	}
	stub, err := process.Start(process.Command{
		Args: []string{filepath.Join(root, "stub", "bin", "stub")}, Env: []string{fmt.Sprintf("PORT=%d", port)}, Bare: true,
	}, log)
	if err != nil {
		return nil, 0, harnessError{fmt.Errorf("stub: %w", err)}
	}
	if err := stub.WaitReady(ctx, port, "/healthz", patience); err != nil {
		stub.Stop()
		return nil, 0, harnessError{fmt.Errorf("stub: %w", err)}
	}
	return stub, port, nil
}

// launch starts the server on the subject's port.
func (s *subject) launch(ctx context.Context, ready time.Duration) (*process.Process, error) {
	server, err := process.Start(process.Command{Args: s.run.Run, Dir: s.run.Dir,
		Env: []string{fmt.Sprintf("PORT=%d", s.port), "STUB_URL=" + s.stubURL("/v1")}, Bare: true, Marked: true,
	}, s.log)
	if err == nil {
		if err = server.WaitReady(ctx, s.port, "/healthz", ready); err == nil {
			return server, nil
		}
		server.Stop()
	}
	if unable, ok := errors.AsType[process.Unable](err); ok {
		return nil, harnessError{unable}
	}
	return nil, err
}

// logged is the size of the server's log.
func (s *subject) logged() int64 {
	info, err := os.Stat(s.log)
	if err != nil {
		return 0 // then everything counts as new
	}
	return info.Size()
}

// mostLines limits the lines of a server's log in a failed check.
const mostLines = 2

// withLog adds the server's new log lines to an error that does not quote them yet.
func (s *subject) withLog(err error, size int64) error {
	lines, readErr := logs.Quote(s.log, size, mostLines)
	if readErr != nil || len(lines) == 0 || strings.Contains(err.Error(), " last lines:\n") {
		return err
	}
	return fmt.Errorf("%w; its log says:\n    %s", err, strings.Join(lines, "\n    "))
}

// stop stops server and stub at the same time, since a server may wait for what its stub holds back.
func (s *subject) stop() { process.StopAll([]*process.Process{s.server, s.stub}) }

func (s *subject) stubURL(path string) string {
	return fmt.Sprintf("http://127.0.0.1:%d%s", s.stubPort, path)
}

// id returns a new journal id.
func (s *subject) id() string {
	s.ids++
	return fmt.Sprintf("v%d", s.ids)
}

// An entry is the stub's note about a request; see stub/common/journal.go.
type entry struct {
	Connection int64
	Method     string
	Header     http.Header
	Body       string
	Events     int
	Sent       string
	Outcome    string
}

// stubClient keeps enough connections for checks that open many streams.
var stubClient = &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: together}}

// ask sends a request to the stub itself.
func (s *subject) ask(method, path string, into any) error {
	req, err := http.NewRequest(method, s.stubURL(path), nil)
	if err != nil {
		return harnessError{err}
	}
	resp, err := stubClient.Do(req)
	if err != nil {
		return harnessError{fmt.Errorf("stub: %w", err)}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != 200 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, bytes.TrimSpace(data))
	}
	if err == nil && into != nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return harnessError{fmt.Errorf("stub: %w", err)}
	}
	return nil
}

// release makes the stub send n events of a held stream.
func (s *subject) release(id string, n int) error {
	return s.ask("POST", fmt.Sprintf("/release/%s?n=%d", id, n), nil)
}

// entries waits until the stub's entries under id fulfil a condition, and otherwise returns the entries at
// the end. They leave out received and sent bytes.
func (s *subject) entries(id string, wanted func([]entry) bool) ([]entry, bool, error) {
	deadline := time.Now().Add(patience)
	for {
		var found []entry
		if err := s.ask("GET", "/journal/"+id+"?brief", &found); err != nil {
			return nil, false, err
		}
		if wanted(found) {
			return found, true, nil
		}
		if time.Now().After(deadline) {
			return found, false, nil
		}
		time.Sleep(time.Millisecond)
	}
}

// entry waits for the end of the only request under id, and returns the stub's full note about it.
func (s *subject) entry(id string) (entry, error) {
	found, ok, err := s.entries(id, func(e []entry) bool { return len(e) == 1 && e[0].Outcome != "" })
	if err != nil {
		return entry{}, err
	}
	if !ok {
		return entry{}, fmt.Errorf("%d requests reached the upstream; want 1, ended", len(found))
	}
	if err := s.ask("GET", "/journal/"+id, &found); err != nil {
		return entry{}, err
	}
	return found[0], nil
}

// open sends a message on a new connection and reads up to the body.
func (s *subject) open(message string) (*answer, error) {
	c, err := dial(s.port)
	if err != nil {
		return nil, err
	}
	if err = c.chat(message); err == nil {
		var a *answer
		if a, err = c.stream(); err == nil {
			return a, nil
		}
	}
	c.Close()
	return nil, err
}

// stream reads the head of an answer, which must be a stream.
func (c *client) stream() (*answer, error) {
	a, err := c.head()
	if err == nil && a.Status != 200 {
		err = fmt.Errorf("status %d; want 200", a.Status)
	}
	return a, err
}

// refuses waits until a new request gets no answer.
func (s *subject) refuses() bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		c, err := dial(s.port)
		if err != nil {
			return true
		}
		c.send("GET", "/healthz", "", "") // there is no head then
		_, err = c.head()
		c.Close()
		if err != nil {
			return true
		}
	}
	return false
}

// ended waits for the server to end.
func (s *subject) ended() error {
	select {
	case <-s.server.Done():
		return nil
	case <-time.After(2 * patience):
		return fmt.Errorf("still running %v after SIGTERM, though all streams have ended", 2*patience)
	}
}
