package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/measure/launch"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
)

// readyLimit is the time that the stub may take to answer GET /healthz.
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
	if err := launch.Before(ctx, t.Server, port, stubURL); err != nil {
		return nil, "", err
	}
	command := launch.Command(t.Server, port, stubURL)
	command.CPUs = l.Placement.server()
	server, err := process.Start(command, filepath.Join(dir, t.Name()+".log"))
	if err != nil {
		return nil, "", err
	}
	if err := l.ready(ctx, dir, server, t.Server, port); err != nil {
		server.Stop()
		return nil, "", err
	}
	return server, address(port) + l.Workload.Path, nil
}

// After a fifth of a server's limit, ready starts a control. On a machine that is not to blame, the control
// starts within controlLimit.
const controlLimit = readyLimit / 10

// lateToo is the error of a server that was late while another program was late too.
type lateToo struct{ error }

// ready waits for a server. Beside a slow server it starts a second stub, which starts quickly. That shows
// whether anything starts in time in these seconds.
func (l k6Run) ready(ctx context.Context, dir string, server *process.Process, s manifest.Server, port int) error {
	limit := launch.ReadyLimit(s)
	ready := make(chan error, 1)
	go func() { ready <- launch.WaitReady(ctx, server, s, port, limit) }()
	select {
	case err := <-ready:
		return err
	case <-time.After(limit / 5):
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

// sent is the stub's count of its answers.
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
