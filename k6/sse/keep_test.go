package sse

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

func contextOf(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

func TestOneConnectionCarriesManyStreams(t *testing.T) {
	s := serve(t, func(w net.Conn, _ int64) bool { write(w, stream(3)); return true })
	v := testVU(t)
	for i := range 20 {
		a := v.post(t, s.url, `{tokens: 3}`)
		if !a.OK || a.Reused != (i > 0) || (a.Connect == nil) != (i > 0) {
			t.Fatalf("stream %d: %+v", i, a)
		}
	}
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections; want 1", n)
	}
	if got := v.dialer.BytesWritten; got != s.received.Load() {
		t.Errorf("k6 counts %d bytes sent; the server got %d", got, s.received.Load())
	}
	// The server counts what it has written, which the client may read before.
	for end := time.Now().Add(2 * time.Minute); s.sent.Load() < v.dialer.BytesRead && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if got := v.dialer.BytesRead; got != s.sent.Load() {
		t.Errorf("k6 counts %d bytes received; the server sent %d", got, s.sent.Load())
	}
}

func TestAnAnswerThatIsRefusedKeepsTheConnection(t *testing.T) {
	s := serve(t, func(w net.Conn, n int64) bool {
		if n == 1 {
			write(w, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\nbusy")
			return true
		}
		write(w, stream(3))
		return true
	})
	v := testVU(t)
	if a := v.post(t, s.url, `{}`); a.Status != 502 || a.Error != "status 502: busy" || a.Bytes != 4 {
		t.Errorf("%+v", a)
	}
	if a := v.post(t, s.url, `{}`); !a.OK || !a.Reused {
		t.Errorf("%+v", a)
	}
}

// A connection that the server closed between two streams must not fail the second.
func TestAConnectionThatWasClosedIsReplaced(t *testing.T) {
	answered, closed := make(chan struct{}), make(chan struct{}, 10)
	for name, end := range map[string]string{"silently": "", "with a late word": "HTTP/1.1 408 Request Timeout\r\n\r\n"} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w net.Conn, _ int64) bool {
				write(w, stream(1))
				<-answered
				write(w, end)
				w.Close()
				closed <- struct{}{}
				return false
			})
			v := testVU(t)
			for range 3 {
				if a := v.post(t, s.url, `{tokens: 1}`); !a.OK || a.Reused {
					t.Errorf("%+v", a)
				}
				answered <- struct{}{}
				<-closed
			}
			if n := s.requests.Load(); n != 3 {
				t.Errorf("%d requests came for 3 streams", n)
			}
		})
	}
}

func TestAServerMaySayClose(t *testing.T) {
	whole := strings.Replace(stream(2), "\r\n\r\n", "\r\nConnection: Close\r\n\r\n", 1)
	bare := "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + tokenEvent(0, "") + tokenEvent(1, "") + doneEvent
	for _, text := range []string{whole, bare} {
		s := serveText(t, text, false)
		v := testVU(t)
		for range 2 {
			if a := v.post(t, s.url, `{tokens: 2}`); !a.OK || a.Reused {
				t.Errorf("%+v", a)
			}
		}
	}
}

func TestNoConnectionReuse(t *testing.T) {
	s := serveText(t, stream(1), true)
	v := testVU(t)
	v.state.Options.NoConnectionReuse.Bool = true
	for range 3 {
		if a := v.post(t, s.url, `{}`); !a.OK {
			t.Errorf("%+v", a)
		}
	}
	if n := s.connections.Load(); n != 3 {
		t.Errorf("%d connections; want 3", n)
	}
}

func TestFewAddressesAreKept(t *testing.T) {
	v := testVU(t)
	for range maxIdle + 10 {
		if a := v.post(t, serveText(t, stream(1), true).url, `{}`); !a.OK || len(v.instance.client.conns) > maxIdle {
			t.Fatalf("%d kept: %+v", len(v.instance.client.conns), a)
		}
	}
}

// What ends with the connection must be seen to end: the last bytes and the
// end may come as one.
func TestAnEndThatComesWithTheLastBytes(t *testing.T) {
	bare := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + tokenEvent(0, "") + doneEvent
	truncated := header200 + chunk(roleEvent) + chunk(tokenEvent(0, ""))
	v := testVU(t)
	defer func(d time.Duration) { recheck = d }(recheck)
	recheck = time.Hour // is not what finds it
	for range 50 {
		if a := v.post(t, serveText(t, bare, false).url, `{}`); !a.OK {
			t.Errorf("%+v", a)
		}
	}
	recheck = 20 * time.Millisecond // is
	for range 50 {
		if a := v.post(t, serveText(t, truncated, false).url, `{timeout_ms: 30000}`); a.Kind != cut {
			t.Errorf("%+v", a)
		}
	}
}

func TestAStreamMayBeLongerThanARecheck(t *testing.T) {
	s := serve(t, func(w net.Conn, _ int64) bool {
		write(w, header200+chunk(tokenEvent(0, "")))
		time.Sleep(recheck * 5 / 2)
		write(w, chunk(tokenEvent(1, ""))+chunk(doneEvent)+chunk(""))
		return true
	})
	if a := testVU(t).post(t, s.url, `{tokens: 2}`); !a.OK {
		t.Errorf("%+v", a)
	}
}

// A dialer that is not k6's is refused: its bytes would not be counted.
func TestOnlyK6sDialer(t *testing.T) {
	v := testVU(t)
	v.state.Dialer = new(net.Dialer)
	if a := v.post(t, serveText(t, stream(1), true).url, `{}`); a.Kind != refused || a.Error != errNoTCP.Error() {
		t.Errorf("%+v", a)
	}
}

func TestSamples(t *testing.T) {
	s := serve(t, func(w net.Conn, n int64) bool {
		if n == 2 {
			write(w, header200+chunk(""))
			return true
		}
		write(w, stream(3))
		return true
	})
	v := testVU(t)
	for range 2 {
		v.post(t, s.url, `{target: "go-http", tags: {color: "red"}}`)
	}
	for i, want := range []struct {
		values map[string]float64
		ok     string
	}{
		{map[string]float64{"http_reqs": 1, "http_req_failed": 0, "http_req_duration": -1, "sse_ttft": -1}, "true"},
		{map[string]float64{"http_reqs": 1, "http_req_failed": 1, "http_req_duration": -1}, "false"},
	} {
		samples := (<-v.samples).GetSamples()
		if len(samples) != len(want.values) {
			t.Fatalf("stream %d: %d samples; want %d", i, len(samples), len(want.values))
		}
		for _, sample := range samples {
			value, ok := want.values[sample.Metric.Name]
			if !ok || value >= 0 && sample.Value != value || sample.Value < 0 || time.Since(sample.Time) > time.Minute {
				t.Errorf("stream %d: %s is %v at %v; want %v", i, sample.Metric.Name, sample.Value, sample.Time, value)
			}
			tags := sample.Tags.Map()
			if fmt.Sprint(tags) != fmt.Sprintf("map[color:red expected_response:%s method:POST status:200 target:go-http]", want.ok) {
				t.Errorf("stream %d: tags %v", i, tags)
			}
		}
	}
	if len(v.samples) != 0 {
		t.Error("more than one push for a stream")
	}
}
