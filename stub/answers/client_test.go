package answers

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairstream/stub/common/stubtest"
)

// start runs a stub with answers of its own, and returns its address.
func start(t *testing.T) string {
	_, address := stubtest.Start(t, new(answers).routes())
	return address
}

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

// request renders a request.
func request(method, path, body string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: stub\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body)
}

// send sends a request. On a connection of one request at a time, its answer comes next.
func (c *client) send(method, path, body string) {
	c.t.Helper()
	if _, err := io.WriteString(c, request(method, path, body)); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a request and reads its answer.
func (c *client) ask(method, path, body string) (*http.Response, string) {
	c.t.Helper()
	c.send(method, path, body)
	r, err := http.ReadResponse(c.in, &http.Request{Method: method})
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	answer, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return r, string(answer)
}

// prepare expects the stub to take a list of n answers.
func (c *client) prepare(list string, n int) {
	c.t.Helper()
	if r, body := c.ask("POST", "/answers", list); r.StatusCode != 200 || body != fmt.Sprintf(`{"answers":%d}`, n) {
		c.t.Fatalf("POST /answers: %d: %s", r.StatusCode, body)
	}
}

// isError expects an error whose message has a text.
func (c *client) isError(method, path, body string, status int, want string) {
	c.t.Helper()
	r, answer := c.ask(method, path, body)
	var whole struct{ Error struct{ Message string } }
	if err := json.Unmarshal([]byte(answer), &whole); err != nil || r.StatusCode != status || !strings.Contains(whole.Error.Message, want) {
		c.t.Errorf("%s %s %.100s: status %d, %v: %.300s; want %d and %q", method, path, body, r.StatusCode, err, answer, status, want)
	}
}
