package verify

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
)

// What this machine cannot do, or not in time, is told as that, and fails no server.
func TestWhatTheHarnessCannotDoFailsNoServer(t *testing.T) {
	t.Parallel()
	// A project whose stub is late from the second start on.
	late := t.TempDir()
	bin := filepath.Join(late, "stub", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\ntest -e \"$0.begun\" && sleep 0.6\ntouch \"$0.begun\"\nexec " + filepath.Join(root, "stub/bin/stub") + "\n"
	if err := os.WriteFile(filepath.Join(bin, "stub"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	noPort := errors.New("no free port")
	for name, c := range map[string]struct {
		root  string
		spoil func(dir string) error
		ports int // so many are free
		want  string
	}{
		"nothing starts in time":    {late, func(string) error { return nil }, 99, "too busy to verify on"},
		"its log cannot be written": {root, func(dir string) error { return os.MkdirAll(filepath.Join(dir, Checks[0].Name, "server.log"), 0o755) }, 99, "server.log: is a directory"},
		"no port is free":           {root, func(string) error { return nil }, 1, "no free port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := c.spoil(dir); err != nil {
				t.Fatal(err)
			}
			drawn := 0
			ports := func() (int, error) {
				if drawn++; drawn > c.ports {
					return 0, noPort
				}
				return process.FreePort()
			}
			s := manifest.Server{Name: "late", Dir: dir, Run: []string{"sleep", "60"}}
			results, err := Server(t.Context(), c.root, dir, s, ports)
			if _, harness := errors.AsType[harnessError](err); !harness || !strings.Contains(err.Error(), c.want) || results[0].Evidence != "" {
				t.Errorf("%v, results %+v; want %q of the harness", err, results[0], c.want)
			}
		})
	}
}
