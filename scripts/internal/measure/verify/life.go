package verify

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Ways of a client to leave.
const (
	FIN = "FIN"
	RST = "RST"
)

// Leave closes a client's connection, and waits for the end of the upstream request under id.
func (s *Subject) Leave(c *Client, id, how string) error {
	if how == FIN {
		c.Drain() // a close with unread bytes would send a reset too
	} else if err := c.SetLinger(0); err != nil {
		return Harness(err) // a plain close would send FIN
	}
	c.Close()
	found, ok, err := s.Entries(id, func(e []Entry) bool { return len(e) == 1 && e[0].Outcome != "" })
	switch {
	case err != nil:
		return err
	case !ok:
		return fmt.Errorf("the client left (%s), but the upstream request was still open %v later (%d pieces sent)", how, Patience, found[0].Events)
	case found[0].Outcome != "cancelled":
		return fmt.Errorf("the client left (%s), but the upstream request ended with %q (%d pieces sent); want it cancelled", how, found[0].Outcome, found[0].Events)
	}
	return nil
}

// Closes returns an error unless the server closes the connection after an answer to Connection: close.
func (c *Client) Closes() error {
	if _, err := c.Take(1); !errors.Is(err, io.EOF) {
		return fmt.Errorf("after an answer to Connection: close: %v; want the connection closed", Readable(err))
	}
	return nil
}

// Quiet returns an error if the server prints more than a byte for each of n requests or tokens. The words say what do
// asks for.
func (s *Subject) Quiet(n int, words string, do func() error) error {
	before, err := os.Stat(s.Log)
	if err != nil {
		return Harness(err)
	}
	if err := do(); err != nil {
		return err
	}
	after, err := os.Stat(s.Log)
	if err != nil {
		return Harness(err)
	}
	if grown := after.Size() - before.Size(); grown > int64(n) {
		return fmt.Errorf("the server printed %d bytes during %s", grown, words)
	}
	return nil
}

// Terminate returns an error unless the server refuses new requests after SIGTERM, and then ends with status 0. Before
// its end, finish reads the answers that are open.
func (s *Subject) Terminate(finish func() error) error {
	s.Server.Signal(syscall.SIGTERM)
	if !s.refuses() {
		return fmt.Errorf("new connections were still answered %v after SIGTERM", Patience)
	}
	if err := finish(); err != nil {
		return fmt.Errorf("an answer that was open at SIGTERM: %w", err)
	}
	if err := s.ended(); err != nil {
		return err
	}
	return afterSIGTERM(s.Server)
}
