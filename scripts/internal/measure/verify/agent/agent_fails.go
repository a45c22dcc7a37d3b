package agent

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"

	"fairstream/scripts/internal/measure/verify"
)

// A failingModel is a proxy before the stub. The model answers 500 to one agent, and works for all others.
type failingModel struct {
	url   string
	fail  chan struct{} // closed when the model may answer the agent
	close func() error
}

// failModel starts a proxy. agent is the id of the one that gets 500.
func (s *subject) failModel(agent string) (*failingModel, error) {
	stub, err := url.Parse(s.StubURL(""))
	if err != nil {
		return nil, verify.Harness(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, verify.Harness(err)
	}
	silent := log.New(io.Discard, "", 0) // requests are cancelled, as the check wants
	through := httputil.NewSingleHostReverseProxy(stub)
	through.ErrorLog = silent
	f := &failingModel{url: "http://" + listener.Addr().String(), fail: make(chan struct{})}
	proxy := &http.Server{ErrorLog: silent, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the server under test has left
		}
		if bytes.Contains(body, []byte("@id="+agent+" ")) {
			select {
			case <-f.fail:
				http.Error(w, "as asked", http.StatusInternalServerError)
			case <-r.Context().Done():
			}
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		through.ServeHTTP(w, r)
	})}
	go proxy.Serve(listener) // ends with Close
	f.close = proxy.Close
	return f, nil
}

// agentFails lets the model fail one of two agents, while it holds the answer to the other back.
func agentFails(ctx context.Context, s *subject) error {
	c := s.script(2, 0, 1)
	thinks, fails := c.id+"-0", c.id+"-1"
	proxy, err := s.failModel(fails)
	if err != nil {
		return err
	}
	defer proxy.close() // all requests have ended, or may end here
	port, err := s.Second(ctx, proxy.url)
	if err != nil {
		return err
	}
	t, err := s.create("a thread")
	if err != nil {
		return err
	}
	f, err := follow(port, t, "")
	if err != nil {
		return err
	}
	defer f.close()
	a, err := say(port, t, c.String()+" @agents=2 @hold=1")
	if err != nil {
		return err
	}
	defer a.close()
	if err := s.Release(c.id, 100); err != nil {
		return err
	}
	if err := s.asks(thinks); err != nil {
		return err
	}
	close(proxy.fail)
	failed, err := a.failed()
	if verify.IsSilence(err) {
		return fmt.Errorf("the model fails one of two agents, and the run goes on with the other (%w)", err)
	}
	if err != nil {
		return err
	}
	if _, ok, err := s.Entries(thinks, func(all []verify.Entry) bool { return all[0].Outcome == "cancelled" }); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("the model fails one of two agents and the run ends; %v later it still answers the other", verify.Patience)
	}
	if err := sameNext(f, failed); err != nil {
		return err
	}
	next, err := runAt(port, t, s.script(1, 0, 1).String())
	if err != nil {
		return fmt.Errorf("the run after it: %w", err)
	}
	if err := sameNext(f, next); err != nil { // an event of the other agent would come before
		return err
	}
	return s.roles(ctx, t, "user user assistant")
}
