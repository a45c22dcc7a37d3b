package testfile

import (
	"os"
	"path/filepath"
	"testing"
)

// Stderr returns what do writes to standard error.
func Stderr(t testing.TB, do func()) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // its text is read before
	before := os.Stderr
	os.Stderr = f
	defer func() { os.Stderr = before }()
	do()
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
