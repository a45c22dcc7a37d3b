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
		head, env string
		changes   int
	}{"the same": {"one", "5", 0}, "another": {"two", "5", 1}, "another environment": {"one", "1", 1}} {
		of := func(side, text, rate string) load.Target {
			dir := t.TempDir()
			testfile.Write(t, filepath.Join(dir, "load.js"), text)
			return load.Target{Side: side, Server: server.Server{Workload: "scripted", Name: "shop", Dir: dir, Declared: &server.Declaration{Script: "load.js", Env: map[string]string{"RATE": rate}}}}
		}
		targets := []load.Target{of("base", "one", "5"), of("head", c.head, c.env)}
		shareScripts(targets)
		if want := filepath.Join(targets[0].Server.Dir, "load.js"); targets[0].Script != want || targets[1].Script != want || len(targets[1].Changed) != c.changes {
			t.Errorf("%s: %q and %q, changed %q; want %q", name, targets[0].Script, targets[1].Script, targets[1].Changed, want)
		}
		if got := targets[1].ScriptEnv["RATE"]; got != "5" {
			t.Errorf("%s: the script of head gets %q; want base's 5", name, got)
		}
	}
}
