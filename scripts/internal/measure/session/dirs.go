package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/files/lock"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/run"
)

// LockCheckout waits until no other command builds, verifies or loads in this
// checkout. A build removes what the other command runs, and each is noise to the
// other.
func LockCheckout(ctx context.Context, root string) (leave func(), err error) {
	unlock, err := lock.Wait(ctx, root, func() {
		fmt.Fprintln(os.Stderr, "bench: waiting for another scripts/bench of this checkout to end:", lock.Holder(root))
	})
	return func() { _ = unlock() }, err // our end unlocks it too, and is near
}

// LockDir makes a directory ours alone, until release is called. It removes the
// directory again if it made it and nothing was written there. With fresh, the
// directory must not exist yet.
func LockDir(command, dir string, fresh bool) (release func(), err error) {
	err = os.MkdirAll(filepath.Dir(dir), 0o755)
	if err == nil {
		err = os.Mkdir(dir, 0o755)
	}
	made := err == nil
	if !made && (fresh || !errors.Is(err, fs.ErrExist)) {
		return nil, cli.Usagef("%s: %w; name a directory that can be written with -o", command, err)
	}
	unlock, err := lock.Try(dir)
	if errors.Is(err, lock.ErrHeld) {
		return nil, cli.Usagef("%s: %w; wait for its end, or name another directory with -o", command, err)
	}
	if err != nil {
		return nil, cli.Usagef("%s: %w; name another directory with -o", command, err)
	}
	return func() {
		if made {
			_ = os.Remove(dir) // it fails when there is something in it
		}
		_ = unlock() // our end unlocks it too, and is near
	}, nil
}

// Begin has the raw files' directory and the checkout for this session alone,
// until done is called.
func (s *Session) Begin(ctx context.Context) (done func(), err error) {
	release, err := s.claim()
	if err != nil {
		return nil, err
	}
	leave, err := LockCheckout(ctx, s.root)
	if err != nil {
		release()
		return nil, err
	}
	return func() { leave(); release() }, nil
}

// claim makes the directory of the raw files ours. Where none is named, it
// chooses a new one. Raw files in it belong to a run to resume, else they are an
// error.
func (s *Session) claim() (release func(), err error) {
	if s.Dir != "" {
		release, err = LockDir("run", s.Dir, false)
	} else {
		start := filepath.Join("raw", time.Now().UTC().Format("2006-01-02T150405Z"))
		s.Dir = start
		release, err = LockDir("run", s.Dir, true)
		for n := 2; errors.Is(err, fs.ErrExist); n++ { // another began in the same second
			s.Dir = fmt.Sprintf("%s-%d", start, n)
			release, err = LockDir("run", s.Dir, true)
		}
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, raw.RunFile)); s.Resume && err == nil {
		return release, nil
	}
	if err := run.Fresh(s.Dir); err != nil {
		release()
		return nil, cli.UsageError{Err: err}
	}
	return release, nil
}
