package verify

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// EndsOnSIGTERM is a check of servers that nobody wrote for a benchmark. The status does not matter: many good servers end by the
// signal itself.
func EndsOnSIGTERM(_ context.Context, s *Subject) error {
	s.Server.Signal(syscall.SIGTERM)
	select {
	case <-s.Server.Done():
		return nil
	case <-time.After(Patience):
		return fmt.Errorf("still running %v after SIGTERM; it is then killed, which makes each round longer", Patience)
	}
}

// refuses waits until a new request gets no answer.
func (s *Subject) refuses() bool {
	for wait := s.Wait(Patience); !wait.Over(); time.Sleep(10 * time.Millisecond) {
		c, err := Dial(s.Port)
		if err != nil {
			return true
		}
		c.Send("GET", "/healthz", "", "") // there is no head then
		_, err = c.Head()
		c.Close()
		if err != nil {
			return true
		}
	}
	return false
}

// ended waits for the server to end.
func (s *Subject) ended() error {
	for wait := s.Wait(2 * Patience); !wait.Over(); {
		select {
		case <-s.Server.Done():
			return nil
		case <-time.After(tick):
		}
	}
	return fmt.Errorf("still running %v after SIGTERM, though all answers have ended", 2*Patience)
}

// uvicornHint helps with a common server whose clean shutdown looks like a kill.
const uvicornHint = "uvicorn raises the signal again after a clean shutdown; install a handler that exits with 0"

// afterSIGTERM returns an error unless the server ended with status 0 after SIGTERM.
func afterSIGTERM(server *process.Process) error {
	err := server.Err()
	switch {
	case err == nil:
		return nil
	case server.Killed() == syscall.SIGTERM:
		return fmt.Errorf("after SIGTERM: %w; want status 0\n    %s", err, uvicornHint)
	}
	return fmt.Errorf("after SIGTERM: %w", err)
}
