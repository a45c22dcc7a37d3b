package answers

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fairstream/stub/common"
)

const (
	hi     = `{"status": 200, "headers": {"x-powered-by": "benchmark", "Content-Type": "text/plain"}, "body": "hi"}`
	umlaut = `{"status": 404, "headers": {}, "body": "über"}`
	empty  = `{"status": 204}`
	binary = `{"status": 200, "body_base64": "/wD+"}`
)

func TestAnswersAreThePreparedBytes(t *testing.T) {
	c := dial(t, start(t))
	c.prepare("["+hi+","+umlaut+","+empty+","+binary+"]", 4)
	for _, x := range []struct{ method, path, want string }{
		{"GET", "/answers/0", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nx-powered-by: benchmark\r\nContent-Length: 2\r\n\r\nhi"},
		{"POST", "/answers/1?name=a", "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nüber"},
		{"HEAD", "/answers/0", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nx-powered-by: benchmark\r\nContent-Length: 2\r\n\r\n"},
		{"DELETE", "/answers/2", "HTTP/1.1 204 No Content\r\n\r\n"},
		{"GET", "/answers/3", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\xff\x00\xfe"},
		{"PUT", "/answers/1", "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nüber"},
	} {
		c.send(x.method, x.path, "a body")
		got := make([]byte, len(x.want))
		if _, err := io.ReadFull(c.in, got); err != nil || string(got) != x.want {
			t.Errorf("%s %s: %q, %v; want %q", x.method, x.path, got, err, x.want)
		}
	}
	if n := c.in.Buffered(); n > 0 {
		t.Errorf("%d bytes too many", n)
	}
}

func TestAnotherListReplacesTheFirst(t *testing.T) {
	addr := start(t)
	one, other := dial(t, addr), dial(t, addr)
	one.prepare("["+hi+","+hi+"]", 2)
	other.prepare("["+umlaut+"]", 1)
	if _, body := one.ask("GET", "/answers/0", ""); body != "über" {
		t.Errorf("got %q", body)
	}
	one.isError("GET", "/answers/1", "", 404, "want a number from 0 to 0")
	other.isError("POST", "/answers", "[{}]", 400, "answer 0: status 0")
	if _, body := one.ask("GET", "/answers/0", ""); body != "über" {
		t.Errorf("after a list that is wrong: %q", body)
	}
}

func TestWrongRequestsGetAnErrorAndKeepTheConnection(t *testing.T) {
	c := dial(t, start(t))
	c.isError("GET", "/answers/0", "", 404, "no answers are prepared; POST them to /answers first")
	for body, want := range map[string]string{
		"":                    "request body: EOF; want a list of",
		"hi":                  "request body: invalid character",
		hi:                    "request body: json: cannot unmarshal object",
		"[" + hi + "] x":      "request body: text after the list",
		`[{"statu": 200}]`:    `request body: json: unknown field "statu"`,
		`[{"status": "200"}]`: "request body: json: cannot unmarshal string",
		"[" + hi + `,{}]`:     "answer 1: status 0: want 200 to 599",
		`[{"status": 100}]`:   "answer 0: status 100: want 200 to 599",
		`[{"status": 600}]`:   "answer 0: status 600: want 200 to 599",
		`[{"status": 200, "body": "x", "body_base64": "eA=="}]`:          "answer 0: body and body_base64: want one of them",
		`[{"status": 204, "body_base64": "eA=="}]`:                       `answer 0: status 204: has no body; want ""`,
		`[{"status": 200, "body_base64": "?"}]`:                          "request body: illegal base64",
		`[{"status": 204, "body": "x"}]`:                                 `answer 0: status 204: has no body; want ""`,
		`[{"status": 200, "headers": {"a b": "x"}}]`:                     `answer 0: header "a b": want letters`,
		`[{"status": 200, "headers": {"": "x"}}]`:                        `answer 0: header "": want letters`,
		`[{"status": 200, "headers": {"a": "x\r\nb: c"}}]`:               `answer 0: header a: "x\r\nb: c": want one line of text`,
		`[{"status": 200, "headers": {"content-length": "5"}}]`:          "answer 0: header content-length: the stub sets it",
		`[{"status": 200, "headers": {"Transfer-Encoding": "chunked"}}]`: "answer 0: header Transfer-Encoding: the stub sets it",
	} {
		c.isError("POST", "/answers", body, 400, want)
	}
	c.isError("POST", "/answers", `"`+strings.Repeat("x", maxList)+`"`, 413, "request body: 16777218 bytes; want at most 16777216")
	c.prepare("[]", 0)
	c.isError("GET", "/answers/0", "", 404, "no answers are prepared")
	c.prepare("["+hi+"]", 1)
	for _, number := range []string{"", "1", "-1", "x", "0/", "00x", "99999999999999999999"} {
		c.isError("GET", "/answers/"+number, "", 404, "want a number from 0 to 0")
	}
	c.isError("GET", "/answers", "", 404, "no GET /answers here")
	if _, body := c.ask("GET", "/answers/0", ""); body != "hi" {
		t.Errorf("after the errors: %q", body)
	}
}

func TestAnswersCountAsCompleted(t *testing.T) {
	addr := start(t)
	c := dial(t, addr)
	c.prepare("["+hi+"]", 1)
	const n = 100
	for i := range n {
		c.ask([]string{"GET", "POST", "HEAD"}[i%3], "/answers/0", "")
	}
	c.ask("GET", "/answers/1", "")
	_, body := c.ask("GET", "/stats", "")
	var stats map[string]any
	if err := json.Unmarshal([]byte(body), &stats); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]float64{"completed": n, "requests": n + 1, "cancelled": 0, "active": 0, "others": 2} {
		if stats[key] != want {
			t.Errorf("%s: %v, want %v", key, stats[key], want)
		}
	}
}

// A recorder is a connection that notes its writes, or fails all.
type recorder struct {
	net.Conn
	writes []string
	broken bool
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.broken {
		return 0, errors.New("broken")
	}
	r.writes = append(r.writes, string(b))
	return len(b), nil
}

func TestAnAnswerIsOneWriteAndFailsWithIt(t *testing.T) {
	list, err := parse([]byte(`[{"status": 200, "headers": {"a": "b"}, "body": "` + strings.Repeat("x", 100_000) + `"}]`))
	if err != nil {
		t.Fatal(err)
	}
	a := new(answers)
	a.list.Store(&list)
	for _, broken := range []bool{false, true} {
		r := &recorder{broken: broken}
		c := common.NewConn(r, common.NewServer(a.routes()))
		kept := a.answer(c, &common.Request{Request: &http.Request{Method: "GET", URL: &url.URL{Path: "/answers/0"}}})
		if kept == broken {
			t.Errorf("broken %v: the connection is kept: %v", broken, kept)
		}
		if !broken && (len(r.writes) != 1 || r.writes[0] != string(list[0].whole)) {
			t.Errorf("%d writes: %.200q", len(r.writes), r.writes)
		}
		if completed, cancelled := c.Server.Stats.Completed.Load(), c.Server.Stats.Cancelled.Load(); completed != map[bool]int64{false: 1}[broken] || completed+cancelled != 1 {
			t.Errorf("broken %v: %d completed, %d cancelled", broken, completed, cancelled)
		}
	}
}

func TestRequestsSentAtOnceAreAnsweredInOrder(t *testing.T) {
	c := dial(t, start(t))
	c.prepare("["+hi+","+umlaut+"]", 2)
	if _, err := io.WriteString(c, request("GET", "/answers/1", "x")+request("GET", "/answers/0", "")+request("GET", "/answers/0", "")+request("POST", "/answers/1", "y")); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"über", "hi", "hi", "über"} {
		r, err := http.ReadResponse(c.in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != want {
			t.Errorf("answer %d: %q, %v; want %q", i, body, err, want)
		}
	}
}
