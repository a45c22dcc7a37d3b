package files

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/verify"
)

// broken expects that a file of 200 kB that the upstream breaks off does not look complete: its body breaks
// off too, or the answer is an error. The next request must work.
func broken(directives string) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		for range 3 { // a reset may overtake the bytes before it
			if err := breaksOff(s, "200k-%d,"+directives); err != nil {
				return err
			}
			if err := anew(s, "8k-%d"); err != nil {
				return fmt.Errorf("the request after it: %w", err)
			}
		}
		return nil
	}
}

func breaksOff(s *verify.Subject, form string) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	name, want := seeded(form)
	if err := ask(c, "GET", name, ""); err != nil {
		return err
	}
	head, err := c.Head()
	switch {
	case verify.IsSilence(err):
		return fmt.Errorf("GET /files/%s: after the upstream's end there is no answer: %w", name, err)
	case err != nil || head.Status == 502 || head.Status == 503:
		return nil // the client saw the error
	case head.Status != 200:
		return fmt.Errorf("GET /files/%s: status %d; want 200, 502 or 503", name, head.Status)
	}
	a := &answer{head, want}
	switch err := a.rest(); {
	case err == nil:
		return fmt.Errorf("GET /files/%s: the answer ends cleanly after %d bytes of 200000; want a broken body", name, len(a.Body))
	case verify.IsSilence(err):
		return fmt.Errorf("GET /files/%s: after the upstream's end, the answer neither ended nor broke off: %w", name, err)
	}
	return nil
}

// fails expects one of two statuses, and a working connection to the upstream afterwards.
func fails(directives string, status, or int) func(context.Context, *verify.Subject) error {
	return func(_ context.Context, s *verify.Subject) error {
		for range 2 {
			if err := hasStatus(s, "GET", "/files/8k-1,"+directives, status, or); err != nil {
				return err
			}
			if err := anew(s, "8k-%d"); err != nil {
				return fmt.Errorf("the request after it: %w", err)
			}
		}
		return nil
	}
}

func hasStatus(s *verify.Subject, method, path string, status, or int) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Send(method, path, "", ""); err != nil {
		return err
	}
	a, err := c.Head()
	if err == nil && a.Status != status && a.Status != or {
		err = fmt.Errorf("status %d; want %d", a.Status, status)
		if or != status {
			err = fmt.Errorf("%w or %d", err, or)
		}
	}
	if err == nil {
		err = (&answer{Answer: a}).rest()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, verify.Readable(err))
	}
	return nil
}

func paths(_ context.Context, s *verify.Subject) error {
	for _, path := range []string{"/nowhere", "/files", "/files/8k-1/8k-1", "/journal/a"} {
		if err := hasStatus(s, "GET", path, 404, 404); err != nil {
			return err
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		if err := hasStatus(s, method, "/files/8k-1", 404, 405); err != nil {
			return err
		}
	}
	return nil
}

// stale lets the upstream close its idle connection between requests. A server that watches idle connections
// gets time to notice. Another server, which the first request reveals, must try again.
func stale(_ context.Context, s *verify.Subject) error {
	watches := true
	for n := range 3 {
		if err := anew(s, "8k-%d,hangup"); err != nil {
			return fmt.Errorf("request %d, after the upstream had closed its idle connection: %w", n+1, err)
		}
		seen := false
		for deadline := time.Now().Add(2 * time.Second); !seen && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			left, closed, err := idle(s)
			if err != nil {
				return err
			}
			seen = left == 0 || !watches && closed
		}
		watches = watches && seen
	}
	return nil
}

// idle counts the server's open connections to the stub, and reports whether the stub has closed all of them.
func idle(s *verify.Subject) (left int, closed bool, err error) {
	open, err := s.Sockets(func(_, peer int) bool { return peer == s.StubPort })
	defer verify.CloseAll(open)
	closed = true
	for _, fd := range open {
		info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			return 0, false, verify.Harness(fmt.Errorf("TCP_INFO: %w", err))
		}
		closed = closed && info.State == unix.BPF_TCP_CLOSE_WAIT
	}
	return len(open), closed, err
}
