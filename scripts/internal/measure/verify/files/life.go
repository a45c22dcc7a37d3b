package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"fairstream/scripts/internal/measure/verify"
)

// connectionClose checks that the connection closes after the answer.
func connectionClose(_ context.Context, s *verify.Subject) error {
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	name, want := seeded("200k-%d")
	if err := ask(c, "GET", name, "Connection: close\r\n"); err != nil {
		return err
	}
	a, err := receive(c, want)
	if err == nil {
		err = a.whole()
	}
	if err != nil {
		return err
	}
	if _, err := c.Take(1); !errors.Is(err, io.EOF) {
		return fmt.Errorf("after an answer to Connection: close: %v; want the connection closed", verify.Readable(err))
	}
	return nil
}

// quiet checks that the server prints nothing for each request.
func quiet(_ context.Context, s *verify.Subject) error {
	before, err := os.Stat(s.Log)
	if err != nil {
		return verify.Harness(err)
	}
	const requests = 100
	for range requests {
		if err := anew(s, "8k-%d"); err != nil {
			return err
		}
	}
	after, err := os.Stat(s.Log)
	if err != nil {
		return verify.Harness(err)
	}
	if grown := after.Size() - before.Size(); grown > requests {
		return fmt.Errorf("the server printed %d bytes during %d requests", grown, requests)
	}
	return nil
}

// restart starts the server again on the same port, while the kernel still remembers a client's connection to
// the old one.
func restart(ctx context.Context, s *verify.Subject) error {
	m := held(s, "piece=1k", 2)
	err := m.begin(s, 1)
	if m.Client != nil {
		defer m.Client.Close()
	}
	if err == nil {
		err = s.Restart(ctx)
	}
	if err != nil {
		return err
	}
	return anew(s, "8k-%d")
}

// sigterm has five answers open at SIGTERM. The stub has sent a part of each.
func sigterm(_ context.Context, s *verify.Subject) error {
	all, err := gather(s, 5, "piece=10k", 4)
	defer closeMembers(all)
	if err != nil {
		return err
	}
	s.Server.Signal(syscall.SIGTERM)
	if !s.Refuses() {
		return fmt.Errorf("new connections were still answered %v after SIGTERM", verify.Patience)
	}
	for i := range all {
		if err := all[i].finish(s); err != nil {
			return fmt.Errorf("an answer that was open at SIGTERM: %w", err)
		}
		all[i].Client.Close()
	}
	if err := s.Ended(); err != nil {
		return err
	}
	return verify.AfterSIGTERM(s.Server)
}
