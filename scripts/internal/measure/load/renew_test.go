package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/server"
)

// Each start of a server is that of a file of its own: the same program, also behind a
// link, and nothing from outside of its directory.
func TestEachStartUsesAFreshCopy(t *testing.T) {
	l := k6RunOf(t, "", answering(t, "0"))
	stub, port, err := l.stubs().Start(t.Context(), filepath.Join(l.path(), "stub.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer stub.Stop()
	server := &l.targets[0].Server
	for name, text := range map[string]string{"bin/real": "#!/bin/sh\nexit 5\n", "../outside": "#!/bin/sh\nexit 5\n"} {
		path := filepath.Join(server.Dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("bin/real", filepath.Join(server.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	for program, fresh := range map[string]bool{"bin/real": true, "./link": true, "../outside": false} {
		server.Run = []string{program}
		path := filepath.Join(server.Dir, program)
		before, err := os.Open(path) // as long as it is open, nothing else gets its number
		if err != nil {
			t.Fatal(err)
		}
		defer before.Close()
		if _, _, err := l.startServer(t.Context(), l.path(), l.targets[0], l.address(port), nil); err == nil || !strings.HasPrefix(err.Error(), "exited with status 5;") {
			t.Errorf("%s: %v", program, err)
		}
		was, err := before.Stat()
		if err != nil {
			t.Fatal(err)
		}
		is, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if os.SameFile(was, is) == fresh || is.Mode() != was.Mode() {
			t.Errorf("%s: the same file: %t, mode %v, was %v", program, os.SameFile(was, is), is.Mode(), was.Mode())
		}
	}
	if link, err := os.Readlink(filepath.Join(server.Dir, "link")); err != nil || link != "bin/real" {
		t.Errorf("the link leads to %q: %v", link, err)
	}
	if left, err := os.ReadDir(filepath.Join(server.Dir, "bin")); err != nil || len(left) != 1 {
		t.Errorf("left beside the program: %v, %v", left, err)
	}
}

// The start reports a missing program.
func TestAProgramThatIsMissingIsNotCopied(t *testing.T) {
	for _, program := range []string{"sh", "bin/none", "/bin/sh"} {
		if err := renew(server.Server{Dir: t.TempDir(), Run: []string{program}}); err != nil {
			t.Errorf("%s: %v", program, err)
		}
	}
}
