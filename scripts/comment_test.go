package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// benchstat itself is asked, and for no more than what has verdicts.
func TestBenchstatHasTheCellsThatAreJudged(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var records []record.Record
	for round := 1; round <= 6; round++ {
		for _, scenario := range []string{"steady", "stress-100"} {
			for _, side := range []string{"", "base", "head"} {
				r := record.Record{Scenario: scenario, Round: round, Status: record.OK, Metrics: record.Metrics{}}
				r.Server.Name, r.Server.Side = "go-http", side
				if side == "" {
					r.Server.Name = raw.Direct
				}
				for i, m := range record.Table {
					v := float64(1000*(i+1) + round)
					r.Metrics[m.Name] = &v
				}
				records = append(records, r)
			}
		}
	}
	got, err := benchstat(t.Context(), root, records)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"│ rate_per_s": 2, "│ ttft_p95_ms": 2, "│ stream_p95_ms": 2, "stream_p50_ms": 0, "direct": 0,
		"go-http stress-100": 3, "go-http steady": 5,
	} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%q is there %d times, want %d:\n%s", text, n, want, got)
		}
	}
}

func TestPastIsNothingWhereThereIsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, publishedFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", "-A")
		git("commit", "-q", "-m", "change")
	}
	const line = `{"epoch":"abcdef","server":"go-http","run":"1","cells":{"steady ttft_p95_ms":{"variance":0.01,"free":3}}}` + "\n"
	git("init", "-q", "-b", "main")
	for _, c := range []struct {
		file, ref string
		want      int
	}{{line + line, "main", 2}, {line, "elsewhere", 0}, {line + "no JSON\n", "main", 0}, {line[:40], "main", 0}} {
		write(c.file)
		past, err := pastAt(t.Context(), dir, c.ref)
		if n := len(past); n != c.want || err != nil {
			t.Errorf("%q at %s: %d, %v; want %d", c.file, c.ref, n, err, c.want)
		}
	}
	// Of one's own file a crash may have cut the last line, and nothing else is a past.
	own := filepath.Join(dir, "own")
	for text, want := range map[string]int{line: 1, line + line[:40]: 1, line[:40]: 0, "no JSON\n" + line: -1} {
		if err := os.WriteFile(own, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if past, err := pastIn(own); len(past) != max(want, 0) || (err == nil) != (want >= 0) {
			t.Errorf("%q: %d, %v; want %d", text, len(past), err, want)
		}
	}
	if past, err := pastIn(filepath.Join(dir, "none")); past != nil || err != nil {
		t.Errorf("no file: %v, %v", past, err)
	}
}
