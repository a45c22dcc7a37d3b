package main

import (
	"errors"
	"os"
	"sync"
	"syscall"
)

// stdout is where data goes.
var stdout = &output{file: os.Stdout}

// An output remembers that something could not be written, so that none of those
// who print need ask, and the exit status tells it. A reader that has gone, as in
// "bench list | head", does not want the rest: that is no error.
type output struct {
	file *os.File
	mu   sync.Mutex
	err  error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
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

// failed is the first error.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
