package run

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/process"
)

// readyLimit is how long a server may take to answer GET /healthz.
const readyLimit = 5 * time.Second

func (l loading) startStub(ctx context.Context, dir string) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", err
	}
	stub, err := process.Start(process.Command{
		Args: []string{filepath.Join(l.Root, "stub", "bin", "stub")}, Env: []string{fmt.Sprintf("PORT=%d", port)}, Bare: true,
		CPUs: l.Placement.ruler(),
	}, filepath.Join(dir, "stub.log"))
	if err != nil {
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	if err := stub.WaitReady(ctx, port, "/healthz", readyLimit); err != nil {
		stub.Stop()
		return nil, "", fmt.Errorf("stub: %w", err)
	}
	return stub, fmt.Sprintf("http://127.0.0.1:%d/v1", port), nil
}

func (l loading) startServer(ctx context.Context, dir string, t Target, stubURL string) (*process.Process, string, error) {
	port, err := l.Ports()
	if err != nil {
		return nil, "", err
	}
	server, err := process.Start(process.Command{
		Args: t.Server.Run, Dir: t.Server.Dir, CPUs: l.Placement.server(),
		Env: []string{fmt.Sprintf("PORT=%d", port), "STUB_URL=" + stubURL}, Bare: true,
	}, filepath.Join(dir, t.Name()+".log"))
	if err != nil {
		return nil, "", err
	}
	if err := server.WaitReady(ctx, port, "/healthz", readyLimit); err != nil {
		server.Stop()
		return nil, "", err
	}
	return server, fmt.Sprintf("http://127.0.0.1:%d/chat", port), nil
}

// sent is what the stub tells of its streams.
type sent struct {
	Completed int64 `json:"completed"`
	StreamUS  int64 `json:"stream_us"`
}

func askStub(ctx context.Context, stubURL string) (s sent, err error) {
	req, err := http.NewRequestWithContext(ctx, "GET", strings.TrimSuffix(stubURL, "/v1")+"/stats", nil)
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
