package sse

import (
	"net"
	"runtime"
	"testing"

	"fairstream/k6/common"
	"fairstream/k6/common/moduletest"
)

func TestARequestIsWhole(t *testing.T) {
	s := shape{TimeoutMS: 1, Bodies: map[string]string{"a": "héllo"}}
	r, err := s.request(common.Target{Name: "a", URL: "http://example.test/chat?x=1"}, "k6")
	if err != nil {
		t.Fatal(err)
	}
	want := "POST /chat?x=1 HTTP/1.1\r\nHost: example.test\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\n" +
		"User-Agent: k6\r\nContent-Length: 6\r\n\r\nhéllo"
	if string(r.bytes) != want || r.want != -1 {
		t.Errorf("%q, %d tokens; want %q", r.bytes, r.want, want)
	}
}

// An hour of load must take no more memory than a minute: two bytes kept of
// each token would be 800 kB here.
func TestMemoryDoesNotGrowWithStreams(t *testing.T) {
	const tokens = 200
	text := whole(tokens)
	s := moduletest.ServeText(t, text, true)
	v := testVU(t)
	heap := func(streams int) int64 {
		for range streams {
			if a := v.post(t, s.URL, ask{target: "a", tokens: tokens}); !a.OK {
				t.Fatalf("%+v", a)
			}
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

func BenchmarkPost(b *testing.B) {
	v := testVU(b)
	s := moduletest.Serve(b, func(w net.Conn, _ int64) bool { moduletest.Write(w, whole(20)); return true })
	b.ReportAllocs()
	for b.Loop() {
		if a := v.post(b, s.URL, ask{target: "a", tokens: 20}); !a.OK {
			b.Fatal(a)
		}
	}
}
