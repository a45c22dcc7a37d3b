package pipeline

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// real puts this project itself into the repository, as it is in the working
// copy: with it k6, pidstat and the servers take the stand-in's place.
func (h *hub) real() {
	h.t.Helper()
	files := projectFiles(h.t)
	h.must(h.path("clone"), "git", "rm", "--quiet", "-r", "servers", "scripts", "stub", "k6", "gh-pages")
	h.commit("main", "the project itself", files)
	h.useCaches()
}

// projectFiles reads the files of the working copy but those of .github, which the repository has.
func projectFiles(t *testing.T) map[string]string {
	t.Helper()
	files := filesIn(t, "../../..")
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, ".github/") })
	return files
}

// filesIn reads the files of a directory that git knows, or would add.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	list.Dir = dir
	out, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v; the project is tested as a clone of its repository", err)
	}
	files := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// useCaches lets jobs use what was compiled and fetched before.
func (h *hub) useCaches() {
	h.t.Helper()
	for _, variable := range []string{"GOCACHE", "GOMODCACHE"} {
		out, err := exec.Command("go", "env", variable).Output()
		if err != nil {
			h.t.Fatal(err)
		}
		h.built = append(h.built, variable+"="+strings.TrimSpace(string(out)))
	}
	// The pages' packages, which scripts/test has fetched for their own tests.
	cache, err := exec.Command("npm", "config", "get", "cache").Output()
	if err != nil {
		h.t.Fatal(err)
	}
	h.built = append(h.built, "npm_config_cache="+strings.TrimSpace(string(cache)), "npm_config_offline=true")
}

// Jobs that really load a server, from the event to the history and to the
// comment.
func TestRealJobs(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.real()
	options := func(more map[string]string) map[string]string {
		all := map[string]string{"scenarios": "baseline", "rounds": "1", "leaderboard": "1", "quick": "true"}
		for key, value := range more {
			all[key] = value
		}
		return all
	}
	h.dispatch("benchmark", options(map[string]string{"servers": "go-http"})).want(benchmarked("load relay.go-http"))
	files := h.runFiles()
	if len(files) != 1 {
		t.Fatalf("history: %q, want one run", files)
	}
	main := h.must(h.path("clone"), "git", "rev-parse", "main")
	records := h.records(files[0])
	if len(records) != 1 {
		t.Fatalf("%d records, want one", len(records))
	}
	r := records[0]
	failed, known := r.Metrics.Get("failed_pct")
	if r.Status == record.Invalid || !known || failed != 0 || !r.Run.Quick || *r.Server.Commit != main || *r.Run.Commit != main {
		t.Errorf("record: %s %q, failed %v %%, of %s", r.Status, r.Why, failed, *r.Server.Commit)
	}
	if want := "101-1"; r.Run.ID != want { // the workflow's run and attempt
		t.Errorf("run %q, want %s", r.Run.ID, want)
	}
	// Of baseline alone there are points in one suite.
	series := "relay/go-http baseline TTFT p95 overhead, epoch " + record.Epoch(r) + " (quick)"
	if got := h.chartsOf().named(series); len(got) != 1 {
		t.Errorf("chart %s: %v, want one point", series, got)
	}

	source := filepath.Join(h.path("clone"), "servers/relay/go-http/main.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	head := h.commit("change", "a change", map[string]string{"servers/relay/go-http/main.go": string(text) + "\nfunc init() { println(\"another program\") }\n"})
	h.inline()
	h.open(7, "change", head, false)
	// Its job may fail: two short rounds on a busy machine say anything.
	pulled := h.dispatch("pull-request", map[string]string{"pr": "7", "sha": head, "rounds": "2", "quick": "true"})
	if got, want := pulled.jobs(), []string{"announce", "answer", "load relay.go-http", "plan"}; !slices.Equal(got, want) {
		t.Errorf("jobs %q, want %q\n%s", got, want, pulled.log)
	}
	answer := h.answer(7)
	for _, want := range []string{"\n**relay/go-http**: ", "go-http baseline   ", "go-http stress-200   ", "shortened (quick)", " rounds loaded, at most 2 count", "gh run download 102 -n raw-relay.go-http-1 "} {
		if !strings.Contains(answer, want) {
			t.Errorf("the answer lacks %q:\n%s", want, answer)
		}
	}
}
