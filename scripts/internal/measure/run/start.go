package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// readyLimit is the time that a server may take to answer GET /healthz.
const readyLimit = 5 * time.Second

// startStub starts a stub whose output goes to the file log. It returns the stub's address.
func (l k6Run) startStub(ctx context.Context, log string) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", err
	}
	stub, err := process.Start(process.Command{
		Args: []string{filepath.Join(l.Root, "stub", "bin", "stub")}, Env: []string{fmt.Sprintf("PORT=%d", port)}, Bare: true,
		CPUs: l.Placement.rig(),
	}, log)
	if err != nil {
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	if err := stub.WaitReady(ctx, port, "/healthz", readyLimit); err != nil {
		stub.Stop()
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	return stub, address(port), nil
}

func address(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

// startServer starts a target, and returns the URL for k6. The machine causes process.Unable and lateToo; the server causes any other
// error.
func (l k6Run) startServer(ctx context.Context, dir string, t Target, stubURL string) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", process.Unable{Err: err}
	}
	if err := renew(t.Server); err != nil {
		return nil, "", process.Unable{Err: fmt.Errorf("cannot copy its program: %w", err)}
	}
	server, err := process.Start(process.Command{
		Args: t.Server.Run, Dir: t.Server.Dir, CPUs: l.Placement.server(),
		Env: l.Workload.Env(port, stubURL), Bare: true, Marked: true,
	}, filepath.Join(dir, t.Name()+".log"))
	if err != nil {
		return nil, "", err
	}
	if err := l.ready(ctx, dir, server, port); err != nil {
		server.Stop()
		return nil, "", err
	}
	return server, address(port) + l.Workload.Path, nil
}

// After controlAfter of waiting for a server, ready starts a control. On a machine that is not to blame, the
// control starts within controlLimit, which is a tenth of a server's limit.
const (
	controlAfter = readyLimit / 5
	controlLimit = readyLimit / 10
)

// lateToo is the error of a server that was late while another program was late too.
type lateToo struct{ error }

// ready waits for a server. Beside a slow server it starts a second stub, which starts quickly. That shows
// whether anything starts in time in these seconds.
func (l k6Run) ready(ctx context.Context, dir string, server *process.Process, port int) error {
	ready := make(chan error, 1)
	go func() { ready <- server.WaitReady(ctx, port, "/healthz", readyLimit) }()
	select {
	case err := <-ready:
		return err
	case <-time.After(controlAfter):
	}
	started := time.Now()
	control, _, controlErr := l.startStub(ctx, filepath.Join(dir, "control.log"))
	took := time.Since(started)
	if control != nil {
		control.Stop()
	}
	err := <-ready
	if _, late := errors.AsType[process.Late](err); late && (controlErr != nil || took > controlLimit) {
		return lateToo{fmt.Errorf("%w; a second stub, started meanwhile, took %.1f s of its own, want at most %.1f: this machine is too busy", err, took.Seconds(), controlLimit.Seconds())}
	}
	return err
}

// sent is the stub's count of its streams.
type sent struct {
	Completed int64            `json:"completed"`
	StreamUS  int64            `json:"stream_us"`
	Tokens    map[string]int64 `json:"tokens"` // tokens by target
}

func askStub(ctx context.Context, stubURL string) (s sent, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", stubURL+"/stats", nil)
	if err != nil {
		return s, err
	}
	resp, err := (&http.Client{Timeout: readyLimit}).Do(req)
	if err != nil {
		return s, fmt.Errorf("stub: %w", err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		return s, fmt.Errorf("stub: GET /stats: %w", err)
	}
	return s, nil
}
