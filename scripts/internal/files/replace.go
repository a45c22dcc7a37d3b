// Package files has what we need of files beyond package os: directories that are replaced in one step, strict JSON and
// JSON Lines, locks, quotes from logs, and a guard that removes what a killed tool leaves. It does not know what
// the values mean.
package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ReplaceDir calls fill with a new directory, and then puts it in the place of to. Readers find the old
// directory or the new one at every moment.
func ReplaceDir(to string, fill func(dir string) error) (err error) {
	err = os.MkdirAll(filepath.Dir(to), 0o755)
	var dir string
	var remove func() error
	if err == nil {
		dir, remove, err = MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+"-")
	}
	if err != nil {
		return fmt.Errorf("%s: %w; name another directory", to, err)
	}
	defer func() { err = errors.Join(err, remove()) }() // the old directory, or an unfinished one
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := fill(dir); err != nil {
		return err
	}
	return swap(dir, to, exchange)
}

// exchange swaps the names of two directories in one step of the kernel. A killed process leaves the old
// directory or the new one.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// swap exchanges dir with another directory, or moves it there when there is none.
func swap(dir, to string, exchange func(a, b string) error) error {
	for {
		err := exchange(dir, to)
		switch {
		case errors.Is(err, unix.ENOENT):
			if err = os.Rename(dir, to); errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) {
				continue // another process was faster
			}
		case errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS):
			return swapByRenames(dir, to) // some file systems cannot, such as NFS
		}
		return err
	}
}

// swapByRenames swaps with two renames, one after the other.
func swapByRenames(dir, to string) error {
	old := dir + "-old"
	if err := os.Rename(to, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(dir, to); err != nil {
		return errors.Join(err, os.Rename(old, to))
	}
	if err := os.Rename(old, dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
