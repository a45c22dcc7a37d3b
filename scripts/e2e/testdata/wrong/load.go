package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func dieAt210(n int64, _ http.ResponseWriter, _ *http.Request) bool {
	if n == 210 {
		die()
	}
	return false
}

// at does a thing at one request.
func at(number int64, do func()) func(int64, http.ResponseWriter, *http.Request) bool {
	return func(n int64, _ http.ResponseWriter, _ *http.Request) bool {
		if n == number {
			do()
		}
		return false
	}
}

func die() {
	fmt.Println("out of luck")
	os.Exit(7)
}

func printMuch() {
	for range 100 {
		os.Stdout.Write(bytes.Repeat([]byte("all is well, and that is worth a line\n"), 1<<20/38))
	}
}

func stopItself() { syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

func fork() { exec.Command("sleep", "600").Start() }

// forkAway leaves a process that is not of the group and burns a core.
func forkAway() {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Start()
}

// exitInRound2 knows the round by where its output goes.
func exitInRound2() {
	if to, _ := os.Readlink("/proc/self/fd/1"); strings.Contains(to, "/2/") {
		fmt.Println("the lock of the last start is still there")
		os.Exit(4)
	}
}

func hangSome(n int64, _ http.ResponseWriter, r *http.Request) bool {
	if n > 200 && n%10 == 8 && n < 240 { // after the warm-up, and early enough for a quick load of few VUs
		<-r.Context().Done()
		return true
	}
	return false
}

var interpreter sync.Mutex

// burn takes 4 ms of one core for each stream.
func burn(int64, http.ResponseWriter, *http.Request) bool {
	interpreter.Lock()
	defer interpreter.Unlock()
	for start := time.Now(); time.Since(start) < 4*time.Millisecond; {
	}
	return false
}

func failTenth(n int64, w http.ResponseWriter, _ *http.Request) bool {
	if n > 200 && n%10 == 0 {
		http.Error(w, "no", http.StatusInternalServerError)
		return true
	}
	return false
}

func failHundredth(n int64, w http.ResponseWriter, _ *http.Request) bool {
	if n%100 == 0 {
		http.Error(w, "no", http.StatusInternalServerError)
		return true
	}
	return false
}

// askAgain asks the stub a second time for each tenth stream, and throws that answer away.
func askAgain(n int64, _ http.ResponseWriter, r *http.Request) bool {
	if n%10 > 0 {
		return false
	}
	body, _ := io.ReadAll(r.Body) // half a request counts as no request
	r.Body = io.NopCloser(bytes.NewReader(body))
	if message, ok := message(body); ok {
		go func() {
			resp, err := http.Post(os.Getenv("STUB_URL")+"/chat/completions", "application/json", bytes.NewReader(asked(message)))
			if err == nil {
				_, _ = io.Copy(io.Discard, resp.Body) // as much as comes
				_ = resp.Body.Close()                 // read only
			}
		}()
	}
	return false
}

func closeConnection(_ int64, w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Connection", "close")
	return false
}

var mu sync.Mutex

// keepSome keeps 2 KiB of each stream.
func keepSome(int64, http.ResponseWriter, *http.Request) bool {
	mu.Lock()
	defer mu.Unlock()
	kept = append(kept, bytes.Repeat([]byte("."), 2<<10))
	return false
}

// tenth is a relay that is wrong for each tenth stream of k6.
func tenth(wrong func(out, *http.Request, io.Reader) error) func(out, *http.Request, io.Reader) error {
	var n atomic.Int64
	return func(o out, r *http.Request, body io.Reader) error {
		if strings.Contains(r.UserAgent(), "k6/") && n.Add(1)%10 == 0 {
			return wrong(o, r, body)
		}
		return relay(o, r, body)
	}
}

func failAll(_ int64, w http.ResponseWriter, _ *http.Request) bool {
	http.Error(w, "no", http.StatusInternalServerError)
	return true
}

// warm is how many requests of k6 are answered as they should be.
const warm = 210

func (s *server) isWarm() bool { return atomic.LoadInt64(&s.requests) > warm }

// later is a relay that goes wrong when k6 has had its warm-up.
func (s *server) later(wrong func(out, *http.Request, io.Reader) error) func(out, *http.Request, io.Reader) error {
	return func(o out, r *http.Request, body io.Reader) error {
		if s.isWarm() {
			return wrong(o, r, body)
		}
		return relay(o, r, body)
	}
}

func readNothing(_ out, r *http.Request, _ io.Reader) error {
	<-r.Context().Done()
	return nil
}

type deafConn struct {
	net.Conn
	*server
}

func (c deafConn) Read(b []byte) (int, error) {
	if c.isWarm() {
		select {}
	}
	return c.Conn.Read(b)
}

func (s *server) deafen(c net.Conn) net.Conn { return deafConn{c, s} }

func (s *server) stayIfLoaded() error {
	if s.isWarm() {
		select {}
	}
	return s.http.Shutdown(context.Background())
}
