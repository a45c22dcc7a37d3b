package plain

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/common/moduletest"
	"fairstream/k6/shared/request"
)

// asks sends n requests, one after the other.
func asks(n int) string {
	return strings.Replace(one, "requests: 1", fmt.Sprintf("requests: %d", n), 1)
}

// jsonAnswer is an answer of one or more chunks.
func jsonAnswer(chunks ...string) string {
	text := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, c := range chunks {
		text += fmt.Sprintf("%x\r\n%s\r\n", len(c), c)
	}
	return text + "0\r\n\r\n"
}

// An answer may have more than the wanted JSON value, and nothing else may differ.
func TestABodyHasWhatTheJSONValueHas(t *testing.T) {
	want := `[{answer: {json: {id: 1, tags: ["a"]}}}]`
	for name, test := range map[string]struct{ text, error string }{
		"more keys":     {jsonAnswer(`{"tags": ["a"], "at`, `": 17, "id": 1}`), ""},
		"another value": {jsonAnswer(`{"tags": ["a"], "id": 2}`), "body: id is 2; want 1"},
		"a key less":    {jsonAnswer(`{"id": 1}`), "body: tags is missing"},
		"no JSON":       {jsonAnswer("<html>"), `body "<html>" is not JSON`},
		"no body":       {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", `body "" is not JSON`},
		"until close":   {"HTTP/1.1 200 OK\r\n\r\n" + `{"id": 1, "tags": ["a"]}`, ""},
		"too long":      {jsonAnswer(`{"id": 1, "tags": ["a"], "x": "` + strings.Repeat("x", request.MostJSONBytes) + `"}`), "want a shorter one as JSON"},
	} {
		series, _ := load(t, moduletest.ServeText(t, test.text, false).URL, one, want)
		if s := series[0]; (s.OK == 1) != (test.error == "") || !strings.Contains(s.Reasons[badBody], test.error) {
			t.Errorf("%s: %d of %d, %v; want %q", name, s.OK, s.Started, s.Reasons, test.error)
		}
	}
}

// The first answer to a request and each 16th after it is parsed. Of the others only status and headers are
// compared.
func TestOneOf16JSONBodiesIsParsed(t *testing.T) {
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool { moduletest.Write(w, jsonAnswer(`{"id": 2}`)); return true })
	series, _ := load(t, s.URL, asks(40), `[{answer: {json: {id: 1}}}]`)
	if r := series[0]; r.Failed[badBody] != 3 || r.OK != 37 {
		t.Errorf("%d right, failed %v; want 3 of 40 failed", r.OK, r.Failed)
	}
	series, _ = load(t, s.URL, asks(40), `[{answer: {json: {id: 1}, headers: {"content-type": "text/html"}}}]`)
	if r := series[0]; r.Failed[badHeader] != 40 {
		t.Errorf("%d right, failed %v; want 40 failed", r.OK, r.Failed)
	}
}

// Each of two requests that take turns is parsed, though every second answer belongs to one of them.
func TestBodiesOfEachRequestAreParsed(t *testing.T) {
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool { moduletest.Write(w, jsonAnswer(`{"id": 2}`)); return true })
	series, _ := load(t, s.URL, asks(64), `[{answer: {json: {id: 2}}}, {answer: {json: {id: 1}}}]`)
	if r := series[0]; r.Failed[badBody] != 2 || r.OK != 62 {
		t.Errorf("%d right, failed %v; want 2 of 64 failed", r.OK, r.Failed)
	}
}

func TestBodiesThatAreNotText(t *testing.T) {
	answer := func(body string) string { return "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + body }
	for body, wrong := range map[string]int64{"\xff\x00\xfe": 0, "\xff\x00\xff": 1} {
		series, _ := load(t, moduletest.ServeText(t, answer(body), false).URL, one, `[{answer: {body_base64: "/wD+"}}]`)
		if r := series[0]; r.Failed[badBody] != wrong {
			t.Errorf("%q: failed %v; want %d", body, r.Failed, wrong)
		}
	}
}

// A body that nobody compares may be any, and its status and length still count.
func TestAnyBody(t *testing.T) {
	series, _ := load(t, moduletest.ServeText(t, hello, false).URL, one, `[{answer: {any_body: true}}]`)
	if r := series[0]; r.OK != 1 || r.Bytes != 5 {
		t.Errorf("%+v", r)
	}
	series, _ = load(t, moduletest.ServeText(t, hello, false).URL, one, `[{answer: {status: 201, any_body: true}}]`)
	if r := series[0]; r.Failed[badStatus] != 1 {
		t.Errorf("%+v", r)
	}
	series, _ = load(t, moduletest.ServeText(t, hello[:len(hello)-1], false).URL, one, `[{answer: {any_body: true}}]`)
	if r := series[0]; r.Failed[http1.Cut] != 1 {
		t.Errorf("%+v", r)
	}
}

// A ring may name a request at several places, and each target may have its own.
func TestRingsOfTargets(t *testing.T) {
	paths := make(chan string, 100)
	s := moduletest.NewScript(t, "plain", newModule())
	url := serveAnd(t, func(line string) { paths <- line })
	s.Run(t, fmt.Sprintf(`plain.schedule({targets: [{name: "a", url: %q}, {name: "b", url: %[1]q}], slices: [
		{level: "x", targets: [0], vus: 1, ms: 60000, requests: 5}, {level: "x", targets: [1], vus: 1, ms: 60000, requests: 1}]})`, url))
	s.Start().Run(t, `plain.load({x: {timeout_ms: 500, rings: {
		a: {requests: [{path: "/0", answer: {body: "hello"}}, {path: "/1", answer: {body: "hello"}}], order: [1, 0, 1, 1]},
		b: {requests: [{path: "/b", answer: {body: "hello"}}]}}}})`)
	for i, want := range []string{"/1", "/0", "/1", "/1", "/1", "/b"} {
		if got := <-paths; got != "GET "+want+" HTTP/1.1" {
			t.Errorf("request %d: %q; want %s", i, got, want)
		}
	}
	for rings, want := range map[string]string{
		`{a: {requests: [{answer: {body: ""}}]}}`:                                   "target b: no requests",
		`{a: {requests: [{answer: {body: ""}}], order: [1]}}`:                       "target a: order: 1: there are 1 requests",
		`{a: {requests: [{answer: {body: ""}}, {answer: {body: ""}}], order: [0]}}`: "target a: order: request 1 has no place",
		`{a: {requests: [{answer: {body: ""}}], order: []}, b: {requests: []}}`:     "target a: order: request 0 has no place",
	} {
		s := moduletest.NewScript(t, "plain", newModule())
		s.Run(t, `plain.schedule({targets: [{name: "a", url: "http://127.0.0.1:1"}, {name: "b", url: "http://127.0.0.1:1"}], slices: [{level: "x", targets: [0, 1], vus: 1, ms: 1}]})`)
		if _, err := s.Start().RunString(`plain.load({x: {timeout_ms: 1, rings: ` + rings + `}})`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", rings, err, want)
		}
	}
}

// VUs share the place in a ring whose requests are sent once.
func TestRequestsThatAreSentOnce(t *testing.T) {
	paths := make(chan string, 100)
	s := moduletest.NewScript(t, "plain", newModule())
	url := serveAnd(t, func(line string) { paths <- line })
	s.Run(t, fmt.Sprintf(`plain.schedule({targets: [{name: "a", url: %q}], slices: [{level: "x", targets: [0], vus: 3, ms: 60000, requests: 6}]})`, url))
	s.Start().Run(t, `plain.load({x: {timeout_ms: 500, rings: {a: {once: true, requests: ["/0", "/1", "/2", "/3", "/4", "/5"].map((path) => ({path, answer: {body: "hello"}}))}}}})`)
	sent := map[string]int{}
	for range 6 {
		sent[<-paths]++
	}
	if len(sent) != 6 {
		t.Errorf("%v; want each path once", sent)
	}
}

// So do instances of k6, whatever each has of the VUs.
func TestInstancesSendEachRequestOnce(t *testing.T) {
	paths := make(chan string, 100)
	url, start := serveAnd(t, func(line string) { paths <- line }), time.Now().Add(500*time.Millisecond).UnixMilli()
	var both sync.WaitGroup
	for _, segment := range []string{"0:1/2", "1/2:1"} {
		s := moduletest.NewScript(t, "plain", newModule())
		s.Run(t, fmt.Sprintf(`plain.schedule({targets: [{name: "a", url: %q}], start_at_ms: %d, drain_ms: 1000,
			slices: [{level: "x", targets: [0], vus: 3, ms: 60000, requests: 7}]})`, url, start))
		both.Go(func() {
			_, err := s.Start(segment).RunString(`plain.load({x: {timeout_ms: 500, rings: {a: {once: true,
				requests: [0, 1, 2, 3, 4, 5, 6].map((n) => ({path: "/" + n, answer: {body: "hello"}}))}}}})`)
			if err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	close(paths)
	sent := map[string]int{}
	for path := range paths {
		sent[path]++
	}
	if len(sent) != 7 || slices.Max(slices.Collect(maps.Values(sent))) != 1 {
		t.Errorf("%v; want each path once", sent)
	}
}

// serveAnd answers with hello, and tells the first line of each request.
func serveAnd(t *testing.T, tell func(line string)) (url string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for buffer := make([]byte, 4096); ; {
					n, err := c.Read(buffer)
					if err != nil {
						return
					}
					line, _, _ := strings.Cut(string(buffer[:n]), "\r\n")
					tell(line)
					moduletest.Write(c, hello)
				}
			}()
		}
	}()
	return "http://" + ln.Addr().String()
}

// A JSON body that is not parsed costs no memory either.
func TestUnparsedBodiesAllocateNothing(t *testing.T) {
	a := answer{want: &exchange{status: 200, json: map[string]any{"id": true}}}
	parser, text := new(http1.Answer), []byte(jsonAnswer(`{"id": true}`))
	n := testing.AllocsPerRun(1000, func() {
		a.want.answers.Store(1)
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

func BenchmarkParsedBody(b *testing.B) {
	body := `{"items": [` + strings.Repeat(`{"id": 12345, "name": "a name", "done": false}, `, 20) + `{}], "id": true}`
	a := answer{want: &exchange{status: 200, json: map[string]any{"id": true}}}
	parser, text := new(http1.Answer), []byte(jsonAnswer(body))
	for b.Loop() {
		a.want.answers.Store(0)
		a = a.next(a.want)
		parser.Reset(false)
		if err := parser.Take(text, headed{&a}); err != nil {
			b.Fatal(err)
		}
		if kind, text := a.verdict(nil); kind != "" {
			b.Fatal(kind, text)
		}
	}
	b.ReportMetric(float64(len(body)), "bytes/body")
}
