// Package cli has what all commands share towards the terminal: the kinds of
// error that become exit statuses, standard output, and reading named files.
// It knows nothing of benchmarks.
package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrFindings says that a command worked and found something that is not well,
// such as a server that failed: exit status 1. It has been reported already.
var ErrFindings = errors.New("findings")

// A UsageError is the caller's mistake: exit status 2.
type UsageError struct{ Err error }

func (u UsageError) Error() string { return u.Err.Error() }
func (u UsageError) Unwrap() error { return u.Err }

// Usagef makes a UsageError as fmt.Errorf makes an error.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Interrupted is the signal that ended the command: exit status 128 + its number.
type Interrupted struct{ syscall.Signal }

func (i Interrupted) Error() string { return "ended by " + i.Signal.String() }

// NoArguments refuses arguments of a command that takes none.
func NoArguments(args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %q", args[0])
	}
	return nil
}

// Env is a variable that GitHub sets in every job. A missing one is a UsageError.
func Env(name string) (string, error) {
	if v := os.Getenv(name); v != "" {
		return v, nil
	}
	return "", Usagef("%s is not set; this command is a step of a workflow on GitHub", name)
}
