package branch

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/site/simulate"
)

// With ten thousand runs on the branch, one for each commit of main, the next one is still planned and
// published. The worst case for a plan is a server without any published run, since it looks for a base in
// all runs.
func TestLongTenThousandRuns(t *testing.T) {
	if os.Getenv("FAIRSTREAM_LONG") == "" {
		t.Skip("takes a minute")
	}
	const runs = 10_000
	r := bare(t)
	commits := importMain(t, r.URL, runs)
	const servers = 8
	var some [][]byte
	_, err := simulate.Write(simulate.Options{Commits: 40, Servers: servers, Seed: 8}, func(path string, data []byte) error {
		if strings.HasPrefix(path, "runs/") && !strings.HasSuffix(path, ".leaderboard.jsonl") && len(some) < 20 {
			some = append(some, data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// A reader of a file looks only at its servers, so the commit in its lines may differ.
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/heads/%s\ncommitter t <t@t.example> 1700000000 +0000\ndata 4\nruns\n", Branch)
	file := func(path string, data []byte) {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", path, len(data), data)
	}
	file(record.EditionPath, fmt.Append(nil, record.Edition))
	bytesOfAll := 0
	for n, commit := range commits {
		of := some[n%len(some)]
		path := fmt.Sprintf("runs/20%02d/%02d/%s-%d-1.jsonl", 24+n/2400, 1+n/200%12, commit, n+1)
		file(path, bytes.Replace(of, []byte(`"id":"`), fmt.Appendf(nil, `"id":"%d.`, n), 1)) // no two files are the same
		bytesOfAll += len(of)
	}
	importAll(t, r.URL, in.Bytes())
	in.Reset()

	started, used := time.Now(), cpu(t)
	published, err := Published(t.Context(), r.URL, Branch, commits[runs-1], func(line string) { t.Log(line) })
	if err != nil || len(published) != runs {
		t.Fatalf("%d runs, %v", len(published), err)
	}
	listed := time.Since(started)
	for _, p := range published {
		if measured, err := p.Servers(t.Context()); err != nil || len(measured) != servers {
			t.Fatalf("%s: %q, %v", p.Commit, measured, err)
		}
	}
	planned := time.Since(started)
	t.Logf("%d runs, %d MB of trend runs: a plan lists them in %.1f s, and has looked into all after %.1f s, with %.1f s of CPU time", runs, bytesOfAll>>20, listed.Seconds(), planned.Seconds(), (cpu(t) - used).Seconds())
	if first, err := published[0].Servers(t.Context()); err != nil || published[0].Commit != commits[runs-1] {
		t.Errorf("the newest is %s with %q, %v", published[0].Commit, first, err)
	}

	started, used = time.Now(), cpu(t)
	publish(t, r, runOf(1))
	took := time.Since(started)
	if got := strings.Count(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs"), "\n") + 1; got != runs+1 {
		t.Errorf("%d files of runs, want %d", got, runs+1)
	}
	t.Logf("one more is published in %.1f s, with %.1f s of CPU time", took.Seconds(), (cpu(t) - used).Seconds())
}

// cpu is the CPU time that this process and those that it waited for have taken.
func cpu(t *testing.T) (sum time.Duration) {
	t.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}

// importMain makes a branch of this many commits, oldest first.
func importMain(t *testing.T, dir string, n int) (commits []string) {
	t.Helper()
	var in bytes.Buffer
	for i := range n {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter t <t@t.example> %d +0000\ndata 1\nc\n", i+1, 1_700_000_000+i)
	}
	marks := filepath.Join(t.TempDir(), "marks")
	importAll(t, dir, in.Bytes(), "--export-marks="+marks)
	text, err := os.ReadFile(marks)
	if err != nil {
		t.Fatal(err)
	}
	commits = make([]string, n)
	for line := range strings.Lines(string(text)) {
		var mark int
		var commit string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &commit); err != nil {
			t.Fatal(err)
		}
		commits[mark-1] = commit
	}
	return commits
}

func importAll(t *testing.T, dir string, stream []byte, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"fast-import", "--quiet"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stream)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
