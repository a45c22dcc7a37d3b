package process

import "errors"

// An exitError is of a program that ran, and ended otherwise than with status 0.
type exitError struct {
	status int // -1: ended by a signal
	text   string
}

func (e *exitError) Error() string { return e.text }

// Exited tells whether an error of Output says that the program ran to its end and
// ended with this status. One that could not be started, or was killed, did not.
func Exited(err error, status int) bool {
	e, ok := errors.AsType[*exitError](err)
	return ok && e.status == status
}
