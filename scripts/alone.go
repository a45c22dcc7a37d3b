package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/files/lock"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/run"
)

// alone waits until no other command builds, verifies or loads in this checkout:
// a build takes away what the other is running, and each is the other's noise.
func alone(ctx context.Context, root string) (leave func(), err error) {
	unlock, err := lock.Wait(ctx, root, func() {
		fmt.Fprintln(os.Stderr, "bench: waiting for another scripts/bench of this checkout to end")
	})
	return func() { _ = unlock() }, err // our end unlocks it too, and is near
}

// own makes a directory ours alone, until release is called. One that is made for
// it and still empty then goes again. fresh is of one that must not be there yet.
func own(command, dir string, fresh bool) (release func(), err error) {
	err = os.MkdirAll(filepath.Dir(dir), 0o755)
	if err == nil {
		err = os.Mkdir(dir, 0o755)
	}
	made := err == nil
	if !made && (fresh || !errors.Is(err, fs.ErrExist)) {
		return nil, usageError{fmt.Errorf("%s: %w; name a directory that can be written with -o", command, err)}
	}
	unlock, err := lock.Try(dir)
	if errors.Is(err, lock.ErrHeld) {
		return nil, usageError{fmt.Errorf("%s: %w; wait for its end, or name another directory with -o", command, err)}
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w; name another directory with -o", command, err)}
	}
	return func() {
		if made {
			_ = os.Remove(dir) // which fails when there is something in it
		}
		_ = unlock() // as our end does, which is near
	}, nil
}

// claim makes the directory of the raw files ours, and chooses one that nobody has
// where none is named. What is in it already is a run to go on with, or an error.
func (p *plannedRun) claim() (release func(), err error) {
	if p.dir != "" {
		release, err = own("run", p.dir, false)
	} else {
		start := filepath.Join("raw", time.Now().UTC().Format("2006-01-02T150405Z"))
		p.dir = start
		release, err = own("run", p.dir, true)
		for n := 2; errors.Is(err, fs.ErrExist); n++ { // another began in the same second
			p.dir = fmt.Sprintf("%s-%d", start, n)
			release, err = own("run", p.dir, true)
		}
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(p.dir, raw.RunFile)); p.resume && err == nil {
		return release, nil
	}
	if err := run.Fresh(p.dir); err != nil {
		release()
		return nil, usageError{err}
	}
	return release, nil
}

// begin completes what the flags say, refuses what cannot be done, and has the
// raw files' directory and the checkout for itself until done is called.
func (p *plannedRun) begin(ctx context.Context, root string) (scenarios []string, done func(), err error) {
	if scenarios, err = p.check(root); err != nil {
		return nil, nil, err
	}
	release, err := p.claim()
	if err != nil {
		return nil, nil, err
	}
	leave, err := alone(ctx, root)
	if err != nil {
		release()
		return nil, nil, err
	}
	return scenarios, func() { leave(); release() }, nil
}
