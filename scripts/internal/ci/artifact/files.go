package artifact

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Limits. A record is some 2 kB, zipped a fifth of it or less; the largest job
// has 36 rounds of a comparison, 432 records.
const (
	maxFiles = 128
	maxZip   = 1 << 20
	maxText  = 2 << 20
	maxLine  = 64 << 10
)

// errMany is the error of a directory with more files than any plan has jobs.
var errMany = fmt.Errorf("more than %d files; want at most three for each server", maxFiles)

// find lists what lies in dir, up to two levels deep, by slashed relative path:
// several artifacts come in a directory each, a single one in dir itself. When
// there was nothing to download there is no dir.
func find(dir string) ([]string, error) {
	var found []string
	add := func(name string) error {
		if found = append(found, name); len(found) > maxFiles {
			return errMany
		}
		return nil
	}
	top, err := entries(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range top {
		if !e.IsDir() {
			if err := add(e.Name()); err != nil {
				return nil, err
			}
			continue
		}
		// A symlink is no directory to ReadDir, so this stays inside dir.
		below, err := entries(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		for _, f := range below {
			if err := add(path.Join(e.Name(), f.Name())); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// entries are what lies in a directory, sorted.
func entries(dir string) ([]os.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	list, err := f.ReadDir(maxFiles + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(list) > maxFiles {
		return nil, errMany
	}
	slices.SortFunc(list, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// readFile reads a regular file of bounded size. It follows no symlink and
// does not wait for the writer of a fifo.
func readFile(dir, name string) ([]byte, error) {
	f, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(name)), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errors.New("is a symlink; want a zip file")
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", errors.Unwrap(err))
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("is no regular file (%s); want a zip file", info.Mode().Type())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxZip+1))
	if err == nil && len(data) > maxZip {
		err = fmt.Errorf("is larger than %d bytes", maxZip)
	}
	return data, err
}
