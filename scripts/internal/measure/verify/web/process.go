package web

import (
	"context"
	"fmt"

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
	several := func(n int) error {
		for range n {
			if err := random().do(c); err != nil {
				return err
			}
		}
		return nil
	}
	if err := several(10); err != nil {
		return err
	}
	return s.Quiet(requests, fmt.Sprintf("%d requests", requests), func() error { return several(requests) })
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
	return s.Terminate(func() error { return nil })
}
