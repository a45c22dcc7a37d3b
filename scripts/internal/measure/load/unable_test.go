package load

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// k6RunOf is a k6 run of one server, which is a shell script, with a stub that
// is another. Its directory is there.
func k6RunOf(t *testing.T, script, stub string) k6Run {
	t.Helper()
	root, here := t.TempDir(), t.TempDir()
	testfile.Program(t, filepath.Join(root, "stub/bin/stub"), "#!/bin/sh\n"+stub)
	l := k6Run{Options: Options{Root: root, Dir: filepath.Join(here, "raw"), Asked: raw.Asked{Rounds: 1}, Ports: process.FreePort}, scenario: "baseline", round: 1}
	l.targets = []Target{{Server: server.Server{Name: "late", Dir: here, Run: []string{"sh", "-c", script}}}}
	if err := os.MkdirAll(l.path(), 0o755); err != nil {
		t.Fatal(err)
	}
	return l
}

// serveHealthz answers GET /healthz on PORT, and nothing else.
func serveHealthz() {
	healthy := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), healthy))
	os.Exit(1)
}

// answering is a stub that answers GET /healthz: at its first start at once, later with this delay in
// seconds.
func answering(t *testing.T, lateS string) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return `test -e "$0.started" && sleep ` + lateS + "\ntouch \"$0.started\"\nHEALTHZ_ONLY=1 exec " + self + "\n"
}

// A server that is not ready in time has failed, unless nothing else gets ready
// either: here a second stub, which is late by as much as no machine is that has time.
func TestAServerIsLateOnlyOnAMachineThatHasTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server, lateS string
		disturbed     bool
		why           string
	}{
		"nothing starts in time":      {"sleep 60", "60", true, "not ready after 5s: "},
		"the control starts too late": {"sleep 60", "0.6", true, "not ready after 5s: "},
		"it dies while it is late":    {"sleep 1.5; exit 7", "60", false, "exited with status 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := k6RunOf(t, c.server, answering(t, c.lateS))
			facts := raw.Facts{Targets: make([]raw.TargetFacts, 1)}
			if err := l.load(t.Context(), l.path(), &facts); err != nil {
				t.Fatal(err)
			}
			got := facts.Targets[0]
			if got.Disturbed != c.disturbed || !strings.HasPrefix(got.Error, c.why) || strings.Contains(got.Error, "too busy") != c.disturbed {
				t.Errorf("disturbed %t: %s", got.Disturbed, got.Error)
			}
		})
	}
}

// A fault of the harness ends the run, and is in no server's facts.
func TestFaultsOfTheHarnessBlameNoServer(t *testing.T) {
	failing := errors.New("no free port")
	for name, c := range map[string]struct {
		spoil func(*k6Run)
		why   string
	}{
		"no port is free": {func(l *k6Run) {
			calls := 0
			l.Ports = func() (int, error) {
				if calls++; calls > 1 {
					return 0, failing
				}
				return process.FreePort()
			}
		}, "late: no free port"},
		"its log cannot be written": {func(l *k6Run) {
			if err := os.Mkdir(filepath.Join(l.path(), "late.log"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "late.log: is a directory"},
		"cannot copy its program": {func(l *k6Run) {
			l.targets[0].Server.Dir, l.targets[0].Server.Run = "/proc", []string{"./version"}
		}, "late: cannot copy its program: open /proc/version.part: "},
	} {
		t.Run(name, func(t *testing.T) {
			l := k6RunOf(t, "sleep 60", answering(t, "0"))
			c.spoil(&l)
			facts := raw.Facts{Started: time.Now(), Targets: make([]raw.TargetFacts, 1)}
			err := l.load(t.Context(), l.path(), &facts)
			if _, ok := errors.AsType[process.Unable](err); !ok || !strings.Contains(err.Error(), c.why) || facts.Targets[0].Error != "" {
				t.Errorf("got %v; facts %q; want %q", err, facts.Targets[0].Error, c.why)
			}
		})
	}
}
