// Package files keeps files and directories whole while others read them.
package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ReplaceDir has a new directory filled and puts it in place when it is whole. A
// reader finds the old directory or the new one at every moment.
func ReplaceDir(to string, fill func(dir string) error) (err error) {
	err = os.MkdirAll(filepath.Dir(to), 0o755)
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp(filepath.Dir(to), "."+filepath.Base(to)+"-")
	}
	if err != nil {
		return fmt.Errorf("%s: %w; name another directory", to, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }() // of what was in place, or of what was not finished
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := fill(dir); err != nil {
		return err
	}
	return swap(dir, to, exchange)
}

// exchange swaps two directories' names at once: whenever it is looked at, and
// whoever is killed, there is an old one or a new one.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// swap puts dir in the place of another, and that one, where there is one, in its.
func swap(dir, to string, exchange func(a, b string) error) error {
	for {
		err := exchange(dir, to)
		switch {
		case errors.Is(err, unix.ENOENT):
			if err = os.Rename(dir, to); errors.Is(err, unix.ENOTEMPTY) || errors.Is(err, unix.EEXIST) {
				continue // another was faster
			}
		case errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS):
			return swapByRenames(dir, to) // a file system that cannot, such as NFS
		}
		return err
	}
}

// swapByRenames swaps by two renames, one after the other.
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
