package relay

import (
	"context"

	"fairstream/scripts/internal/measure/verify"
)

// A subject is a running server, with what this package asks of it.
type subject struct{ *verify.Subject }

// A client is a connection to a server that can chat.
type client struct{ *verify.Client }

// An answer is a stream of events.
type answer struct {
	*verify.Answer
	c       *client
	scanned int // bytes of Body that next has passed
}

type entry = verify.Entry

func must(clause, name, means string, run func(context.Context, *subject) error) verify.Check {
	return verify.Check{Clause: clause, Name: name, Must: true, Means: means,
		Run: func(ctx context.Context, s *verify.Subject) error { return run(ctx, &subject{s}) }}
}

func should(clause, name, means string, run func(context.Context, *subject) error) verify.Check {
	c := must(clause, name, means, run)
	c.Must = false
	return c
}

// first makes a check run before the others.
func first(c verify.Check) verify.Check {
	c.First = true
	return c
}

func dial(port int, option ...func(fd int) error) (*client, error) {
	c, err := verify.Dial(port, option...)
	if err != nil {
		return nil, err
	}
	return &client{c}, nil
}

// head reads a response up to its body.
func (c *client) head() (*answer, error) {
	a, err := c.Head()
	if err != nil {
		return nil, err
	}
	return &answer{Answer: a, c: c}, nil
}
