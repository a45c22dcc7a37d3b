package pipeline

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// trials stands in for "scripts/bench prove": a trial of go-http against itself, in six rounds.
func trials() error {
	flags := flag.NewFlagSet("prove", flag.ContinueOnError)
	same := flags.Int("same", 0, "")
	servers := flags.String("servers", "", "")
	seed := flags.Uint64("seed", 0, "")
	within := flags.Duration("within", 0, "")
	out := flags.String("o", "", "")
	if err := flags.Parse(os.Args[1:]); err != nil {
		return err
	}
	if *same == 0 || *servers != "all" || *seed == 0 || *within == 0 || *out == "" || flags.NArg() > 0 {
		return fmt.Errorf("prove %q: not how the workflow is to call it", os.Args[1:])
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	harness, err := git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	targets := []target{direct}
	for _, side := range []string{"base", "head"} {
		t, err := extracted("go-http", side, harness)
		if err != nil {
			return err
		}
		targets = append(targets, t)
	}
	started := time.Now().UTC().Truncate(time.Second)
	run := record.Run{ID: "trial", Commit: &harness, Asked: raw.Asked{Rounds: verdict.Rounds}}
	var records []record.Record
	for round := range 6 {
		records = append(records, recordsOf(targets, run, round+1, started, loaded("compare", ""))...)
	}
	return prove.AddTrial(filepath.Join(*out, "trials.jsonl"), prove.Trial{
		Task:    prove.Task{ID: "same-relay.go-http-1", Kind: prove.Same, Server: "relay/go-http", Seed: *seed},
		Started: started, Comparison: verdict.Comparisons(records)[0],
	})
}

func TestMondaysTrialsAreKept(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.inline()
	r := h.run("benchmark", "schedule", map[string]any{"schedule": "23 3 * * 1"})
	r.want(append(benchmarked(trendRuns...), "load trials"))
	files := slices.DeleteFunc(h.history(), func(name string) bool { return !strings.HasPrefix(name, "trials/") })
	if len(files) != 1 {
		t.Fatalf("history: %q, want one file of trials", h.history())
	}
	kept, err := prove.ReadTrials(strings.NewReader(h.show(files[0])))
	if err != nil || len(kept) != 1 || kept[0].Server != "relay/go-http" || len(kept[0].Comparison.Rounds) != 6 {
		t.Errorf("%s: %+v, %v; want the trial of go-http", files[0], kept, err)
	}
}
