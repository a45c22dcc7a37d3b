package session

import (
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// Head gets base's script, and its own is noted where it differs.
func TestBothSidesGetBasesScript(t *testing.T) {
	for name, c := range map[string]struct {
		head    string
		changes int
	}{"the same": {"one", 0}, "another": {"two", 1}} {
		of := func(side, text string) load.Target {
			dir := t.TempDir()
			testfile.Write(t, filepath.Join(dir, "load.js"), text)
			return load.Target{Side: side, Server: server.Server{Workload: "scripted", Name: "shop", Dir: dir, Declared: &server.Declaration{Script: "load.js"}}}
		}
		targets := []load.Target{of("base", "one"), of("head", c.head)}
		shareScripts(targets)
		if want := filepath.Join(targets[0].Server.Dir, "load.js"); targets[0].Script != want || targets[1].Script != want || len(targets[1].Changed) != c.changes {
			t.Errorf("%s: %q and %q, changed %q; want %q", name, targets[0].Script, targets[1].Script, targets[1].Changed, want)
		}
	}
}
