// Package contract runs verify against servers that are wrong on purpose, and against
// the examples of the documentation. It builds them and the stub itself, and needs no k6.
// Only the examples need a network, for their packages.
package contract

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
)

// The servers of the tests are one program, ../testdata/wrong, with one fault each.
var (
	root  string
	wrong string // the program
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fairstream-wrong-")
		if err == nil {
			defer os.RemoveAll(dir) // it need not be there
			root, err = filepath.Abs("../../..")
		}
		wrong = filepath.Join(dir, "wrong")
		if err == nil {
			err = setup.Stub(root).Do(context.Background())
		}
		if err == nil {
			build := exec.Command("go", "build", "-o", wrong, ".")
			build.Dir, build.Stderr = "../testdata/wrong", os.Stderr
			err = build.Run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// expected is what each server fails, by the names of checks. A question mark
// stands where the outcome depends on how the kernel merges writes.
var expected = map[string]string{
	"right":            "",
	"mute":             "ready",
	"exits":            "ready",
	"buffers-all":      lockSteps + "awake stalled-reader",
	"buffers-4k":       lockSteps + "awake",
	"coalesces":        "awake",
	"compresses":       "lock-step-gzip",
	"parses":           "big crlf comments stalled-reader",
	"reads-are-events": "big 1-byte? 2.5-events? split-character crlf",
	"decodes-reads":    "split-character",
	"searches-done":    "tricky",
	"drops-token":      "exact awake stalled-reader",
	"hangs-after-cut":  "cut",
	"invents-done":     "cut no-done error-event",
	"unbounded":        "stalled-reader",
	"leaks":            "aborts",
	"prints":           "quiet",
	"never-cancels":    "leave-mid-stream leave-before-token leave-before-header aborts",
	"never-answers":    "header",
	"rejects-all":      "header",
	"late-header":      "early-header",
	"calls-it-json":    "header",
	"ends-after-10s":   "slow-upstream lock-step-200? crowd? crowd-1000? stalled-reader?", // on a slow machine, too
	"at-most-100":      "lock-step-200 crowd crowd-1000",
	"pool-of-100":      "lock-step-200 crowd crowd-1000",
	"nagle":            "nodelay",
	"nagle-upstream":   "nodelay-upstream",
	"dials-anew":       "reuse",
	"one-request":      "lock-step-reused reuse sequential",
	"never-closes":     "connection-close cut",
	"port-stays-taken": "restart",
	"reuses-half-read": "leave-mid-stream leave-before-token status-500 status-429 not-sse aborts stale crosstalk",
	"own-http":         "chunk-trailers close-delimited 2.5-events split-character reuse",
	"small-body":       "message",
	"wants-length":     "chunked-request",
	"refused-200":      "refused status-500 status-429 not-sse",
	"not-json-error":   "refused status-500 status-429 not-sse bad-input",
	"array-is-message": "bad-input",
	"dies-at-sigterm":  "sigterm",
	"ignores-sigterm":  "sigterm",
	"binds-127.0.0.2":  "ready",
	"binds-::1":        "ready",
	"binds-any-port":   "ready",
}

const lockSteps = "lock-step lock-step-big lock-step-reused lock-step-gzip lock-step-200 "

func TestEveryCheckIsFailedByAServer(t *testing.T) {
	failed := strings.Fields(strings.Join(slices.Collect(maps.Values(expected)), " "))
	for _, c := range contracts.Of("relay") {
		if !slices.Contains(failed, c.Name) && !slices.Contains(failed, c.Name+"?") {
			t.Errorf("no wrong server fails %s", c.Name)
		}
	}
}

func TestEachWrongServerFailsItsOwnChecksAndNoOther(t *testing.T) {
	names := slices.Sorted(maps.Keys(expected))
	outcomes := map[string]chan outcome{}
	logs := t.TempDir()
	// The limit is not left to t.Parallel, which allows one a processor: most
	// of the time passes in waiting.
	room := make(chan bool, 8)
	for _, name := range names {
		outcomes[name] = make(chan outcome, 1)
		go func() {
			room <- true
			defer func() { <-room }()
			begin := time.Now()
			checks := slices.Clone(contracts.Of("relay"))
			for i, c := range checks {
				if name != "right" && !fails(name, c) {
					checks[i] = c.Light()
				}
			}
			server := manifest.Server{Workload: "relay", Name: name, Dir: logs, Run: []string{wrong, name}}
			var o outcome
			for tries := 0; tries == 0 || tries < 5 && o.err != nil && strings.Contains(o.err.Error(), "too busy to verify on"); tries++ {
				o.results, o.err = verify.Server(t.Context(), root, filepath.Join(logs, name), server, checks, process.FreePort, func(verify.Result) {})
			}
			o.took = time.Since(begin)
			outcomes[name] <- o
		}()
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			o := <-outcomes[name]
			if o.err != nil {
				t.Fatal(o.err)
			}
			t.Logf("took %v", o.took.Round(100*time.Millisecond))
			compare(t, o.results, strings.Fields(expected[name]))
			if said := o.results[len(o.results)-1].Evidence; strings.HasPrefix(name, "rejects-") || name == "never-answers" {
				if want := "POST /chat gets no stream, so the other checks were not run: "; len(o.results) != 2 || !strings.HasPrefix(said, want) {
					t.Errorf("%d results, the last %q; want no check after the one that begins with %q", len(o.results), said, want)
				}
			}
		})
	}
}

// fails says whether a server fails a check, or may.
func fails(name string, c verify.Check) bool {
	want := strings.Fields(expected[name])
	return slices.Contains(want, c.Name) || slices.Contains(want, c.Name+"?")
}

// An outcome is what Server said of a server.
type outcome struct {
	results []verify.Result
	err     error
	took    time.Duration
}

// compare tells which checks failed that should pass, and the reverse.
func compare(t *testing.T, results []verify.Result, want []string) {
	for _, r := range results {
		maybe := slices.Contains(want, r.Check+"?")
		wanted := slices.Contains(want, r.Check)
		want = slices.DeleteFunc(want, func(name string) bool { return strings.TrimSuffix(name, "?") == r.Check })
		switch {
		case r.Pass && wanted:
			t.Errorf("%s passes; want it to fail", r.Check)
		case !r.Pass && !wanted && !maybe:
			t.Errorf("%s fails: %s", r.Check, r.Evidence)
		case !r.Pass:
			t.Logf("%s: %s", r.Check, r.Evidence)
		}
	}
	for _, name := range want {
		t.Errorf("there is no check %s", name)
	}
}
