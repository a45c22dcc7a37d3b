package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
)

// Stdout receives data. It remembers the first error for the exit status, so callers need not check each
// write.
var Stdout = &Output{File: os.Stdout}

// An Output writes to a file. A reader that closed the pipe, as in "bench list | head", is not an error.
type Output struct {
	File *os.File
	mu   sync.Mutex
	err  error
}

func (o *Output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		return len(p), nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Err returns the first error of a write.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// ReadFile reads a file with a parser. The error names the file.
func ReadFile[T any](name string, read func(io.Reader) (T, error)) (T, error) {
	f, err := os.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close() // read only
	v, err := read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}

// Abandon runs do, and returns when ctx ends even if do still runs. It suits work that starts no program and
// writes to standard output only, since that needs no cleaning up.
func Abandon(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Abandonable makes a command whose action Abandon runs.
func Abandonable(do func([]string) error) Action {
	return func(ctx context.Context, args []string) error {
		return Abandon(ctx, func() error { return do(args) })
	}
}
