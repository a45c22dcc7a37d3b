package relay

import (
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

// A tap is a listener that shows the connections it accepts.
type tap struct {
	net.Listener
	accepted chan net.Conn
}

func (l tap) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err == nil {
		l.accepted <- nc
	}
	return nc, err
}

func TestAcceptedConnectionsDoNotDelaySmallWrites(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 1)
	stubtest.StartOn(t, tap{ln, accepted}, Routes)
	dial(t, ln.Addr().String()).ask(chatBody("@tokens=1 @itl=0s", false))

	raw, err := (<-accepted).(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var noDelay int
	var optErr error
	err = raw.Control(func(fd uintptr) {
		noDelay, optErr = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_NODELAY)
	})
	if err != nil || optErr != nil {
		t.Fatal(err, optErr)
	}
	if noDelay == 0 {
		t.Error("TCP_NODELAY is off")
	}
}

func TestConnectionsAreKeptAliveAndNumbered(t *testing.T) {
	_, addr := start(t)
	for number := int64(1); number <= 2; number++ {
		c, id := dial(t, addr), fmt.Sprint("c-", number)
		for range 3 {
			c.ask(chatBody("@tokens=1 @itl=0s @id="+id, false))
		}
		var entries []common.Entry
		c.get("/journal/"+id, &entries)
		if len(entries) != 3 {
			t.Fatalf("%d entries, want 3", len(entries))
		}
		for i, e := range entries {
			if e.Connection != number {
				t.Errorf("request %d came on connection %d, want %d", i, e.Connection, number)
			}
		}
	}
}

func TestRequestsSentAtOnceAreAnsweredInOrder(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	var all string
	for i := range 3 {
		all += post(chatBody(fmt.Sprintf("@itl=0s @id=r-%d", i), false))
	}
	c.write(all)
	for i := range 3 {
		if _, body := c.receive(); !strings.Contains(body, fmt.Sprintf(`"chatcmpl-r-%d"`, i)) {
			t.Errorf("answer %d is %.200s", i, body)
		}
	}
}

func TestConnectionCloseIsHonored(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	c.write(post(chatBody("@tokens=1 @itl=0s", false), "Connection: close"))
	if r, body := c.receive(); r.StatusCode != 200 || !strings.HasSuffix(body, "data: [DONE]\n\n") {
		t.Errorf("status %d: %s", r.StatusCode, body)
	}
	c.isClosed()
}

func TestRequestAfterConnectionCloseIsNotProcessed(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	c := common.NewConn(near, common.NewServer(Routes))
	go func() {
		io.WriteString(far, post(chatBody("@itl=0s", false), "Connection: close")+post(chatBody("@itl=0s @id=late", false))) // its reader lacks it
		io.Copy(io.Discard, far)                                                                                             // until it is closed
	}()
	ended := make(chan struct{})
	go func() {
		c.Serve()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(stubtest.Patience):
		t.Fatal("the connection is closed, and its goroutines go on")
	}
	if n := c.Server.Stats.Requests.Load(); n != 1 {
		t.Errorf("%d requests processed, want 1", n)
	}
	if late := c.Server.Journal.Find("late", false); len(late) != 0 {
		t.Errorf("in the journal: %+v", late)
	}
}

func TestHealthzIsOK(t *testing.T) {
	_, addr := start(t)
	var got map[string]string
	if dial(t, addr).get("/healthz", &got); len(got) != 1 || got["status"] != "ok" {
		t.Errorf("got %v", got)
	}
}
