package relay

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"fairstream/stub/common/stubtest"
)

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

// write sends bytes as they are.
func (c *client) write(b string) {
	c.t.Helper()
	if _, err := io.WriteString(c, b); err != nil {
		c.t.Fatal(err)
	}
}

// receive reads a whole answer.
func (c *client) receive() (*http.Response, string) {
	c.t.Helper()
	r, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return r, string(body)
}

// ask sends a chat request and returns the data of the answer's events.
func (c *client) ask(body string) []string {
	c.t.Helper()
	c.write(post(body))
	r, answer := c.receive()
	if r.StatusCode != 200 {
		c.t.Fatalf("status %d: %s", r.StatusCode, answer)
	}
	var events []string
	for answer != "" {
		event, rest, whole := strings.Cut(answer, "\n\n")
		data, ok := strings.CutPrefix(event, "data: ")
		if !ok || !whole {
			c.t.Fatalf("not a whole event: %q", event)
		}
		events, answer = append(events, data), rest
	}
	return events
}

// begin sends a chat request and returns a function that waits for the next event.
func (c *client) begin(body string) (next func() string) {
	c.t.Helper()
	c.write(post(body))
	r, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	in := bufio.NewReader(r.Body)
	return func() string {
		c.t.Helper()
		line, err := in.ReadString('\n')
		if err == nil {
			_, err = in.ReadString('\n')
		}
		if err != nil {
			c.t.Fatal(err)
		}
		return strings.TrimSuffix(strings.TrimPrefix(line, "data: "), "\n")
	}
}

// get decodes the JSON answer to a GET into v.
func (c *client) get(path string, v any) {
	c.t.Helper()
	c.write("GET " + path + " HTTP/1.1\r\nHost: stub\r\n\r\n")
	r, body := c.receive()
	if r.StatusCode != 200 || r.Header.Get("Content-Type") != "application/json" {
		c.t.Fatalf("GET %s: status %d, header %v: %s", path, r.StatusCode, r.Header, body)
	}
	if err := json.Unmarshal([]byte(body), v); err != nil {
		c.t.Fatalf("GET %s: %v: %s", path, err, body)
	}
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

// isSilent fails the test if anything but the end of a chunk arrives within a
// while. It can only miss a fault, never see one that is not there.
func (c *client) isSilent() {
	c.t.Helper()
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // fails on a closed connection alone
	if b, err := c.in.Peek(len("\r\n") + 1); !errors.Is(err, os.ErrDeadlineExceeded) {
		c.t.Fatalf("got %q, %v; want silence", b, err)
	}
	c.SetReadDeadline(time.Now().Add(stubtest.Patience)) // fails on a closed connection alone
}

// body asks and returns all of the answer that comes, with what broke it off.
func (c *client) body(message string) (*http.Response, string, error) {
	c.t.Helper()
	c.write(post(chatBody(message, false)))
	r, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	return r, string(body), err
}
