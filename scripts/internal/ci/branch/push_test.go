package branch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
)

// git runs git in a test's repository.
var git = testrepo.Git

func bare(t testing.TB) Remote {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--bare", "-b", "main", ".")
	return Remote{URL: dir}
}

// hook makes the remote run a script before it accepts a push.
func hook(t testing.TB, r Remote, script string) {
	t.Helper()
	testfile.Program(t, filepath.Join(r.URL, "hooks/pre-receive"), "#!/bin/sh\nset -e\n"+script)
}

func show(t testing.TB, r Remote, path string) string {
	t.Helper()
	return git(t, r.URL, "show", Branch+":"+path)
}

func hash(n int) string { return fmt.Sprintf("%040x", n) }

// entry is the points of commit n, made n minutes after some midnight.
func entry(n int, benches ...Bench) Entry {
	return Entry{
		Commit: Commit{ID: hash(n), Message: fmt.Sprint("commit ", n), Timestamp: time.Date(2026, 11, 1, 0, n, 0, 0, time.UTC)},
		Tool:   "customBiggerIsBetter", Benches: benches,
	}
}

func runOf(n int) Run {
	return Run{
		Path: fmt.Sprintf("runs/2026/11/%s-%d-1.jsonl", hash(n), n), TrendRuns: fmt.Appendf(nil, "{\"run\":%d}\n", n),
		Points: map[string]Entry{Bigger: entry(n, Bench{"go-http stress req/s", "req/s", float64(n), "", ""})},
		Time:   time.UnixMilli(1e12), Message: fmt.Sprintf("run %d\n", n),
	}
}

func publish(t testing.TB, r Remote, run Run) {
	t.Helper()
	if _, err := r.Publish(t.Context(), run, func(line string) { t.Log(line) }); err != nil {
		t.Fatal(err)
	}
}

func chart(t testing.TB, r Remote) Chart {
	t.Helper()
	c, err := r.Chart(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestARunIsOneCommitOnABranchThatIsMade(t *testing.T) {
	r := bare(t)
	if c := chart(t, r); len(c.Entries) != 0 {
		t.Errorf("a branch that is not there has %v", c)
	}
	publish(t, r, runOf(1))
	publish(t, r, runOf(2))
	if got := git(t, r.URL, "log", "--format=%an <%ae>: %s", Branch); got != strings.Join([]string{botName + " <" + botEmail + ">: run 2", botName + " <" + botEmail + ">: run 1"}, "\n") {
		t.Errorf("log:\n%s", got)
	}
	if got := show(t, r, runOf(1).Path); got != `{"run":1}` {
		t.Errorf("run 1 is %q", got)
	}
	if got := show(t, r, ChartPath); !strings.HasPrefix(got, `window.BENCHMARK_DATA = {"lastUpdate":1000000000000,`) {
		t.Errorf("data.js is %.100s", got)
	}
	if got := git(t, r.URL, "ls-tree", "-r", "--name-only", Branch); len(strings.Fields(got)) != 4 {
		t.Errorf("files:\n%s", got)
	}
}

func TestTheSameBytesAreFineAndOthersAreRefused(t *testing.T) {
	r := bare(t)
	publish(t, r, runOf(1))
	before := git(t, r.URL, "rev-parse", Branch)
	publish(t, r, runOf(1))
	other := runOf(1)
	other.TrendRuns = []byte("{}\n")
	_, err := r.Publish(t.Context(), other, func(string) {})
	if err == nil || !strings.Contains(err.Error(), "with other bytes; a run never changes") {
		t.Errorf("error %v", err)
	}
	if after := git(t, r.URL, "rev-parse", Branch); after != before {
		t.Error("the branch moved")
	}
}

// Whatever is on the branch stays, and none of it is written to our disk as such.
func TestOtherFilesOfTheBranchStay(t *testing.T) {
	r, dir := bare(t), t.TempDir()
	git(t, dir, "init", "--quiet", "-b", Branch)
	if err := errors.Join(os.Symlink("/etc/passwd", filepath.Join(dir, "link")), os.WriteFile(filepath.Join(dir, "CNAME"), []byte("example.org"), 0o644)); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "by hand")
	git(t, dir, "push", "--quiet", r.URL, Branch)
	publish(t, r, runOf(1))
	if got := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch)); len(got) != 5 {
		t.Errorf("files: %q", got)
	}
}

// Eight publishers with ten runs each write to one branch at the same time.
func TestNoRunOfARaceIsLost(t *testing.T) {
	t.Parallel()
	const publishers, runs = 4, 2
	r := bare(t)
	start := time.Now()
	var mu sync.Mutex
	var wg sync.WaitGroup
	all, most := 0, 0
	for p := range publishers {
		wg.Go(func() {
			for i := range runs {
				tried, err := r.Publish(t.Context(), runOf(1+p*runs+i), func(string) {})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				all, most = all+tried, max(most, tried)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	files := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs"))
	points := len(chart(t, r).Entries[Bigger])
	commits := git(t, r.URL, "rev-list", "--count", Branch)
	t.Logf("%d of %d runs kept, %d points, %s commits; %d tries, at most %d for one, in %.1f s",
		len(files), publishers*runs, points, commits, all, most, time.Since(start).Seconds())
	if len(files) != publishers*runs || points != publishers*runs || commits != fmt.Sprint(publishers*runs) {
		t.Error("something was lost, or is there twice")
	}
}

// While the remote looks at our push, somebody sets the branch back.
func TestABranchThatIsForcedBetweenFetchAndPush(t *testing.T) {
	r := bare(t)
	publish(t, r, runOf(1))
	first := git(t, r.URL, "rev-parse", Branch)
	publish(t, r, runOf(2))
	hook(t, r, "[ -e raced ] && exit 0; touch raced; unset GIT_QUARANTINE_PATH; git update-ref refs/heads/"+Branch+" "+first)
	var said []string
	tried, err := r.Publish(t.Context(), runOf(3), func(line string) { said = append(said, line) })
	if err != nil || tried != 2 || len(said) != 1 || !strings.Contains(said[0], "try 1 of 30 failed") {
		t.Errorf("%d tries, %v, said %q", tried, err, said)
	}
	// Removed runs stay removed: our push does not restore run 2.
	if got := git(t, r.URL, "log", "--format=%s", Branch); got != "run 3\nrun 1" {
		t.Errorf("log:\n%s", got)
	}
	if n := len(chart(t, r).Entries[Bigger]); n != 2 {
		t.Errorf("%d points, want 2", n)
	}
}

func TestRetriesEnd(t *testing.T) {
	was := firstWait
	firstWait = time.Microsecond
	defer func() { firstWait = was }()
	r := bare(t)
	hook(t, r, "echo no space left >&2; exit 1")
	said := 0
	tried, err := r.Publish(t.Context(), runOf(1), func(string) { said++ })
	if tried != tries || said != tries-1 || err == nil || !strings.Contains(err.Error(), "was not pushed in 30 tries") || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%d tries, said %d times, %v", tried, said, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	tried, err = r.Publish(ctx, runOf(1), func(string) { cancel() })
	if tried != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %d tries, %v", tried, err)
	}
}

// Half a file is a chart that nobody can read. The run is kept all the same.
func TestABrokenChartDoesNotCostTheRun(t *testing.T) {
	r := bare(t)
	publish(t, r, runOf(1))
	whole := show(t, r, ChartPath)
	half := whole[:len(whole)/2]
	overwrite(t, r, ChartPath, half)
	_, err := r.Publish(t.Context(), runOf(2), func(string) {})
	var broken *Broken
	if !errors.As(err, &broken) || !strings.Contains(err.Error(), "charts/data.js on gh-pages: no chart data: byte ") {
		t.Errorf("error %v", err)
	}
	if got := show(t, r, runOf(2).Path); got != `{"run":2}` {
		t.Errorf("run 2 is %q", got)
	}
	if got := show(t, r, ChartPath); got != half {
		t.Errorf("the broken chart was changed: %q", got)
	}
	if _, err := r.Chart(t.Context()); !errors.As(err, &broken) {
		t.Errorf("reading it: %v", err)
	}
	// A push whose answer is lost is done, and the try after it has nothing to do.
	const once = `[ "$1" = committed ] || exit 0; grep -q refs/heads/ || exit 0; [ -e lost ] && exit 0; touch lost; kill -9 $PPID`
	testfile.Program(t, filepath.Join(r.URL, "hooks/reference-transaction"), "#!/bin/sh\n"+once)
	tried, err := r.Publish(t.Context(), runOf(3), func(string) {})
	if tried != 2 || !errors.As(err, &broken) || show(t, r, runOf(3).Path) != `{"run":3}` {
		t.Errorf("%d tries, %v; want 2, and the chart named all the same", tried, err)
	}
}
