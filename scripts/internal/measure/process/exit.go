package process

import "errors"

// An exitError means that a program ran, and did not end with status 0.
type exitError struct {
	status int // -1: a signal ended it
	text   string
}

func (e *exitError) Error() string { return e.text }

// Exited reports whether the program of Output ran to its end and ended with this status. A program that did
// not start, or that was killed, did not.
func Exited(err error, status int) bool {
	e, ok := errors.AsType[*exitError](err)
	return ok && e.status == status
}
