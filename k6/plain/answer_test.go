package plain

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/common/moduletest"
	"fairstream/k6/shared/hist"
	"fairstream/k6/shared/request"
)

// load sends requests of a ring to a URL, in slices of a schedule, and returns the series.
func load(t testing.TB, url, slices, requests string) (series []hist.RequestSeries, done hist.Slices) {
	t.Helper()
	s := moduletest.NewScript(t, "plain", newModule())
	s.Run(t, fmt.Sprintf(`plain.schedule({targets: [{name: "a", url: %q}], slices: %s})`, url, slices))
	text := s.Start().Run(t, fmt.Sprintf(`
		plain.load({x: {timeout_ms: 500, requests: %s}});
		JSON.stringify([plain.histograms(), plain.slices()])`, requests))
	var r hist.Requests
	if err := json.Unmarshal([]byte(text), &[]any{&r, &done}); err != nil || r.Layout != hist.Layout {
		t.Fatal(r.Layout, err)
	}
	return r.Series, done
}

// one asks once.
const one = `[{level: "x", targets: [0], vus: 1, ms: 60000, requests: 1}]`

const hello = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"

// A server may end JSON with a newline or not. Nothing else may differ.
func TestOneOfSeveralBodies(t *testing.T) {
	want := `[{answer: {body: ["hell", "hello"]}}]`
	for body, kind := range map[string]string{"hello": "", "hell": "", "hel": badBody, "hallo": badBody, "hellos": badBody} {
		text := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		series, _ := load(t, moduletest.ServeText(t, text, false).URL, one, want)
		if s := series[0]; (s.OK == 1) != (kind == "") || kind != "" && s.Failed[kind] != 1 {
			t.Errorf("%s: %+v", body, s)
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	want := `[{path: "/hello", answer: {headers: {"Content-Type": ["text/plain", "text/plain; charset=utf-8"]}, body: "hello"}}]`
	in := func(old, new string) string { return strings.Replace(hello, old, new, 1) }
	chunked := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
	for name, test := range map[string]struct{ text, kind, error string }{
		"right":                     {hello, "", ""},
		"other type":                {in("text/plain", "text/plain; charset=utf-8"), "", ""},
		"chunked":                   {chunked + "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: 1\r\n\r\n", "", ""},
		"until close":               {in("Content-Length: 5\r\n", ""), "", ""},
		"interim answer":            {"HTTP/1.1 100 Continue\r\n\r\n" + hello, "", ""},
		"wrong byte":                {in("hello", "hallo"), badBody, `body differs at byte 1: "allo"; want "ello"`},
		"wrong last byte":           {in("hello", "hellO"), badBody, `body differs at byte 4: "O"; want "o"`},
		"too short":                 {in("5\r\n\r\nhello", "4\r\n\r\nhell"), badBody, "body ends after 4 bytes; want 5"},
		"empty":                     {in("5\r\n\r\nhello", "0\r\n\r\n"), badBody, "body ends after 0 bytes; want 5"},
		"too long":                  {in("5\r\n\r\nhello", "6\r\n\r\nhello!"), badBody, `body differs at byte 5: "!"; want ""`},
		"chunk too many":            {chunked + "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", badBody, "at byte 5"},
		"wrong type":                {in("text/plain", "text/html"), badHeader, `content-type: "text/html"; want ["text/plain" "text/plain; charset=utf-8"]`},
		"no type":                   {in("Content-Type", "Content-Kind"), badHeader, `content-type: ""`},
		"status":                    {in("200 OK", "503 Busy"), badStatus, "status 503: hello; want 200"},
		"status, no answer":         {in("200 OK", "204 None")[:len(hello)+2-len("hello")], badStatus, "status 204: ; want 200"},
		"cut":                       {hello[:len(hello)-2], http1.Cut, "the server closed the connection after 3 bytes of the body: unexpected EOF"},
		"cut in a chunk":            {chunked + "5\r\nhel", http1.Cut, "after 3 bytes"},
		"cut before the last chunk": {chunked + "5\r\nhello\r\n", http1.Cut, "after 5 bytes"},
		"cut header":                {hello[:30], http1.Cut, "after 0 bytes"},
		"nothing":                   {"", http1.Cut, "after 0 bytes"},
		"no HTTP":                   {"hello\r\n", http1.Malformed, `malformed answer: "hello" is not a status line`},
		"two lengths":               {in("Length: 5", "Length: 5\r\nContent-Length: 6"), http1.Malformed, `content-length "6": want one number`},
		"bad chunk":                 {chunked + "5\r\nhello!\r\n", http1.Malformed, "malformed chunk"},
		"two answers":               {hello + hello, http1.Malformed, "bytes after the end of the answer"},
		"gzip":                      {in("Content-Length: 5", "Transfer-Encoding: gzip"), http1.Malformed, "want chunked"},
	} {
		t.Run(name, func(t *testing.T) {
			series, _ := load(t, moduletest.ServeText(t, test.text, false).URL, one, want)
			s := series[0]
			if test.kind == "" {
				if s.Started != 1 || s.OK != 1 || s.Bytes != 5 || s.Request.Count != 1 || s.TTFB.Count != 1 || s.Connect.Count != 1 || s.Late.Count != 0 {
					t.Errorf("%+v", s)
				}
				return
			}
			if s.OK != 0 || s.Failed[test.kind] != 1 || !strings.Contains(s.Reasons[test.kind], test.error) {
				t.Errorf("failed %v: %q; want %s: %s", s.Failed, s.Reasons, test.kind, test.error)
			}
			if s.Request.Count+s.TTFB.Count != 0 || s.Bytes != 0 {
				t.Errorf("a failure left times behind: %+v", s)
			}
		})
	}
}

// Methods, headers and bodies arrive as asked for, and each VU goes round the ring.
func TestRequestsOfARing(t *testing.T) {
	seen := make(chan string, 100)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		buffer := make([]byte, 1<<16)
		for {
			n, err := c.Read(buffer)
			if err != nil {
				return
			}
			text := strings.Replace(string(buffer[:n]), ln.Addr().String(), "HOST", 1)
			seen <- text
			switch {
			case strings.HasPrefix(text, "HEAD"):
				moduletest.Write(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
			case strings.HasPrefix(text, "POST"):
				moduletest.Write(c, "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
			default:
				moduletest.Write(c, hello)
			}
		}
	}()
	series, _ := load(t, "http://"+ln.Addr().String()+"/base/", strings.Replace(one, "requests: 1", "requests: 4", 1), `[
		{path: "/hello?x=%20y", headers: {b: "2", A: "1"}, answer: {body: "hello"}},
		{method: "HEAD", path: "/nowhere", paths: {a: "/hello", b: "/b"}, answer: {headers: {"content-length": "1000"}}},
		{method: "POST", path: "/new", body: "{\"é\":1}", answer: {status: 201, body: "{}"}}]`)
	if s := series[0]; s.OK != 4 || s.Connect.Count != 1 || s.Bytes != 12 {
		t.Errorf("%+v", s)
	}
	agent := "User-Agent: Grafana k6/test\r\n"
	get := "GET /base/hello?x=%20y HTTP/1.1\r\nHost: HOST\r\n" + agent + "A: 1\r\nb: 2\r\n\r\n"
	for _, want := range []string{
		get, "HEAD /base/hello HTTP/1.1\r\nHost: HOST\r\n" + agent + "\r\n",
		"POST /base/new HTTP/1.1\r\nHost: HOST\r\n" + agent + "Content-Length: 8\r\n\r\n{\"é\":1}", get,
	} {
		if got := <-seen; got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// An answer in any pieces is right, and one of many reads too.
func TestAnAnswerMayComeInAnyPieces(t *testing.T) {
	body := strings.Repeat("0123456789abcdef", 20_000) // more than a read
	text := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for _, size := range []int{1, 7, 1000, len(text)} {
		s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
			for rest, n := text, 0; rest != ""; rest = rest[n:] {
				n = min(size, len(rest))
				if len(text)-len(rest) > 100*size {
					n = len(rest) // the first pieces show it
				}
				moduletest.Write(w, rest[:n])
			}
			return true
		})
		series, _ := load(t, s.URL, strings.Replace(one, "requests: 1", "requests: 3", 1), fmt.Sprintf(`[{answer: {body: %q}}]`, body))
		if r := series[0]; r.OK != 3 || r.Connect.Count != 1 || r.Bytes != 3*int64(len(body)) {
			t.Errorf("in pieces of %d: %d of %d, %v", size, r.OK, r.Started, r.Reasons)
		}
	}
}

// A request that the socket does not take at once is sent in parts.
func TestALongRequestIsSent(t *testing.T) {
	body := strings.Repeat("x", 8<<20)
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool { moduletest.Write(w, hello); return true })
	series, _ := load(t, s.URL, strings.Replace(one, "requests: 1", "requests: 2", 1), fmt.Sprintf(`[{method: "POST", body: %q, answer: {body: "hello"}}]`, body))
	if r := series[0]; r.OK != 2 || r.Connect.Count != 1 || s.Received.Load() < 2*int64(len(body)) {
		t.Errorf("%d of %d, %v; %d bytes came", r.OK, r.Started, r.Reasons, s.Received.Load())
	}
}

// An answer without end is left once its fault is known. A slow one has a timeout, and its target
// gets no further slice.
func TestAnswersWithoutEnd(t *testing.T) {
	two := `[{level: "x", targets: [0], vus: 1, ms: 100}, {level: "x", targets: [0], vus: 1, ms: 100}]`
	for name, test := range map[string]struct {
		begin, flood, kind, error string
		gone                      bool
	}{
		"too long": {"HTTP/1.1 200 OK\r\n\r\nhello", "more", badBody, `byte 5: "more`, false},
		"slow":     {hello[:len(hello)-1], "", http1.TimedOut, "no end after 500ms: 4 bytes of the body", true},
		"silent":   {"", "", http1.TimedOut, "no end after 500ms: 0 bytes", true},
	} {
		t.Run(name, func(t *testing.T) {
			hold := make(chan struct{})
			defer close(hold)
			s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
				moduletest.Write(w, test.begin)
				for test.flood != "" {
					if _, err := w.Write([]byte(strings.Repeat(test.flood, 10_000))); err != nil {
						return false
					}
				}
				<-hold
				return false
			})
			series, done := load(t, s.URL, two, `[{answer: {body: "hello"}}]`)
			if r := series[0]; r.Failed[test.kind] != r.Started || r.Started == 0 || !strings.Contains(r.Reasons[test.kind], test.error) {
				t.Errorf("%d started, failed %v: %q", r.Started, r.Failed, r.Reasons)
			}
			if series[1].Started > 0 == test.gone || (done.GivenUp["a"] == "a request hung in slice 0") != test.gone {
				t.Errorf("slice 1 has %d requests; given up: %v", series[1].Started, done.GivenUp)
			}
		})
	}
}

// A connection that the server closes between two requests fails none of them.
func TestAConnectionThatWasClosedIsReplaced(t *testing.T) {
	for name, text := range map[string]string{"silently": hello, "and says so": strings.Replace(hello, "Content-Type", "Connection: close\r\nContent-Type", 1)} {
		s := moduletest.ServeText(t, text, false)
		series, _ := load(t, s.URL, `[{level: "x", targets: [0], vus: 1, ms: 60000, requests: 5, pause_ms: 400}]`, `[{answer: {body: "hello"}}]`)
		// A pause may be too short for the server.
		if r := series[0]; r.OK < 4 || r.Started != 5 || name != "silently" && (r.OK != 5 || r.Connect.Count != 5) {
			t.Errorf("%s: %d of %d, %v, %d connections", name, r.OK, r.Started, r.Reasons, r.Connect.Count)
		}
	}
}

// A server that answers and shuts its side down has answered.
func TestAHalfClosedConnection(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, hello)
		moduletest.CloseWrite(w)
		<-hold
		return false
	})
	series, _ := load(t, s.URL, `[{level: "x", targets: [0], vus: 2, ms: 60000, requests: 6, pause_ms: 100}]`, `[{answer: {body: "hello"}}]`)
	if r := series[0]; r.OK < 4 || r.Started != 6 || r.Failed[http1.TimedOut] > 0 {
		t.Errorf("%d of %d, %v", r.OK, r.Started, r.Reasons)
	}
}

// A stall of the server is in the latency of all requests that were due in it, since that begins at
// the intended start. Without a rate only the requests that were sent would show it.
func TestAStallShowsInTheLatency(t *testing.T) {
	const stall = 400 * time.Millisecond
	var from time.Time
	s := moduletest.Serve(t, func(w net.Conn, n int64) bool {
		if n == 1 {
			from = time.Now().Add(200 * time.Millisecond)
		}
		if since := time.Since(from); since >= 0 && since < stall {
			time.Sleep(stall - since)
		}
		moduletest.Write(w, hello)
		return true
	})
	// 200 requests are due in a second, and two connections carry them.
	series, done := load(t, s.URL, `[{level: "x", targets: [0], vus: 2, ms: 1000, rate_per_s: 200}]`, `[{answer: {body: "hello"}}]`)
	r := series[0]
	if r.OK != r.Started || r.OK+done.Slices[0].Unsent["a"] != 200 || r.Late.Count == 0 {
		t.Fatalf("%d of %d, unsent %v, %v", r.OK, r.Started, done.Slices[0].Unsent, r.Reasons)
	}
	slow := uint64(0)
	for bucket, n := range r.Request.Buckets {
		if low, _ := hist.Bounds(bucket); low > 100_000 {
			slow += n
		}
	}
	// 60 of the 80 requests of the stall wait for 100 ms or longer. A busy machine adds some.
	if slow < 50 || r.Request.QuantileUS(0.75) < 50_000 {
		t.Errorf("%d of %d requests took over 100 ms, p75 is %.0f us", slow, r.OK, r.Request.QuantileUS(0.75))
	}
}

func TestLoadsThatCannotBe(t *testing.T) {
	const ask = `answer: {body: ""}`
	for requests, want := range map[string]string{
		`[]`:                                                "target a: no requests",
		`[{path: "/"}]`:                                     "request 0: answer: no body; want the expected one",
		`[{` + ask + `, methode: "GET"}]`:                   `unknown field "methode"`,
		`[{` + ask + `, method: "get"}]`:                    `method "get"; want GET`,
		`[{` + ask + `, method: "CONNECT"}]`:                `method "CONNECT"`,
		`[{` + ask + `, headers: {"a b": "c"}}]`:            "is not a header line",
		`[{` + ask + `, headers: {"a": "b\r\nc"}}]`:         "is not a header line",
		`[{` + ask + `, headers: {"Content-Length": "3"}}]`: "the client sets it itself",
		`[{` + ask + `, path: "/ \u0001"}]`:                 "invalid control character",
		`[{answer: {body: "", headers: {a: []}}}]`:          "want a text, or a list of texts that are allowed",
		`[{answer: {body: "", headers: {a: 1}}}]`:           "want a text, or a list of texts that are allowed",
		`[{method: "HEAD", answer: {body: "x"}}]`:           "the answer to HEAD has none",
		`[{answer: {body: ["ab", "b"]}}]`:                   `body "b" is not a beginning of "ab"`,
		`[{` + ask + `}, {path: "/"}]`:                      "request 1: answer",
		`[{answer: {body: "", any_body: true}}]`:            "want one of body, body_base64, json, any_body and stream",
		`[{method: "HEAD", answer: {json: {}}}]`:            "the answer to HEAD has none",
		`[{answer: {body_base64: "?"}}]`:                    "body_base64: illegal base64",
		`[{answer: {json: null}}]`:                          "json: null has nothing to compare",
	} {
		s := moduletest.NewScript(t, "plain", newModule())
		s.Run(t, `plain.schedule({targets: [{name: "a", url: "http://127.0.0.1:1"}], slices: `+one+`})`)
		if _, err := s.Start().RunString(`plain.load({x: {timeout_ms: 1, requests: ` + requests + `}})`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", requests, err, want)
		}
	}
}

// A request must cost no memory: the collector would run on the cores that are measured.
func TestRequestsAllocateNothing(t *testing.T) {
	a := answer{want: &exchange{status: 200, headers: []declared{{"content-type", request.OneOf{"text/plain"}}}, exact: true, body: []byte("hello"), lengths: []int{5}}}
	parser, text := new(http1.Answer), []byte(hello)
	n := testing.AllocsPerRun(1000, func() {
		a = a.next(a.want)
		parser.Reset(false)
		if err := parser.Take(text, headed{&a}); err != nil || !parser.Over() {
			t.Fatal(err)
		}
		if kind, text := a.verdict(nil); kind != "" {
			t.Fatal(kind, text)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for an answer", n)
	}
}

// headed is an answer without a user around it.
type headed struct{ *answer }

func (h headed) Head(head *http1.Head) { h.answer.head(head) }
