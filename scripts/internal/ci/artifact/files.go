package artifact

import (
	"archive/zip"
	"bytes"
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

// errMany reports more files in a directory than any plan has jobs.
var errMany = fmt.Errorf("more than %d files; want at most four for each server, and two for each workload", maxFiles)

// find lists the files in dir, up to two levels deep, by slashed relative path. Several artifacts have a
// directory each, and a single one lies in dir itself. Without any download, dir does not exist.
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
		// ReadDir does not follow symlinks, so this stays inside dir.
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

// entries lists the sorted content of a directory.
func entries(dir string) ([]os.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
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

// readFile reads a regular file of limited size. It follows no symlink, and does not wait for the writer of a
// fifo.
func readFile(dir, name string) ([]byte, error) {
	f, err := os.OpenFile(filepath.Join(dir, filepath.FromSlash(name)), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errors.New("is a symlink; want a zip file")
	}
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", errors.Unwrap(err))
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("is not a regular file (%s); want a zip file", info.Mode().Type())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxZip+1))
	if err == nil && len(data) > maxZip {
		err = fmt.Errorf("is larger than %d bytes", maxZip)
	}
	return data, err
}

// readMember returns the content of the only member of an artifact.
func readMember(dir, name, member string) ([]byte, error) {
	data, err := readFile(dir, name)
	if err != nil {
		return nil, err
	}
	return unzip(data, member)
}

// readOnly reads the only artifact of these names. It refuses several, since nothing tells which one is real.
func readOnly[T any](names []string, what string, read func(name string) (T, error)) (content T, refused []Refusal) {
	if len(names) == 1 {
		content, err := read(names[0])
		if err != nil {
			refused = []Refusal{{Harmless(names[0]), Harmless(err.Error())}}
		}
		return content, refused
	}
	for _, name := range names {
		refused = append(refused, Refusal{Harmless(name), Harmless(fmt.Sprintf("%d artifacts have %s; want one", len(names), what))})
	}
	return content, refused
}

// member is the only file in an artifact of records.
const member = "run.jsonl"

// unzip returns the content of the only member of a zip. It counts bytes, and does not trust the sizes in
// headers.
func unzip(data []byte, member string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("is not a readable zip file: %w", err)
	}
	if len(z.File) != 1 {
		return nil, fmt.Errorf("has %d members; want %s alone", len(z.File), member)
	}
	f := z.File[0]
	if f.Name != member {
		return nil, fmt.Errorf("has the member %q; want %s", bounded(f.Name), member)
	}
	if !f.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file (%s)", member, f.Mode().Type())
	}
	const encrypted = 1
	if f.Flags&encrypted != 0 {
		return nil, errors.New(member + " is encrypted")
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", member, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("is larger than %d bytes when unpacked", maxText)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", member, err)
	}
	return text, nil
}
