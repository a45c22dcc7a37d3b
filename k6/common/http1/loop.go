// Package http1 sends requests of HTTP/1.1 and reads their answers, on event loops. A Loop is a
// thread with an epoll. It serves many clients, and each has one connection and one request at a
// time. A Reader judges the answer as it arrives.
//
// It is built to be cheap on cores that it shares with servers. So there is no goroutine for each
// connection, and no TLS, HTTP/2, proxy, redirect or retry.
package http1

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// readBytes limits one read. A loop has one buffer for all its clients, so the buffer stays in the
// caches. Answers of 200 kB take few reads.
const readBytes = 64 << 10

// A Loop waits for its sockets and timers, and calls their clients. Its clients belong to its thread.
type Loop struct {
	epoll, wake int // file descriptors; wake is an eventfd
	base        time.Time
	clients     []*Client
	open        int       // clients with a request
	again, read []*Client // clients that may have more to read; read is the list of the turn before
	timers      timers
	sweep       time.Duration // next look at the timeouts
	buffer      []byte
	started     bool
	stop        bool
	ended       chan struct{}

	mu    sync.Mutex
	calls []func() // from other threads
}

// sweepEach is the time between two looks at the timeouts, so a timeout may be late by that. A
// timer for each request would cost more.
const sweepEach = 20 * time.Millisecond

// wakeSlot is the wake descriptor's number among the clients.
const wakeSlot = -1

// NewLoop makes a loop. Its clients are made before Start. The caller ends it with Close.
func NewLoop() (*Loop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err == nil {
		err = unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, wake, &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: wakeSlot})
	}
	l := &Loop{epoll: epoll, wake: wake, base: time.Now(), buffer: make([]byte, readBytes), ended: make(chan struct{})}
	if err == nil {
		_, err = l.wait(make([]unix.EpollEvent, 1), 0) // does the kernel have the call?
	}
	if err != nil {
		_ = unix.Close(epoll) // they hold nothing yet
		_ = unix.Close(wake)  // as above
		return nil, fmt.Errorf("epoll: %w; want Linux 5.11 or later", err)
	}
	return l, nil
}

// started counts the loops that run.
var started atomic.Int32

// Start starts the loop's thread. The thread keeps one of the processors of Go's scheduler while it
// waits, so there must be another one for all other goroutines.
func (l *Loop) Start() {
	l.started = true
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), int(started.Add(1))+1))
	go l.run()
}

// Do calls a function on the loop's thread. It does not wait for that.
func (l *Loop) Do(call func()) {
	l.mu.Lock()
	l.calls = append(l.calls, call)
	l.mu.Unlock()
	one := [8]byte{1}
	_, _ = unix.Write(l.wake, one[:]) // a full counter wakes the loop too
}

// Close ends the loop and its connections, and waits for that.
func (l *Loop) Close() {
	if l.started {
		l.Do(func() { l.stop = true })
		<-l.ended
		started.Add(-1)
	}
	for _, c := range l.clients {
		c.close()
	}
	_ = unix.Close(l.epoll) // they hold nothing that anybody waits for
	_ = unix.Close(l.wake)  // as above
}

// Now is the time on the loop's clock, which is monotonic.
func (l *Loop) Now() time.Duration { return time.Since(l.base) }

// Base is the begin of the loop's clock.
func (l *Loop) Base() time.Time { return l.base }

func (l *Loop) run() {
	runtime.LockOSThread() // the thread keeps its caches, and the scheduler has nothing to choose
	defer close(l.ended)
	events := make([]unix.EpollEvent, 256)
	for now := l.Now(); !l.stop; {
		n, err := l.wait(events, l.until(now))
		if err != nil && err != unix.EINTR {
			panic(fmt.Sprintf("epoll_pwait2: %v", err)) // our arguments are valid
		}
		for _, e := range events[:n] {
			if e.Fd == wakeSlot {
				l.callAll()
			} else {
				l.clients[e.Fd].ready(e.Events)
			}
		}
		l.again, l.read = l.read[:0], l.again
		for _, c := range l.read {
			c.queued = false
			c.read()
		}
		now = l.Now()
		for t := l.timers.take(now); t != nil; t = l.timers.take(now) {
			t.call()
		}
		if now >= l.sweep {
			l.sweep = now + sweepEach
			for _, c := range l.clients {
				c.expire(now)
			}
		}
	}
}

func (l *Loop) callAll() {
	var count [8]byte
	_, _ = unix.Read(l.wake, count[:]) // it only says that there are calls
	l.mu.Lock()
	calls := l.calls
	l.calls = nil
	l.mu.Unlock()
	for _, call := range calls {
		call()
	}
}

// until is how long the loop may wait; negative is without end.
func (l *Loop) until(now time.Duration) time.Duration {
	if len(l.again) > 0 {
		return 0
	}
	next := time.Duration(-1)
	if l.open > 0 {
		next = l.sweep
	}
	if len(l.timers) > 0 && (next < 0 || l.timers[0].at < next) {
		next = l.timers[0].at
	}
	if next < 0 {
		return next
	}
	return max(0, next-now)
}

// wait is epoll_pwait2(2). epoll_wait knows whole milliseconds only, so requests that are due at
// random times would begin together.
//
// Go's scheduler does not know that the thread waits. If it knew, it would watch the thread each
// 20 us while others are idle, which took a third of k6's CPU time. To stop the thread, for the
// collector or after 10 ms, Go sends a signal. That ends the wait with EINTR.
func (l *Loop) wait(events []unix.EpollEvent, limit time.Duration) (int, error) {
	var ts *unix.Timespec
	if limit >= 0 {
		ts = new(unix.NsecToTimespec(int64(limit)))
	}
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(l.epoll), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)),
		uintptr(unsafe.Pointer(ts)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
