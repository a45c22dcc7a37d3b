package load

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/measure/launch"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/services"
)

// stubs starts stubs on the cores of the rig.
func (l k6Run) stubs() launch.Stubs {
	return launch.Stubs{Root: l.Root, Host: l.host(), Ports: l.Ports, CPUs: l.Placement.rig()}
}

// host is the address of this machine where servers listen; "" is 127.0.0.1.
func (l k6Run) host() string {
	if l.Machine == nil {
		return ""
	}
	return l.Machine.Servers.Address
}

// address is the URL of a port where servers listen.
func (l k6Run) address(port int) string {
	return fmt.Sprintf("http://%s:%d", cmp.Or(l.host(), "127.0.0.1"), port)
}

// startServer starts a target, and returns the URL for k6. The machine causes process.Unable and lateToo; the server causes any other
// error.
func (l k6Run) startServer(ctx context.Context, dir string, t Target, stubURL string, database *services.Database) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", process.Unable{Err: err}
	}
	if err := renew(t.Server); err != nil {
		return nil, "", process.Unable{Err: fmt.Errorf("cannot copy its program: %w", err)}
	}
	var env []string
	if l.Machine != nil {
		env = append(env, "HOST="+l.host())
	}
	if database != nil {
		env = append(env, database.Env()...)
	}
	if l.Profile {
		env = append(env, t.Kind().Env...)
	}
	server, err := launch.Begin(ctx, t.Server, port, stubURL, env, l.Placement.server(), filepath.Join(dir, t.Name()+".log"))
	if err != nil {
		return nil, "", err
	}
	if err := l.ready(ctx, dir, server, t.Server, port); err != nil {
		server.Stop()
		return nil, "", err
	}
	if l.Workload.Scripted {
		return server, t.Server.Declared.URL(port), nil
	}
	return server, l.address(port) + l.Workload.Path, nil
}

// lateToo is the error of a server that was late while another program was late too.
type lateToo struct{ error }

// ready waits for a server. After a fifth of its limit it starts a second stub, which starts quickly. That shows
// whether anything starts in time in these seconds.
func (l k6Run) ready(ctx context.Context, dir string, server *process.Process, s server.Server, port int) error {
	limit := launch.ReadyLimit(s)
	ready := make(chan error, 1)
	go func() { ready <- launch.WaitReady(ctx, server, s, l.host(), port, limit) }()
	select {
	case err := <-ready:
		return err
	case <-time.After(limit / 5):
	}
	busy := l.stubs().Busy(ctx, dir)
	err := <-ready
	if _, late := errors.AsType[process.Late](err); late && busy != "" {
		return lateToo{fmt.Errorf("%w; %s", err, busy)}
	}
	return err
}

// sent is the stub's count of its answers.
type sent struct {
	Completed int64                  `json:"completed"`
	StreamUS  int64                  `json:"stream_us"`
	Tokens    map[string]int64       `json:"tokens"` // tokens by target
	GapsUS    map[string]hist.Counts `json:"gaps_us"`
	NowUS     int64                  `json:"now_us"` // Unix
}

// statsLimit is the time that the stub may take to answer GET /stats.
const statsLimit = 5 * time.Second

func askStub(ctx context.Context, stubURL string) (s sent, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", stubURL+"/stats", nil)
	if err != nil {
		return s, err
	}
	resp, err := (&http.Client{Timeout: statsLimit}).Do(req)
	if err != nil {
		return s, fmt.Errorf("stub: %w", err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&s); err != nil {
		return s, fmt.Errorf("stub: GET /stats: %w", err)
	}
	return s, nil
}
