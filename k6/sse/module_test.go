package sse

import (
	"encoding/json"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/grafana/sobek"
	"go.k6.io/k6/metrics"

	"fairstream/k6/common"
	"fairstream/k6/common/hist"
)

func TestParams(t *testing.T) {
	v := testVU(t)
	s := serveText(t, stream(2), true)
	for params, want := range map[string]string{
		`{token: 2}`:                 "token: no such option",
		`{tokens: 1.5}`:              "want a whole number from 0",
		`{tokens: -1}`:               "want a whole number from 0",
		`{timeout_ms: 0}`:            "want a number over 0",
		`{timeout_ms: "20s"}`:        "want a number over 0",
		`{headers: {"a": "b\r\nc"}}`: "is not a header line",
		`{headers: {"a b": "c"}}`:    "is not a header line",
		`{tags: {a: {}}}`:            "invalid value for metric tag 'a'",
	} {
		_, err := v.rt.RunString(fmt.Sprintf(`sse.post(%q, "", %s)`, s.url, params))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", params, err, want)
		}
	}
	for url, want := range map[string]string{
		"https://127.0.0.1/chat": "TLS is not spoken",
		"/chat":                  "want http://HOST",
		"":                       "want http://HOST",
		"http://a b/":            "invalid character",
	} {
		_, err := v.rt.RunString(fmt.Sprintf(`sse.post(%q, "")`, url))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", url, err, want)
		}
	}
	if a := v.post(t, s.url, `undefined`); !a.OK {
		t.Errorf("without params: %+v", a)
	}
	if a := v.post(t, strings.Replace(s.url, "/chat", "", 1), `null`); !a.OK {
		t.Errorf("without a path: %+v", a)
	}
}

func TestARequestIsWholeAndHasTheHeadersAskedFor(t *testing.T) {
	m := new(memo)
	got, err := m.target("http://example.test/chat?x=1")
	if err != nil || got.addr != "example.test:80" {
		t.Fatal(got, err)
	}
	text := m.request(got, []header{{"accept", "*/*"}, {"Content-Length", "7"}, {"X", "y"}}, "k6", "héllo")
	want := "POST /chat?x=1 HTTP/1.1\r\nHost: example.test\r\naccept: */*\r\nX: y\r\n" +
		"Content-Type: application/json\r\nUser-Agent: k6\r\nContent-Length: 6\r\n\r\nhéllo"
	if string(text) != want {
		t.Errorf("%q; want %q", text, want)
	}
}

func TestTheInitContextHasNoStreams(t *testing.T) {
	v := newVU(t, &rootModule{}, metrics.NewRegistry())
	_, err := v.rt.RunString(`sse.post("http://127.0.0.1/", "")`)
	if err == nil || !strings.Contains(err.Error(), "init context") {
		t.Error(err)
	}
}

func TestAResultIsReadOnlyAndFlat(t *testing.T) {
	v := testVU(t)
	s := serveText(t, stream(2), true)
	got, err := v.rt.RunString(fmt.Sprintf(`
		const r = sse.post(%q, "");
		r.ok = false;
		delete r.status;
		[r.ok, r.status, "ok" in r, "nothing" in r, r.nothing === undefined, Object.keys(r).length].join()`, s.url))
	if want := fmt.Sprintf("true,200,true,false,true,%d", len(fields)); err != nil || got.String() != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
}

// Many VUs of one process add to the same series; another one reads, while
// they do and at the end, as handleSummary does.
func TestHistogramsAreOfTheWholeProcess(t *testing.T) {
	const vus, streams, tokens = 8, 25, 20
	registry := metrics.NewRegistry()
	builtin := metrics.RegisterBuiltinMetrics(registry)
	root := &rootModule{}
	s := serve(t, func(w net.Conn, n int64) bool {
		if n%10 == 0 {
			write(w, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
		} else {
			write(w, stream(tokens))
		}
		return true
	})
	var wg sync.WaitGroup
	for i := range vus {
		v := newVU(t, root, registry).start(builtin, registry.RootTagSet())
		wg.Go(func() {
			for range streams {
				v.post(t, s.url, fmt.Sprintf(`{tokens: %d, target: "t%d", level: 10, slice: 1}`, tokens, i%2))
				<-v.samples
			}
		})
	}
	summary := newVU(t, root, registry)
	histograms := func() (r hist.Report) {
		v, err := summary.rt.RunString(`JSON.stringify(sse.histograms())`)
		if err != nil {
			t.Error(err)
			return r
		}
		if err := json.Unmarshal([]byte(v.String()), &r); err != nil {
			t.Error(err)
		}
		return r
	}
	for range 20 {
		histograms()
	}
	wg.Wait()

	r := histograms()
	if r.Layout != hist.Layout || len(r.Series) != 2 || r.Series[0].Target != "t0" || r.Series[1].Target != "t1" ||
		r.Series[0].Level != "10" || r.Series[0].Slice != "1" {
		t.Fatalf("%+v", r)
	}
	var ok, failed int64
	var itls, all hist.Counts
	for _, s := range r.Series {
		if s.Started != vus*streams/2 || s.OK+s.Failed[badStatus] != s.Started || s.NegativeTokenDelay != 0 {
			t.Errorf("%s: %d started, %d ok, failed %v", s.Target, s.Started, s.OK, s.Failed)
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
	if failed != vus*streams/10 || itls.Count != uint64(ok*(tokens-1)) || all.Count != uint64(ok*tokens) {
		t.Errorf("%d ok, %d failed, %d itls, %d token delays", ok, failed, itls.Count, all.Count)
	}
}

func TestASeriesPerStreamIsRefused(t *testing.T) {
	v := testVU(t)
	s := serveText(t, stream(1), true)
	for i := range common.MaxSeries {
		if _, err := v.instance.ledger.Get(common.Key{Slice: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := v.rt.RunString(fmt.Sprintf(`sse.post(%q, "", {slice: "one more"})`, s.url))
	if err == nil || !strings.Contains(err.Error(), "one more: more than 2000") {
		t.Error(err)
	}
}

func TestThrow(t *testing.T) {
	v := testVU(t)
	v.state.Options.Throw.Bool = true
	_, err := v.rt.RunString(fmt.Sprintf(`sse.post(%q, "")`, serveText(t, header200+chunk(""), true).url))
	if err == nil || !strings.Contains(err.Error(), "sse.post: no [DONE] after 0 tokens") {
		t.Error(err)
	}
}

// An hour of load must take no more memory than a minute: two bytes kept of
// each token would be 800 kB here.
func TestMemoryDoesNotGrowWithStreams(t *testing.T) {
	const tokens = 200
	text := stream(tokens)
	s := serveText(t, text, true)
	v := testVU(t)
	heap := func(streams int) int64 {
		for range streams {
			if a := v.post(t, s.url, fmt.Sprintf(`{target: "a", tokens: %d}`, tokens)); !a.OK {
				t.Fatalf("%+v", a)
			}
			<-v.samples
		}
		runtime.GC()
		runtime.GC() // what finalizers and pools held until the first
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap(200)
	if grown := heap(2000) - before; grown > 400_000 {
		t.Errorf("%d bytes more are held after 2000 streams of %d tokens", grown, tokens)
	}
}

// A VU's memory between streams does not grow with the longest stream.
func TestALongEventIsNotKept(t *testing.T) {
	v := testVU(t)
	long := header200 + chunk(tokenEvent(0, strings.Repeat("x", 10*keptBytes))[:5*keptBytes]) + chunk("")
	s := serve(t, func(w net.Conn, n int64) bool {
		if n == 1 {
			write(w, long)
		} else {
			write(w, stream(1))
		}
		return true
	})
	v.post(t, s.url, `{}`)
	if kept := cap(v.instance.client.events.pending); kept < 5*keptBytes {
		t.Fatalf("%d bytes held; the test wants a long event", kept)
	}
	if a := v.post(t, s.url, `{}`); !a.OK {
		t.Errorf("%+v", a)
	}
	c := v.instance.client
	if kept := cap(c.events.pending) + cap(c.in) + cap(c.m.itls.buckets); kept > 2*keptBytes {
		t.Errorf("%d bytes are kept", kept)
	}
}

func BenchmarkPost(b *testing.B) {
	v := testVU(b)
	s := serve(b, func(w net.Conn, _ int64) bool { write(w, stream(20)); return true })
	call, err := v.rt.RunString(fmt.Sprintf(`() => sse.post(%q, "{}", {target: "a", level: "10", tokens: 20}).ok`, s.url))
	if err != nil {
		b.Fatal(err)
	}
	post, _ := sobek.AssertFunction(call)
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := post(nil); err != nil || !ok.ToBoolean() {
			b.Fatal(ok, err)
		}
		<-v.samples
	}
}
