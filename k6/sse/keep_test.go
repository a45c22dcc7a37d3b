package sse

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"fairstream/k6/common/http1"
	"fairstream/k6/common/moduletest"
)

func contextOf(t testing.TB) (context.Context, context.CancelFunc) {
	return context.WithCancel(t.Context())
}

func TestOneConnectionCarriesManyStreams(t *testing.T) {
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool { moduletest.Write(w, whole(3)); return true })
	v := testVU(t)
	for i := range 20 {
		a := v.post(t, s.URL, ask{tokens: 3})
		if !a.OK || a.Reused != (i > 0) || (a.Connect == nil) != (i > 0) {
			t.Fatalf("stream %d: %+v", i, a)
		}
	}
	if n := s.Connections.Load(); n != 1 {
		t.Errorf("%d connections; want 1", n)
	}
	u := v.users[strings.Split(s.URL, "/")[2]]
	if got := u.Sent; got != s.Received.Load() {
		t.Errorf("the client counts %d bytes sent; the server got %d", got, s.Received.Load())
	}
	// The server counts what it has written, which the client may read before.
	for end := time.Now().Add(2 * time.Minute); s.Sent.Load() < u.Came && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if got := u.Came; got != s.Sent.Load() {
		t.Errorf("the client counts %d bytes received; the server sent %d", got, s.Sent.Load())
	}
}

func TestAnAnswerThatIsRefusedKeepsTheConnection(t *testing.T) {
	s := moduletest.Serve(t, func(w net.Conn, n int64) bool {
		if n == 1 {
			moduletest.Write(w, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\nbusy")
			return true
		}
		moduletest.Write(w, whole(3))
		return true
	})
	v := testVU(t)
	if a := v.post(t, s.URL, ask{}); a.Status != 502 || a.Error != "status 502: busy" {
		t.Errorf("%+v", a)
	}
	if a := v.post(t, s.URL, ask{}); !a.OK || !a.Reused {
		t.Errorf("%+v", a)
	}
}

// A connection that the server closed between two streams must not fail the second.
func TestAConnectionThatWasClosedIsReplaced(t *testing.T) {
	answered, closed := make(chan struct{}), make(chan struct{}, 10)
	for name, end := range map[string]string{"silently": "", "with a late word": "HTTP/1.1 408 Request Timeout\r\n\r\n"} {
		t.Run(name, func(t *testing.T) {
			s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
				moduletest.Write(w, whole(1))
				<-answered
				moduletest.Write(w, end)
				w.Close()
				closed <- struct{}{}
				return false
			})
			v := testVU(t)
			for range 3 {
				if a := v.post(t, s.URL, ask{tokens: 1}); !a.OK || a.Reused {
					t.Errorf("%+v", a)
				}
				answered <- struct{}{}
				<-closed
			}
			if n := s.Requests.Load(); n != 3 {
				t.Errorf("%d requests came for 3 streams", n)
			}
		})
	}
}

func TestAServerMaySayClose(t *testing.T) {
	whole := strings.Replace(whole(2), "\r\n\r\n", "\r\nConnection: Close\r\n\r\n", 1)
	bare := "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + tokenEvent(0, "") + tokenEvent(1, "") + doneEvent
	// The first server says so and leaves the closing to the client.
	for text, keep := range map[string]bool{whole: true, bare: false} {
		s := moduletest.ServeText(t, text, keep)
		v := testVU(t)
		for range 2 {
			if a := v.post(t, s.URL, ask{tokens: 2}); !a.OK || a.Reused {
				t.Errorf("%+v", a)
			}
		}
	}
}

// What ends with the connection must be seen to end: the last bytes and the
// end may come as one.
func TestAnEndThatComesWithTheLastBytes(t *testing.T) {
	bare := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + tokenEvent(0, "") + doneEvent
	truncated := header200 + chunk(roleEvent) + chunk(tokenEvent(0, ""))
	v := testVU(t)
	for range 50 {
		if a := v.post(t, moduletest.ServeText(t, bare, false).URL, ask{}); !a.OK {
			t.Errorf("%+v", a)
		}
	}
	for range 50 {
		if a := v.post(t, moduletest.ServeText(t, truncated, false).URL, ask{timeoutMS: 30000}); a.Kind != http1.Cut {
			t.Errorf("%+v", a)
		}
	}
}

func TestAStreamMayPause(t *testing.T) {
	s := moduletest.Serve(t, func(w net.Conn, _ int64) bool {
		moduletest.Write(w, header200+chunk(tokenEvent(0, "")))
		time.Sleep(50 * time.Millisecond)
		moduletest.Write(w, chunk(tokenEvent(1, ""))+chunk(doneEvent)+chunk(""))
		return true
	})
	if a := testVU(t).post(t, s.URL, ask{tokens: 2}); !a.OK {
		t.Errorf("%+v", a)
	}
}
