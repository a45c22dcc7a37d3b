package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
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
