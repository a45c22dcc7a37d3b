package http1

import (
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A collector keeps the body of the last answer, and counts the ends.
type collector struct {
	body  []byte
	ends  chan *Failure
	reads int
}

func (c *collector) Head(*Head)           { c.body = nil }
func (c *collector) Body(p []byte) error  { c.body = append(c.body, p...); return nil }
func (c *collector) Enough() bool         { c.reads++; return false }
func (c *collector) End(failure *Failure) { c.ends <- failure }

// serve accepts connections, and handles each with a function.
func serve(t *testing.T, handle func(c net.Conn, number int64)) Address {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	var number atomic.Int64
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go handle(c, number.Add(1))
		}
	}()
	a, err := Resolve(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// loop starts a loop with a client.
func loop(t *testing.T, a Address) (*Loop, *Client, *collector) {
	t.Helper()
	l, err := NewLoop()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	to := &collector{ends: make(chan *Failure, 1)}
	c := l.NewClient(a, to)
	l.Start()
	return l, c, to
}

const (
	request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	empty   = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
)

func write(c net.Conn, text string) { _, _ = io.WriteString(c, text) } // the client may have left

// readRequest reads a request, and returns false when the client has left.
func readRequest(c net.Conn) bool {
	_, err := io.ReadFull(c, make([]byte, len(request)))
	return err == nil
}

// The server closes an idle connection while the loop is busy, so no event has told of it.
func TestAClosedConnectionIsSeenBeforeItsUse(t *testing.T) {
	answered, closed := make(chan struct{}), make(chan struct{})
	a := serve(t, func(c net.Conn, number int64) {
		if readRequest(c) {
			write(c, empty)
		}
		if number == 1 {
			<-answered
			c.Close()
			close(closed)
		}
	})
	l, c, to := loop(t, a)
	send := func() { c.Send([]byte(request), false, time.Minute) }
	l.Do(send)
	if f := <-to.ends; f != nil {
		t.Fatal(f.Text(""))
	}
	l.Do(func() {
		close(answered)
		<-closed
		time.Sleep(10 * time.Millisecond) // for the kernel
		send()
	})
	if f := <-to.ends; f != nil {
		t.Error(f.Text("nothing"))
	}
}

// A server closes an idle connection just as a request comes. The request is sent once more, and only then.
func TestARequestOnAClosedConnectionIsSentAgain(t *testing.T) {
	for name, of := range map[string]struct {
		answers [][]string // of each connection, to its requests; "" closes it
		ends    []string   // of the requests: the kind of failure
		retried []bool
	}{
		"closed while idle":            {[][]string{{empty, ""}, {empty}}, []string{"", ""}, []bool{false, true}},
		"closed again":                 {[][]string{{empty, ""}, {""}, {empty}}, []string{"", Cut, ""}, []bool{false, true, false}},
		"closed at its first request":  {[][]string{{""}, {empty}}, []string{Cut, ""}, []bool{false, false}},
		"closed within an answer":      {[][]string{{empty, empty[:9]}, {empty}}, []string{"", Cut}, []bool{false, false}},
		"closed again after an answer": {[][]string{{empty, ""}, {empty, ""}, {empty}}, []string{"", "", ""}, []bool{false, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, func(c net.Conn, number int64) {
				defer c.Close()
				for _, answer := range of.answers[number-1] {
					if !readRequest(c) {
						return
					}
					if write(c, answer); answer != empty {
						return
					}
				}
				_, _ = io.Copy(io.Discard, c) // the client leaves in the end
			})
			l, c, to := loop(t, a)
			for i, want := range of.ends {
				l.Do(func() { c.Send([]byte(request), false, time.Minute) })
				kind := ""
				if f := <-to.ends; f != nil {
					kind = f.Kind
				}
				was := make(chan bool)
				l.Do(func() { was <- c.Retried })
				if retried := <-was; kind != want || retried != of.retried[i] {
					t.Errorf("request %d: %q, retried %v; want %q, %v", i+1, kind, retried, want, of.retried[i])
				}
			}
		})
	}
}

// A client that has much to read lets others have their turn after some reads, and then goes on.
func TestALongAnswerTakesTurns(t *testing.T) {
	const size = 60 << 10 // fits in the socket
	written := make(chan struct{})
	a := serve(t, func(c net.Conn, _ int64) {
		if readRequest(c) {
			write(c, "HTTP/1.1 200 OK\r\nContent-Length: 61440\r\n\r\n"+string(make([]byte, size)))
			close(written)
		}
	})
	l, c, to := loop(t, a)
	l.buffer = make([]byte, 1<<10)
	l.Do(func() {
		// Connected at once, so that nothing but this function reads.
		fd, err := connect(a)
		if err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Millisecond)
		c.fd = fd
		if err := c.watch(unix.EPOLL_CTL_ADD, 0); err != nil {
			t.Error(err)
		}
		c.Send([]byte(request), false, time.Minute)
		<-written
		c.read()
		if to.reads != maxReads || !c.queued {
			t.Errorf("%d reads, queued: %v; want %d", to.reads, c.queued, maxReads)
		}
	})
	if f := <-to.ends; f != nil || len(to.body) != size {
		t.Errorf("%+v, %d bytes", f, len(to.body))
	}
}

// A connection that fails does not take the loop with it, and neither does one that is refused.
func TestALoopOutlivesFailures(t *testing.T) {
	refused, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Resolve(refused.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	refused.Close()
	l, c, to := loop(t, a)
	for range 3 {
		l.Do(func() { c.Send([]byte(request), false, time.Minute) })
		if f := <-to.ends; f == nil || f.Kind != Refused {
			t.Errorf("%+v", f)
		}
	}
	reset := serve(t, func(c net.Conn, _ int64) {
		readRequest(c)
		_ = c.(*net.TCPConn).SetLinger(0) // closing then sends RST
		c.Close()
	})
	l, c, to = loop(t, reset)
	for range 3 {
		l.Do(func() { c.Send([]byte(request), false, time.Minute) })
		if f := <-to.ends; f == nil || f.Kind != Cut || f.Text("nothing") != "the server reset the connection after nothing: connection reset by peer" {
			t.Errorf("%+v", f)
		}
	}
}

// Timers fire in order, whatever the order in which they are set, and one that is moved comes first.
func TestTimersAreInOrder(t *testing.T) {
	var h timers
	all := make([]timer, 100)
	for i := range all {
		all[i].at = time.Duration((i * 37) % 100)
		h.add(&all[i])
	}
	all[50].at = -1
	h.rise(&all[50])
	if first := h.take(0); first != &all[50] || first.in != 0 {
		t.Error("the timer that was moved is not first")
	}
	last := time.Duration(-1)
	for range 99 {
		next := h.take(100)
		if next == nil || next.at < last {
			t.Fatalf("%+v after %v", next, last)
		}
		last = next.at
	}
	if h.take(100) != nil {
		t.Error("a timer fires twice")
	}
	h.add(&all[1])
	if h.take(all[1].at-1) != nil {
		t.Error("a timer fires early")
	}
}
