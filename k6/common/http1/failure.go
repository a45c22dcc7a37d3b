package http1

import (
	"errors"
	"fmt"
	"io"
	"syscall"
)

// Kinds of failures that every request may have. A Reader has more for answers that ended.
const (
	Refused     = "connect"
	TimedOut    = "timeout"
	Cut         = "cut"
	Malformed   = "malformed"
	Interrupted = "interrupted"
)

// A Failure says why a request has no complete answer.
type Failure struct {
	Kind string
	err  error
	used bool // the connection had an earlier request
}

// Text describes the failure. progress is what had arrived, such as "3 tokens".
func (f *Failure) Text(progress string) string {
	switch f.Kind {
	case TimedOut:
		return fmt.Sprintf("%v: %s", f.err, progress)
	case Cut:
		return f.lost(progress)
	}
	return f.err.Error()
}

// lost describes which end closed the connection, and when.
func (f *Failure) lost(progress string) string {
	what := "the connection broke"
	switch {
	case errors.Is(f.err, io.ErrUnexpectedEOF):
		what = "the server closed the connection"
	case errors.Is(f.err, syscall.ECONNRESET), errors.Is(f.err, syscall.EPIPE):
		what = "the server reset the connection"
	}
	kept := ""
	if f.used {
		kept = ", which an earlier request had used,"
	}
	return fmt.Sprintf("%s%s after %s: %v", what, kept, progress, f.err)
}
