package process

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAServerIsReadyWhenItAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ network, host string }{{"tcp4", "127.0.0.1"}, {"tcp4", "0.0.0.0"}, {"tcp", "::"}} {
		t.Run("on "+c.host, func(t *testing.T) {
			port := freePort(t)
			p, _ := start(t, serve(t, c.network, c.host, port))
			if err := p.WaitReady(t.Context(), port, "/healthz", 10*time.Second); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("as a child", func(t *testing.T) {
		port := freePort(t)
		c := serve(t, "tcp4", "127.0.0.1", port)
		p, _ := start(t, Command{Env: c.Env, Args: []string{"sh", "-c", `"$0" & wait`, c.Args[0]}})
		if err := p.WaitReady(t.Context(), port, "/healthz", 10*time.Second); err != nil {
			t.Error(err)
		}
	})
}

// The time to the first answer begins with the program, and ends with the answer.
func TestTheFirstAnswerIsTimed(t *testing.T) {
	t.Parallel()
	const slow = 300 * time.Millisecond
	port := freePort(t)
	c := serve(t, "tcp4", "127.0.0.1", port)
	began := time.Now()
	p, _ := start(t, Command{Env: c.Env, Args: []string{"sh", "-c", `sleep 0.3; exec "$0"`, c.Args[0]}})
	time.Sleep(slow / 2) // a wait that begins late must not make a server look fast
	if p.FirstAnswer() != 0 {
		t.Errorf("%v before an answer", p.FirstAnswer())
	}
	if err := p.WaitReady(t.Context(), port, "/healthz", 10*time.Second); err != nil {
		t.Fatal(err)
	}
	if got, most := p.FirstAnswer(), time.Since(began); got < slow || got > most {
		t.Errorf("first answer after %v; want %v to %v", got, slow, most)
	}
}

// The error names the port on which a server listens instead.
func TestAServerOnAnotherPortIsNotReady(t *testing.T) {
	t.Parallel()
	port, wrong := freePort(t), freePort(t)
	c := serve(t, "tcp4", "127.0.0.1", wrong)
	p, _ := start(t, Command{Env: c.Env, Args: []string{"sh", "-c", `"$0" & wait`, c.Args[0]}})
	err := p.WaitReady(t.Context(), port, "/healthz", 2*time.Second)
	if want := fmt.Sprintf("/healthz: no connection, since it listens on port %d and not on $PORT (%d); want 200", wrong, port); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
}

// On a busy core a server takes long to start, and is not to blame. One that never listens is still late. No
// other test runs meanwhile, since this one fills a core.
func TestTimeWithoutACoreDoesNotCount(t *testing.T) {
	const limit, busy = 2 * burntFirst, 4
	for range busy {
		start(t, on("0", role(t, "burn for ever")))
	}
	port := freePort(t)
	began := time.Now()
	p, _ := start(t, on("0", role(t, "burn and serve", "NETWORK=tcp4", fmt.Sprintf("ADDRESS=127.0.0.1:%d", port))))
	if err := p.WaitReady(t.Context(), port, "/healthz", limit); err != nil {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	if took := time.Since(began); took < limit {
		t.Errorf("it took %v beside %d others on its core; this shows nothing unless it is more than %v", took, busy, limit)
	}
	idle, _ := start(t, on("0", role(t, "burn for ever")))
	err := idle.WaitReady(t.Context(), freePort(t), "/healthz", limit)
	if _, late := errors.AsType[Late](err); !late {
		t.Errorf("got %v; want that it is late", err)
	}
}

// on is a command that may use some cores only.
func on(cpus string, c Command) Command {
	c.CPUs = cpus
	return c
}

func TestAServerThatDoesNotAnswerIsNotReady(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p, _ := start(t, sh("sleep 1000"))
	err := p.WaitReady(t.Context(), port, "/healthz", 300*time.Millisecond)
	want := fmt.Sprintf("not ready after 300ms: GET http://127.0.0.1:%d/healthz: no connection; want 200 from a server on 127.0.0.1:$PORT", port)
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAServerThatAnswersOtherwiseIsNotReady(t *testing.T) {
	t.Parallel()
	port := foreign(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	p, _ := start(t, sh("sleep 1000"))
	// A slow machine may not manage one answer in a short time.
	var err error
	for _, limit := range []time.Duration{300 * time.Millisecond, 3 * time.Second, 10 * time.Second} {
		err = p.WaitReady(t.Context(), port, "/healthz", limit)
		want := fmt.Sprintf("not ready after %v: GET http://127.0.0.1:%d/healthz: 503 Service Unavailable; want 200 from a server on 127.0.0.1:$PORT", limit, port)
		if err != nil && err.Error() == want {
			return
		}
	}
	t.Errorf("got %v; want an error with the status", err)
}

func TestAServerThatDiesBeforeItIsReadyShowsItsLog(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p, _ := start(t, sh("echo starting; echo cannot bind >&2; exit 7"))
	err := p.WaitReady(t.Context(), port, "/healthz", time.Minute)
	want := fmt.Sprintf("exited with status 7; its last lines:\n    starting\n    cannot bind\n    it must listen on port %d and answer GET /healthz", port)
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A server that answered and then died gets the error of its end. Here another program answers for it, and
// stops listening. This test runs alone, since a child of another test would hold its socket until its exec.
func TestAServerThatDiesAfterItsAnswerShowsItsLog(t *testing.T) {
	var once *httptest.Server
	once = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { once.Listener.Close() }))
	defer once.Close()
	p, _ := start(t, sh("echo out of luck; exit 7"))
	<-p.Done()
	err := p.WaitReady(t.Context(), once.Listener.Addr().(*net.TCPAddr).Port, "/healthz", time.Minute)
	if err == nil || !strings.HasPrefix(err.Error(), "exited with status 7; its last lines:\n    out of luck\n") {
		t.Errorf("got %v; want its end", err)
	}
}

// On a machine that stood still both its end and that of the patience have come.
func TestAServerThatDiedIsNotLate(t *testing.T) {
	t.Parallel()
	p, _ := start(t, sh("exit 7"))
	<-p.Done()
	for range 50 {
		err := p.WaitReady(t.Context(), freePort(t), "/healthz", time.Nanosecond)
		if err == nil || !strings.HasPrefix(err.Error(), "exited with status 7") {
			t.Fatalf("got %v; want its end", err)
		}
	}
}

func TestWaitingForAServerEndsWithItsContext(t *testing.T) {
	t.Parallel()
	silent := foreign(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for name, port := range map[string]int{"no connection": freePort(t), "no answer": silent} {
		p, _ := start(t, sh("sleep 1000"))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		if err := p.WaitReady(ctx, port, "/healthz", time.Minute); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
	}
}
