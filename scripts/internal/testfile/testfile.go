// Package testfile reads and writes files for tests, and compares what a test made with files that are kept.
package testfile

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the kept files anew")

// Update is whether the kept files are written anew, instead of compared.
func Update() bool { return *update }

// Write writes a file, and makes its directory.
func Write(t testing.TB, path, text string) {
	t.Helper()
	write(t, path, text, 0o644)
}

// Program writes a file that can be run, and makes its directory.
func Program(t testing.TB, path, text string) {
	t.Helper()
	write(t, path, text, 0o755)
}

func write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// Copy copies a directory, and returns the copy.
func Copy(t testing.TB, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Read reads a file with a function.
func Read[T any](t testing.TB, path string, read func(io.Reader) (T, error)) T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return all
}

// Check compares with a kept file. With -update it writes the file.
func Check(t testing.TB, path string, got []byte) {
	t.Helper()
	if *update {
		Write(t, path, string(got))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: go test -update writes it anew; %s", path, difference(string(got), string(want)))
	}
}

// difference is the first line that differs.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\ngot  %.300q\nwant %.300q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// Region compares the text between two marks of a page. With -update it writes the text.
func Region(t testing.TB, page, begin, end, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end = fmt.Sprintf("<!-- %s -->\n", begin), fmt.Sprintf("<!-- end of the %s -->\n", end)
	before, rest, found := strings.Cut(string(text), begin)
	_, after, both := strings.Cut(rest, end)
	if !found || !both {
		t.Fatalf("%s: no lines %q and %q", page, begin, end)
	}
	Check(t, page, []byte(before+begin+want+end+after))
}
