package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// built builds targets whose build commands are these scripts, and returns their output.
func built(t *testing.T, scripts map[string]string, names []string, rig ...build.Job) (dir string, targets []load.Target, printed string, err error) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		targets = append(targets, load.Target{Server: server.Server{Workload: "relay", Name: name, Dir: dir,
			Build: []string{"sh", "-c", scripts[name]}, Run: []string{"./" + name}}})
	}
	printed = testfile.Stderr(t, func() { err = buildAtOnce(t.Context(), 2, targets, rig) })
	return dir, targets, printed, err
}

// appears waits for a file.
func appears(t *testing.T, path string) {
	for until := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if time.Now().After(until) {
			t.Errorf("%s does not appear", path)
			return
		}
	}
}

func TestABrokenTargetDoesNotStopTheOthers(t *testing.T) {
	_, targets, printed, err := built(t, map[string]string{"a": "sleep 0.1; echo a >a", "b": "exit 2", "c": "echo c >c"}, []string{"a", "b", "c"},
		build.Job{Name: "rig", Do: func(context.Context) error { return nil }})
	if err != nil {
		t.Error(err)
	}
	for i, broken := range []bool{false, true, false} {
		if target := targets[i]; (target.Broken != nil) != broken || (target.Artefact == nil) != broken {
			t.Errorf("%s: broken: %v, artefact %v", target.Name(), target.Broken, target.Artefact)
		}
	}
	done := regexp.MustCompile(`build: (\w+): done in \d+\.\d s`).FindAllStringSubmatch(printed, -1)
	if len(done) != 3 || done[0][1] != "rig" || done[1][1] != "a" || done[2][1] != "c" {
		t.Errorf("printed %q; want the ends in order", printed)
	}
	if !strings.Contains(printed, "build: 4 programs\n") {
		t.Errorf("printed %q; want how many are built", printed)
	}
}

// Two builds at once may disturb each other. So one that fails is tried alone, if the other side could be built.
func TestABuildThatFailsOnOneSideIsTriedAlone(t *testing.T) {
	for name, of := range map[string]struct {
		base, head string // commands
		builds     string
		broken     [2]bool
	}{
		"once":  {"echo b >>built; echo b >base", "echo h >>built; test -e again || { touch again; exit 2; }; echo h >head", "b h h", [2]bool{}},
		"twice": {"echo b >>built; echo b >base", "echo h >>built; exit 2", "b h h", [2]bool{false, true}},
		"both":  {"echo b >>built; exit 2", "echo h >>built; exit 2", "b h", [2]bool{true, true}},
	} {
		dir := t.TempDir()
		var targets []load.Target
		for _, side := range []struct{ name, script string }{{"base", of.base}, {"head", of.head}} {
			targets = append(targets, load.Target{Side: side.name, Server: server.Server{Workload: "relay", Name: "one", Dir: dir,
				Build: []string{"sh", "-c", side.script}, Run: []string{"./" + side.name}}})
		}
		printed := testfile.Stderr(t, func() {
			err := buildAtOnce(t.Context(), 1, targets, nil)
			if err = errors.Join(err, buildAgain(t.Context(), targets, []*load.Target{&targets[0], &targets[1]})); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		built, err := os.ReadFile(filepath.Join(dir, "built"))
		if got := strings.Join(strings.Fields(string(built)), " "); err != nil || got != of.builds {
			t.Errorf("%s: built %q, %v; want %q\n%s", name, got, err, of.builds, printed)
		}
		for i, broken := range of.broken {
			if (targets[i].Broken != nil) != broken {
				t.Errorf("%s: %s: %v; want broken: %t", name, targets[i].Side, targets[i].Broken, broken)
			}
		}
	}
}

// The rig fails while one target is built and after another failed. Both failures are
// reported, and the cancelled target is not blamed.
func TestARigThatFailsEndsTheBuilds(t *testing.T) {
	var dir string
	rig := build.Job{Name: "k6", Do: func(context.Context) error {
		appears(t, filepath.Join(dir, "pid"))
		return errors.New("setup: k6: no")
	}}
	dir, scripts := t.TempDir(), map[string]string{}
	scripts["bad"] = "exit 2"
	scripts["long"] = "sleep 1000 & echo $! >" + filepath.Join(dir, "part") + "; mv " + filepath.Join(dir, "part") + " " + filepath.Join(dir, "pid") + "; wait"
	_, targets, _, err := built(t, scripts, []string{"bad", "long"}, rig)
	if want := "setup: k6: no\nbuild: bad: sh: exited with status 2; it printed nothing\n    the command is \"build\" in server.json"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if !errors.Is(targets[1].Broken, context.Canceled) {
		t.Errorf("the cancelled target is broken by %v", targets[1].Broken)
	}
}

// A fresh clone has no k6 yet, and the checks of a server with its own script run it.
func TestTheChecksOfAScriptNeedK6(t *testing.T) {
	for script, want := range map[string][]string{"": {"stub"}, "load.js": {"stub", "k6"}} {
		var names []string
		for _, job := range ForVerify(t.TempDir(), []server.Server{{Declared: &server.Declaration{Script: script}}}) {
			names = append(names, job.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("script %q: jobs %q, want %q", script, names, want)
		}
	}
}
