package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// A binary counts alone, and a script with its runtime and its directory.
func TestDeployedIsWhatARunNeeds(t *testing.T) {
	s := server.Server{Name: "a", Dir: t.TempDir()}
	for name, size := range map[string]int{
		"bin/server": 1000, "main.go": 20, "server.ts": 300, "node_modules/hono/index.js": 4000, "node_modules/bun/bin/bun": 50_000,
	} {
		testfile.Program(t, filepath.Join(s.Dir, name), strings.Repeat("x", size))
	}
	const all = 1000 + 20 + 300 + 4000 + 50_000
	// Package managers give a program several names.
	if err := os.Symlink("bun/bin/bun", filepath.Join(s.Dir, "node_modules/link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(s.Dir, "node_modules/bun/bin/bun"), filepath.Join(s.Dir, "node_modules/bunx")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	for name, size := range map[string]int{"python3": 700, "sh": 60} {
		testfile.Program(t, filepath.Join(os.Getenv("PATH"), name), strings.Repeat("x", size))
	}
	for _, c := range []struct {
		name string
		run  []string
		want int64
	}{
		{"a binary", []string{"bin/server"}, 1000},
		{"a binary with arguments", []string{"bin/server", "-workers", "1"}, 1000},
		{"a runtime in node_modules", []string{"node_modules/link", "server.ts"}, all},
		{"a runtime in PATH", []string{"python3", "server.ts"}, 700 + all},
		{"a runtime with options", []string{"python3", "-u", "server.ts"}, 700 + all},
		{"a shell without a script", []string{"sh", "-c", "true"}, 60},
	} {
		s.Run = c.run
		if got, err := Deployed(s); err != nil || got == nil || *got != c.want {
			t.Errorf("%s: got %v, %v; want %d", c.name, got, err, c.want)
		}
	}
	for _, program := range []string{"nothing", "bin/nothing"} { // the start reports that
		s.Run = []string{program}
		if got, err := Deployed(s); got != nil || err != nil {
			t.Errorf("%s: got %v, %v; want unknown", program, got, err)
		}
	}
}
