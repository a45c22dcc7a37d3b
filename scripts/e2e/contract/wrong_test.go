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

	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
	"fairstream/scripts/internal/workload"
)

// A suite has the servers of a workload. They are one program below ../testdata, with one fault each.
type suite struct {
	workload, program string
	noAnswer          string // beginning of the failure that ends all checks
	// fails is what each server fails, by the names of checks. A question mark stands where the outcome depends
	// on chance, such as how the kernel merges writes.
	fails map[string]string
	// build builds the program from the directory of that name; nil is go build.
	build func(dir, program string) error
	// brief is the wrong server of a brief test; "": all servers are always tested.
	brief string
}

// names are the servers to test. scripts/test has all of the workload that it is given, and -long has all.
func (s suite) names() []string {
	all := slices.Sorted(maps.Keys(s.fails))
	if s.brief == "" || os.Getenv("FAIRSTREAM_WORKLOAD") == s.workload || os.Getenv("FAIRSTREAM_LONG") != "" {
		return all
	}
	return slices.DeleteFunc(all, func(name string) bool { return name != "right" && name != s.brief })
}

var suites = []suite{relay, web, files, agent}

var root, built string // the project, and the directory of the programs

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fairstream-wrong-")
		if err == nil {
			defer os.RemoveAll(dir) // it need not be there
			root, err = filepath.Abs("../../..")
		}
		built = dir
		if err == nil {
			err = build.Stub(root).Do(context.Background())
		}
		for _, s := range suites {
			if s.build == nil {
				s.build = goBuild
			}
			if err == nil {
				err = s.build(filepath.Join("../testdata", s.program), filepath.Join(built, s.program))
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

func goBuild(dir, program string) error {
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir, build.Stderr = dir, os.Stderr
	return build.Run()
}

func TestEveryCheckIsFailedByAServer(t *testing.T) {
	for _, s := range suites {
		failed := strings.Fields(strings.Join(slices.Collect(maps.Values(s.fails)), " "))
		for _, c := range contracts.Of(s.workload) {
			if !slices.Contains(failed, c.Name) && !slices.Contains(failed, c.Name+"?") {
				t.Errorf("%s: no wrong server fails %s", s.workload, c.Name)
			}
		}
	}
	for _, name := range workload.Names() {
		_, own := os.Stat(filepath.Join("../../internal/measure/verify", name, "checks_test.go")) // it may have such servers itself
		// A server with a script fails its script, and TestScriptsOfAllKinds has those that do.
		if !workload.Named(name).Scripted && !slices.ContainsFunc(suites, func(s suite) bool { return s.workload == name }) && own != nil {
			t.Errorf("there are no wrong servers for %s", name)
		}
	}
}

func TestEachWrongServerFailsItsOwnChecksAndNoOther(t *testing.T) {
	for _, s := range suites {
		t.Run(s.workload, s.run)
	}
}

func (s suite) run(t *testing.T) {
	names := s.names()
	outcomes := map[string]chan outcome{}
	logs := t.TempDir()
	copyData(t, logs)
	// The limit is not left to t.Parallel, which allows one a processor: most
	// of the time passes in waiting.
	room := make(chan bool, 8)
	for _, name := range names {
		outcomes[name] = make(chan outcome, 1)
		go func() {
			room <- true
			defer func() { <-room }()
			begin := time.Now()
			checks := slices.Clone(contracts.Of(s.workload))
			for i, c := range checks {
				if name != "right" && !s.may(name, c) {
					checks[i] = c.Light()
				}
			}
			server := server.Server{Workload: s.workload, Name: name, Dir: logs, Run: []string{filepath.Join(built, s.program), name}}
			var o outcome
			for tries := 0; tries == 0 || tries < 5 && o.err != nil && strings.Contains(o.err.Error(), "too busy to verify on"); tries++ {
				o.results, o.err = verify.Server(t.Context(), root, filepath.Join(logs, name+strings.Repeat("-again", tries)), server, checks, process.FreePort, func(verify.Result) {})
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
			compare(t, o.results, strings.Fields(s.fails[name]))
			if said := o.results[len(o.results)-1].Evidence; name == "never-answers" && (len(o.results) != 2 || !strings.HasPrefix(said, s.noAnswer)) {
				t.Errorf("%d results, the last %q; want no check after the one that begins with %q", len(o.results), said, s.noAnswer)
			}
		})
	}
}

// copyData gives servers of web the file that they send.
func copyData(t *testing.T, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "k6/web/lib/data.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "data.json"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// may says whether a server fails a check, or may.
func (s suite) may(name string, c verify.Check) bool {
	want := strings.Fields(s.fails[name])
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
