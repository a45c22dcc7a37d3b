package history

import (
	"errors"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/verdict"
)

func flagged(n int, run string) Run {
	r := runOf(n)
	r.Flags = []archive.Flag{{Schema: archive.FlagSchema, Server: "go-http", Base: hash(n - 1), Head: hash(n), Run: run, Verdict: verdict.Unchanged, Cells: []archive.FlagCell{}}}
	r.Past = []verdict.Past{{Epoch: "e", Server: "go-http", Run: run, Cells: map[string]verdict.Variance{"steady ttft_p95_ms": {Variance: 0.01, Free: 3}}}}
	return r
}

func TestPairsLeaveFlagsAndTheirScatter(t *testing.T) {
	r := bare(t)
	publish(t, r, flagged(1, "1-1"))
	publish(t, r, flagged(2, "2-1"))
	before := git(t, r.URL, "rev-parse", Branch)
	publish(t, r, flagged(2, "2-1"))
	if after := git(t, r.URL, "rev-parse", Branch); after != before {
		t.Error("the same once more moved the branch")
	}
	path := archive.FlagsPath(runOf(2).Path)
	if want := "flags/2026/11/" + hash(2) + "-2-1.json"; path != want {
		t.Fatalf("flags are at %s, want %s", path, want)
	}
	flags, err := archive.ReadFlags(strings.NewReader(show(t, r, path)))
	if err != nil || len(flags) != 1 || flags[0].Head != hash(2) || flags[0].Run != "2-1" {
		t.Errorf("flags %+v, %v", flags, err)
	}
	if lines := strings.Count(show(t, r, archive.PastPath)+"\n", "\n"); lines != 2 {
		t.Errorf("%d lines of the past, want 2", lines)
	}

	// The second attempt brings the first's pair again, with one that is new.
	again := flagged(2, "2-1")
	again.Path = strings.Replace(again.Path, "-2-1.", "-2-2.", 1)
	again.Flags = append(again.Flags, flagged(2, "2-2").Flags...)
	again.Past = append(again.Past, flagged(2, "2-2").Past...)
	publish(t, r, again)
	flags, err = archive.ReadFlags(strings.NewReader(show(t, r, archive.FlagsPath(again.Path))))
	if err != nil || len(flags) != 1 || flags[0].Run != "2-2" {
		t.Errorf("flags of the second attempt %+v, %v", flags, err)
	}
	if lines := strings.Count(show(t, r, archive.PastPath)+"\n", "\n"); lines != 3 {
		t.Errorf("%d lines of the past, want 3", lines)
	}

	// A third one has nothing that is new.
	again.Path, again.Points = strings.Replace(again.Path, "-2-2.", "-2-3.", 1), nil
	before = git(t, r.URL, "rev-parse", Branch)
	publish(t, r, again)
	if after := git(t, r.URL, "rev-parse", Branch); after != before {
		t.Error("an attempt without anything new moved the branch")
	}
}

// A past that nobody can read costs no run, and is not overwritten.
func TestABrokenPastIsLeftAsItIs(t *testing.T) {
	r := bare(t)
	publish(t, r, runOf(1))
	overwrite(t, r, archive.PastPath, "no JSON\n")
	_, err := r.Publish(t.Context(), flagged(2, "2-1"), func(string) {})
	var broken *Broken
	if !errors.As(err, &broken) || broken.Path != archive.PastPath || !strings.Contains(err.Error(), "past.jsonl on gh-pages: line 1") {
		t.Errorf("error %v", err)
	}
	if got := show(t, r, archive.PastPath); got != "no JSON" {
		t.Errorf("the past is %q", got)
	}
	if got := show(t, r, runOf(2).Path); got != `{"run":2}` {
		t.Errorf("run 2 is %q", got)
	}
}

// Flags of another attempt that nobody can read cost no run either, nor its own flags.
func TestBrokenFlagsAreLeftAsTheyAre(t *testing.T) {
	r := bare(t)
	publish(t, r, flagged(1, "1-1"))
	first := archive.FlagsPath(runOf(1).Path)
	overwrite(t, r, first, "[\n")
	again := flagged(1, "1-2")
	again.Path = strings.Replace(again.Path, "-1-1.", "-1-2.", 1)
	again.Legs = []byte(`{"run":12}` + "\n")
	_, err := r.Publish(t.Context(), again, func(string) {})
	var broken *Broken
	if !errors.As(err, &broken) || broken.Path != first {
		t.Errorf("error %v", err)
	}
	if got := show(t, r, again.Path); got != `{"run":12}` {
		t.Errorf("the second attempt is %q", got)
	}
	if flags, err := archive.ReadFlags(strings.NewReader(show(t, r, archive.FlagsPath(again.Path)))); err != nil || len(flags) != 1 || flags[0].Run != "1-2" {
		t.Errorf("its flags are %+v, %v", flags, err)
	}
	if got := show(t, r, first); got != "[" {
		t.Errorf("the broken flags were changed: %q", got)
	}
}

// overwrite changes a file on the branch, as nothing of ours does.
func overwrite(t *testing.T, r Remote, path, text string) {
	t.Helper()
	s, err := open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	commit, err := s.commit(t.Context(), map[string][]byte{path: []byte(text)}, "broken")
	if err != nil || s.push(t.Context(), commit) != nil {
		t.Fatal(err)
	}
}
