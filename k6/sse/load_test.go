package sse

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common/moduletest"
	"fairstream/k6/shared/hist"
)

func histograms(t testing.TB, s *moduletest.Script) (r hist.Report) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.Run(t, `JSON.stringify(sse.histograms())`)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSlicesInAScript(t *testing.T) {
	server := moduletest.ServeText(t, whole(3), true)
	s := moduletest.NewScript(t, "sse", newModule())
	s.Run(t, fmt.Sprintf(`sse.schedule({targets: [{name: "a", url: %q}], slices: [{level: "10", targets: [0], vus: 1, ms: 50}]})`, server.URL))
	got := s.Start().Run(t, `
		let before = sse.slices();
		sse.load({10: {tokens: 3, timeout_ms: 9000, bodies: {a: "{}"}}});
		let report = sse.slices();
		[before.planned, before.slices.length, report.planned, report.slices.length, report.slices[0].targets[0], report.slices[0].level, report.slices[0].cpu_ms.k6 >= 0].join(' ')`)
	if got != "1 0 1 1 a 10 true" {
		t.Error(got)
	}
	r := histograms(t, s).Series
	if len(r) != 1 || r[0].Target != "a" || r[0].Level != "10" || r[0].Slice != "0" || r[0].OK == 0 || r[0].Started != r[0].OK {
		t.Errorf("%+v", r)
	}
	// k6 reports these as data_sent and data_received.
	if s.Dialer.BytesWritten != server.Received.Load() || s.Dialer.BytesRead != server.Sent.Load() {
		t.Errorf("%d bytes sent and %d received; the server got %d and sent %d", s.Dialer.BytesWritten, s.Dialer.BytesRead, server.Received.Load(), server.Sent.Load())
	}
	if _, err := s.RunString(`sse.load({10: {timeout_ms: 9000, bodies: {a: "{}"}}})`); err == nil || !strings.Contains(err.Error(), "sse.load: the schedule was loaded before") {
		t.Error(err)
	}
}

func TestLoadsThatCannotBe(t *testing.T) {
	const schedule = `sse.schedule({targets: [{name: "a", url: "http://127.0.0.1:1/"}], slices: [{level: "x", targets: [0], vus: 1, ms: 1}]});`
	for text, want := range map[string]string{
		`sse.load({})`:                            "sse.load: no schedule; call schedule in the init context",
		schedule + `sse.load({})`:                 `level "x": no shape; want its timeout_ms and bodies`,
		schedule + `sse.load({x: {token: 2}})`:    `unknown field "token"`,
		schedule + `sse.load({x: {tokens: 1.5}})`: "cannot unmarshal number 1.5",
		schedule + `sse.load({x: {tokens: -1, timeout_ms: 1, bodies: {a: ""}}})`:                                       "tokens: -1: want a whole number from 0",
		schedule + `sse.load({x: {timeout_ms: 0, bodies: {a: ""}}})`:                                                   "timeout_ms: 0: want a number over 0",
		schedule + `sse.load({x: {timeout_ms: "20s"}})`:                                                                "cannot unmarshal string",
		schedule + `sse.load({x: {timeout_ms: 1, bodies: {b: ""}}})`:                                                   "target a: no body in bodies",
		strings.Replace(schedule, "http:", "https:", 1) + `sse.load({x: {timeout_ms: 1, bodies: {a: ""}}})`:            "TLS is not spoken",
		strings.Replace(schedule, "http://127.0.0.1:1/", "/", 1) + `sse.load({x: {timeout_ms: 1, bodies: {a: ""}}})`:   "want http://HOST",
		strings.Replace(schedule, "http://127.0.0.1:1/", "", 1) + `sse.load({x: {timeout_ms: 1, bodies: {a: ""}}})`:    "want http://HOST",
		strings.Replace(schedule, "127.0.0.1:1", "a b", 1) + `sse.load({x: {timeout_ms: 1, bodies: {a: ""}}})`:         "invalid character",
		strings.Replace(schedule, "ms: 1}", "ms: 1, rate_per_s: 5}", 1) + `sse.load({x: {timeout_ms: 1, bodies: {}}})`: "rate_per_s, which streams do not have",
	} {
		if _, err := moduletest.NewScript(t, "sse", newModule()).Start().RunString(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	if _, err := moduletest.NewScript(t, "sse", newModule()).RunString(`sse.load({})`); err == nil || !strings.Contains(err.Error(), "init context") {
		t.Error(err)
	}
}

// Many VUs of one process add to the same series; another VU of k6 reads, while
// they do and at the end, as handleSummary does.
func TestHistogramsAreOfTheWholeProcess(t *testing.T) {
	const streams, tokens = 100, 20
	server := moduletest.Serve(t, func(w net.Conn, n int64) bool {
		if n%10 == 0 {
			moduletest.Write(w, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
		} else {
			moduletest.Write(w, whole(tokens))
		}
		return true
	})
	m := newModule()
	s, summary := moduletest.NewScript(t, "sse", m), moduletest.NewScript(t, "sse", m)
	s.Run(t, fmt.Sprintf(`sse.schedule({targets: [{name: "t0", url: %q}, {name: "t1", url: %[1]q}], slices: [{level: "10", targets: [0, 1], vus: 4, ms: 60000, requests: %d}]})`, server.URL, streams))
	ended := make(chan error)
	go func() {
		_, err := s.Start().RunString(fmt.Sprintf(`sse.load({10: {tokens: %d, timeout_ms: 60000, bodies: {t0: "{}", t1: "{}"}}})`, tokens))
		ended <- err
	}()
	for range 20 {
		histograms(t, summary)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	r := histograms(t, summary)
	if r.Layout != hist.Layout || len(r.Series) != 2 || r.Series[0].Target != "t0" || r.Series[1].Target != "t1" ||
		r.Series[0].Level != "10" || r.Series[0].Slice != "0" {
		t.Fatalf("%+v", r)
	}
	var ok, failed int64
	var itls, all hist.Counts
	for _, s := range r.Series {
		if s.Started != streams || s.OK+s.Failed[badStatus] != s.Started || s.NegativeTokenDelay != 0 {
			t.Errorf("%s: %d started, %d ok, failed %v", s.Target, s.Started, s.OK, s.Reasons)
		}
		ok, failed = ok+s.OK, failed+s.Failed[badStatus]
		for _, c := range []hist.Counts{s.Stream, s.TTFT, s.TTFE} {
			if int64(c.Count) != s.OK {
				t.Errorf("%s: %d of %d streams have a time", s.Target, c.Count, s.OK)
			}
		}
		itls.Merge(s.Itl)
		all.Merge(s.TokenDelay)
	}
	if failed != 2*streams/10 || itls.Count != uint64(ok*(tokens-1)) || all.Count != uint64(ok*tokens) {
		t.Errorf("%d ok, %d failed, %d itls, %d token delays", ok, failed, itls.Count, all.Count)
	}
}

// A target whose stream hangs is given up after its slice. The others go on.
func TestAHungTargetIsGivenUp(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	good := moduletest.ServeText(t, whole(2), true)
	bad := moduletest.Serve(t, func(w net.Conn, n int64) bool {
		moduletest.Write(w, header200+chunk(tokenEvent(0, "")))
		<-hold
		return false
	})
	s := moduletest.NewScript(t, "sse", newModule())
	s.Run(t, fmt.Sprintf(`
		const slice = {level: "x", targets: [0, 1], vus: 2, ms: 100};
		sse.schedule({targets: [{name: "good", url: %q}, {name: "bad", url: %q}], slices: [slice, slice, slice]})`, good.URL, bad.URL))
	got := s.Start().Run(t, `
		sse.load({x: {tokens: 2, timeout_ms: 300, bodies: {good: "{}", bad: "{}"}}});
		JSON.stringify(sse.slices().given_up)`)
	if got != `{"bad":"a stream hung in slice 0"}` {
		t.Error(got)
	}
	for _, r := range histograms(t, s).Series {
		first := r.Target == "bad" && r.Slice == "0"
		if first && (r.Failed["timeout"] != 2 || r.Reasons["timeout"] != "no end after 300ms: 1 tokens") {
			t.Errorf("%+v", r)
		}
		if !first && (r.OK != r.Started || (r.OK > 0) != (r.Target == "good")) {
			t.Errorf("%s %s: %d of %d, %v", r.Target, r.Slice, r.OK, r.Started, r.Reasons)
		}
	}
}

// A target that refuses gets a request of each VU every 100 ms, and no more.
func TestARefusingTargetIsAskedNowAndThen(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	s := moduletest.NewScript(t, "sse", newModule())
	s.Run(t, fmt.Sprintf(`sse.schedule({targets: [{name: "a", url: "http://%s/"}], slices: [{level: "x", targets: [0], vus: 2, ms: 450}]})`, ln.Addr()))
	s.Start().Run(t, `sse.load({x: {timeout_ms: 300, bodies: {a: "{}"}}})`)
	r := histograms(t, s).Series[0]
	if n := r.Failed["connect"]; n != r.Started || n < 2 || n > 10 || !strings.Contains(r.Reasons["connect"], "refused") {
		t.Errorf("%d of %d refused: %q", n, r.Started, r.Reasons)
	}
	if busy := s.Run(t, `String(sse.slices().slices[0].busy_ms.a >= 800)`); busy != "true" {
		t.Error("the pauses after refusals do not count as busy")
	}
}

// The end of the run ends the load, and the open streams with it.
func TestTheEndOfTheRunEndsTheLoad(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	server := moduletest.Serve(t, func(w net.Conn, n int64) bool { <-hold; return false })
	s := moduletest.NewScript(t, "sse", newModule())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	s.Ctx = ctx
	s.Run(t, fmt.Sprintf(`sse.schedule({targets: [{name: "a", url: %q}], slices: [{level: "x", targets: [0], vus: 3, ms: 60000}]})`, server.URL))
	s.Start().Run(t, `sse.load({x: {timeout_ms: 60000, bodies: {a: "{}"}}})`)
	if r := histograms(t, s).Series[0]; r.Started != 3 || r.Failed["interrupted"] != 3 {
		t.Errorf("%d started, failed %v", r.Started, r.Failed)
	}
}
