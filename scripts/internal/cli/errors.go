// Package cli has what all commands share: their table, errors that become exit statuses, standard output, progress,
// and files that the user names. It knows nothing of benchmarks.
package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrFindings means that the command worked and reported a problem, such as a failed server: exit status 1.
var ErrFindings = errors.New("findings")

// A UsageError is a mistake on the command line: exit status 2.
type UsageError struct{ Err error }

func (u UsageError) Error() string { return u.Err.Error() }
func (u UsageError) Unwrap() error { return u.Err }

// Usagef formats a UsageError as fmt.Errorf does.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Interrupted is the signal that ended the command: exit status 128 + its number.
type Interrupted struct{ syscall.Signal }

func (i Interrupted) Error() string { return "ended by " + i.Signal.String() }

// NoArguments refuses arguments for a command that takes none.
func NoArguments(args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %q; this command has only flags, which -h lists", args[0])
	}
	return nil
}

// Env reads a variable that GitHub sets in every job. A missing one is a UsageError.
func Env(name string) (string, error) {
	if v := os.Getenv(name); v != "" {
		return v, nil
	}
	return "", Usagef("%s is not set; this command is a step of a workflow on GitHub", name)
}
