package relay

import "fairstream/scripts/internal/measure/verify"

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

// must, should and first make checks of this package.
var (
	must   = verify.Must(own)
	should = verify.Should(own)
	first  = verify.First
)

func own(s *verify.Subject) *subject { return &subject{s} }

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
