package files

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

func start(t *testing.T) (*common.Server, string) { return stubtest.Start(t, Routes) }

// A client is one connection to a stub.
type client struct {
	net.Conn
	t  *testing.T
	in *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	nc, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(stubtest.Patience)) // fails on a closed connection alone
	return &client{nc, t, bufio.NewReader(nc)}
}

// send sends a request.
func (c *client) send(method, path string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: stub\r\n\r\n", method, path); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a request and reads the head of its answer.
func (c *client) ask(method, path string) *http.Response {
	c.t.Helper()
	c.send(method, path)
	r, err := http.ReadResponse(c.in, &http.Request{Method: method})
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// file asks for a file and returns all of it that comes, with what broke it off.
func (c *client) file(name string) (*http.Response, string, error) {
	c.t.Helper()
	r := c.ask("GET", prefix+name)
	body, err := io.ReadAll(r.Body)
	return r, string(body), err
}

// whole asks for a file, which must come whole.
func (c *client) whole(name string) (*http.Response, string) {
	c.t.Helper()
	r, body, err := c.file(name)
	if err != nil || r.StatusCode != 200 {
		c.t.Fatalf("%s: status %d: %.200q, %v", name, r.StatusCode, body, err)
	}
	return r, body
}

// get decodes the JSON answer to a GET into v.
func (c *client) get(path string, v any) {
	c.t.Helper()
	r := c.ask("GET", path)
	if err := json.NewDecoder(r.Body).Decode(v); err != nil || r.StatusCode != 200 {
		c.t.Fatalf("GET %s: status %d, %v", path, r.StatusCode, err)
	}
}

// release lets n pieces of a held file go.
func (c *client) release(id string, n int) {
	c.t.Helper()
	r := c.ask("POST", fmt.Sprintf("/release/%s?n=%d", id, n))
	if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != 200 {
		c.t.Fatalf("release %s: status %d, %v", id, r.StatusCode, err)
	}
}

// take reads the next n bytes.
func (c *client) take(from io.Reader, n int) string {
	c.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(from, b); err != nil {
		c.t.Fatal(err)
	}
	return string(b)
}

// isSilent fails the test if more than the end of a chunk arrives within a while. It can only miss a
// fault, never see one that is not there.
func (c *client) isSilent() {
	c.t.Helper()
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // fails on a closed connection alone
	if b, err := c.in.Peek(len("\r\n") + 1); !errors.Is(err, os.ErrDeadlineExceeded) {
		c.t.Fatalf("got %q, %v; want silence", b, err)
	}
	c.SetReadDeadline(time.Now().Add(stubtest.Patience)) // fails on a closed connection alone
}

// isClosed fails the test unless the stub closes the connection and says nothing more.
func (c *client) isClosed() {
	c.t.Helper()
	switch b, err := c.in.ReadByte(); {
	case err == nil:
		c.t.Fatalf("got %q, want the connection closed", b)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.t.Fatal("the connection stays open")
	}
}

// ends waits until the only answer under an id has ended in an outcome, and is no longer active.
func ends(t *testing.T, s *common.Server, id, outcome string) common.Entry {
	t.Helper()
	stubtest.Eventually(t, "the journal says "+outcome, func() bool {
		e := s.Journal.Find(id, false)
		return len(e) == 1 && e[0].Outcome == outcome
	})
	stubtest.Eventually(t, "no answer is active", func() bool { return s.Stats.Active.Load() == 0 })
	return s.Journal.Find(id, false)[0]
}
