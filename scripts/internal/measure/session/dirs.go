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
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/load"
)

// LockCheckout waits until no other command builds, verifies or loads in this checkout. A build would remove
// programs that the other command runs, and each would disturb the other.
func LockCheckout(ctx context.Context, root string) (leave func(), err error) {
	unlock, err := files.WaitLock(ctx, root, func() {
		fmt.Fprintln(os.Stderr, "bench: waiting for another scripts/bench of this checkout to end:", files.LockHolder(root))
	})
	return func() { _ = unlock() }, err // the end of this process unlocks it too
}

// LockDir creates and locks a directory until release is called. release removes the directory if LockDir
// created it and it is still empty. With fresh, the directory must not exist yet.
func LockDir(command, dir string, fresh bool) (release func(), err error) {
	err = os.MkdirAll(filepath.Dir(dir), 0o755)
	if err == nil {
		err = os.Mkdir(dir, 0o755)
	}
	made := err == nil
	if !made && (fresh || !errors.Is(err, fs.ErrExist)) {
		return nil, cli.Usagef("%s: %w; name a directory that can be written with -o", command, err)
	}
	unlock, err := files.TryLock(dir)
	if errors.Is(err, files.ErrLocked) {
		return nil, cli.Usagef("%s: %w; wait for its end, or name another directory with -o", command, err)
	}
	if err != nil {
		return nil, cli.Usagef("%s: %w; name another directory with -o", command, err)
	}
	return func() {
		if made {
			_ = os.Remove(dir) // it fails for a directory with files
		}
		_ = unlock() // the end of this process unlocks it too
	}, nil
}

// Begin locks the directory of raw files and the checkout until done is called.
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
	part, err := s.connect(ctx)
	if err != nil {
		leave()
		release()
		return nil, err
	}
	return func() { part(); leave(); release() }, nil
}

// claim creates and locks the directory of raw files. Without a name it chooses a new one. Existing raw files
// must belong to a run to resume.
func (s *Session) claim() (release func(), err error) {
	if s.Dir != "" {
		release, err = LockDir("run", s.Dir, false)
	} else {
		start := filepath.Join(rawDir, time.Now().UTC().Format("2006-01-02T150405Z"))
		s.Dir = start
		release, err = LockDir("run", s.Dir, true)
		for n := 2; errors.Is(err, fs.ErrExist); n++ { // another run began in the same second
			s.Dir = fmt.Sprintf("%s-%d", start, n)
			release, err = LockDir("run", s.Dir, true)
		}
	}
	if err != nil {
		return nil, err
	}
	_, err = os.Stat(filepath.Join(s.Dir, raw.RunFile))
	tried, _ := filepath.Glob(filepath.Join(s.Dir, TriedPrefix+"*", raw.RunFile)) // a name that is not a pattern has none
	if s.Many || s.Resume && (err == nil || len(tried) > 0) {
		return release, nil
	}
	if err := load.Fresh(s.Dir); err != nil {
		release()
		return nil, cli.UsageError{Err: err}
	}
	return release, nil
}
