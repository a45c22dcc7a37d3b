package files

import (
	"context"
	"fmt"

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
	return c.Closes()
}

// quiet checks that the server prints nothing for each request.
func quiet(_ context.Context, s *verify.Subject) error {
	const requests = 100
	return s.Quiet(requests, fmt.Sprintf("%d requests", requests), func() error {
		for range requests {
			if err := anew(s, "8k-%d"); err != nil {
				return err
			}
		}
		return nil
	})
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
	return s.Terminate(func() error {
		for i := range all {
			if err := all[i].finish(s); err != nil {
				return err
			}
			all[i].Client.Close()
		}
		return nil
	})
}
