package main

import (
	"context"
	"io/fs"
)

// leave does what starts no program and writes nothing but standard output, and
// leaves it where it is when ctx ends: there is nothing to end or to put away.
func leave(ctx context.Context, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leaving is a command all of which can be left.
func leaving(do func([]string) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		return leave(ctx, func() error { return do(args) })
	}
}

// until is a file system whose files cannot be opened any more when ctx has ended.
type until struct {
	ctx context.Context
	fs.FS
}

func (u until) Open(name string) (fs.File, error) {
	if err := u.ctx.Err(); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return u.FS.Open(name)
}
