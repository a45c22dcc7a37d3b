package web

import (
	"context"
	"fmt"
	"os"
	"syscall"

	"fairstream/scripts/internal/measure/verify"
)

// quiet counts what the server prints during many requests. What it prints at its first requests does not
// count.
func quiet(_ context.Context, s *verify.Subject) error {
	const requests = 200
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	var before os.FileInfo
	for n := range 10 + requests {
		if n == 10 {
			if before, err = os.Stat(s.Log); err != nil {
				return verify.Harness(err)
			}
		}
		if err := random().do(c); err != nil {
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
	c, err := verify.Dial(s.Port)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := random().do(c); err != nil {
		return err
	}
	if err := s.Restart(ctx); err != nil {
		return err
	}
	return anew(s, random())
}

// sigterm ends the server while connections are open that have had an answer, as those of k6 are.
func sigterm(_ context.Context, s *verify.Subject) error {
	for range 3 {
		c, err := verify.Dial(s.Port)
		if err != nil {
			return err
		}
		defer c.Close()
		if err := random().do(c); err != nil {
			return err
		}
	}
	s.Server.Signal(syscall.SIGTERM)
	if !s.Refuses() {
		return fmt.Errorf("new connections were still answered %v after SIGTERM", verify.Patience)
	}
	if err := s.Ended(); err != nil {
		return err
	}
	return verify.AfterSIGTERM(s.Server)
}
