package verify

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// A limit of this machine, in resources or in time, is reported as such, and fails no server.
func TestFaultsOfTheHarnessFailNoServer(t *testing.T) {
	was := readyLimit
	readyLimit = 300 * time.Millisecond // what starts is never ready
	defer func() { readyLimit = was }()
	root := project(t, "")
	late := project(t, `test -e "$0.started" && sleep 0.6; touch "$0.started"`) // from the second start on
	noPort := errors.New("no free port")
	t.Run("of", func(t *testing.T) { // ends after all of them
		for name, c := range map[string]struct {
			root  string
			spoil func(dir string) error
			ports int // free ports
			want  string
		}{
			"nothing starts in time":    {late, func(string) error { return nil }, 99, "too busy to verify on"},
			"its log cannot be written": {root, func(dir string) error { return os.MkdirAll(filepath.Join(dir, "ready", "server.log"), 0o755) }, 99, "server.log: is a directory"},
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
				s := server.Server{Name: "late", Dir: dir, Run: []string{"sleep", "60"}}
				results, err := Server(t.Context(), c.root, dir, s, checks(), ports, func(Result) {})
				if _, harness := errors.AsType[HarnessError](err); !harness || !strings.Contains(err.Error(), c.want) || results[0].Evidence != "" {
					t.Errorf("%v, results %+v; want %q of the harness", err, results[0], c.want)
				}
			})
		}
	})
}

// Files that we cannot open are no fault of a server's, be it that k6 or a crowd has them.
func TestTooManyOpenFilesFailNoServer(t *testing.T) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	set := func(most uint64) {
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: limit.Max}); err != nil {
			t.Fatal(err)
		}
	}
	set(0)
	defer set(limit.Cur)
	_, dialed := Dial(1)
	_, launched := (&Subject{Manifest: testServer(t, "silent"), Log: "log"}).launch(t.Context(), time.Second)
	for what, err := range map[string]error{"a connection": dialed, "a start": launched} {
		if _, harness := errors.AsType[HarnessError](err); !harness || !strings.Contains(err.Error(), "too many open files") {
			t.Errorf("%s: %v; want an error of the harness", what, err)
		}
	}
}
