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

// Stdout is where data goes. It remembers the first error, so that those who
// print need not check, and the exit status tells it.
var Stdout = &Output{File: os.Stdout}

// An Output writes to a file. A reader that has gone, as in "bench list | head",
// is not an error: it does not want the rest.
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

// Err is the first error of a write.
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
	defer f.Close() // it was only read
	v, err := read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}

// Abandon runs do, and leaves it where it is when ctx ends. It is for work that
// starts no program and writes nothing but standard output: there is nothing to
// end or to put away.
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

// Abandonable is a command whose whole work Abandon may leave.
func Abandonable(do func([]string) error) Action {
	return func(ctx context.Context, args []string) error {
		return Abandon(ctx, func() error { return do(args) })
	}
}
