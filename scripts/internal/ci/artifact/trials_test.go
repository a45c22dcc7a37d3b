package artifact

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
)

// Trials are comparisons of the plan's servers with themselves. Their faults do not affect the records.
func TestTrialsComeBesideRecords(t *testing.T) {
	weekly := mainPlan
	weekly.Trials = true
	var line bytes.Buffer
	if err := prove.WriteTrial(&line, prove.Trial{
		Task: prove.Task{ID: "same-relay.go-http-1", Kind: prove.Same, Server: "relay/go-http", Seed: 1}, Started: This.Made.Add(time.Hour),
		Comparison: verdict.Comparison{Workload: "relay", Server: "go-http", Epoch: "0a1b2c", Planned: verdict.Rounds},
	}); err != nil {
		t.Fatal(err)
	}
	good := line.String()
	named := func(text string) []byte {
		return zipped(t, file{FileHeader: zip.FileHeader{Name: trialsMember}, text: text})
	}
	edited := func(old, new string) []byte {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in %s", old, good)
		}
		return named(strings.Replace(good, old, new, 1))
	}
	for name, c := range map[string]struct {
		plan plan.Plan
		zip  []byte
		want string // of the reason why it is refused; "" is accepted
	}{
		"good":           {weekly, named(good), ""},
		"not planned":    {mainPlan, named(good), "want run.jsonl"},
		"no zip":         {weekly, []byte("PK"), "not a readable zip file"},
		"another member": {weekly, zipped(t, file{text: good}), "want trials.jsonl"},
		"markup":         {weekly, edited("0a1b2c", "<b>"), "without markup"},
		"another server": {weekly, named(strings.ReplaceAll(good, "go-http", "go-evil")), `server "relay/go-evil" is not in the plan`},
		"an edit":        {weekly, edited(`"kind":"same"`, `"kind":"edit"`), "kind"},
		"a neighbour":    {weekly, edited(`"seed":1`, `"seed":1,"neighbour":0.5`), "neighbour 0.5"},
		"fewer rounds":   {weekly, edited(`"planned":24`, `"planned":2`), "it has 0 rounds of 2"},
		"another day":    {weekly, edited("2026-11-21", "2026-11-20"), "started at 2026-11-20"},
		"twice":          {weekly, named(good + good), "a second time"},
		"many":           {weekly, named(strings.Repeat(good, mostTrials+1)), "want at most 200 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "records-trials-2/a.zip", c.zip)
			got, err := Read(dir, c.plan, known, This)
			if err != nil {
				t.Fatal(err)
			}
			if (len(got.Trials) == 1) != (c.want == "") {
				t.Errorf("%d trials", len(got.Trials))
			}
			if c.want != "" && (len(got.Refused) != 1 || !strings.Contains(got.Refused[0].Why, c.want)) {
				t.Errorf("refused %q, want %q", got.Refused, c.want)
			}
			if missing := strings.Join(got.Missing, " "); c.plan.Trials && strings.Contains(missing, plan.TrialRun) != (c.want != "") {
				t.Errorf("missing %s", missing)
			}
		})
	}
}

// A later attempt replaces an earlier one, and nobody can tell which of two is the real one.
func TestOneArtifactOfTrialsCounts(t *testing.T) {
	weekly := mainPlan
	weekly.Trials = true
	dir := t.TempDir()
	write(t, dir, "records-trials-1/a.zip", nil)
	write(t, dir, "records-trials-2/a.zip", nil)
	write(t, dir, "records-trials-2/b.zip", nil)
	got, err := Read(dir, weekly, known, This)
	if err != nil || len(got.Trials) > 0 || len(got.Refused) != 2 || !strings.Contains(got.Refused[0].Why, "2 artifacts have trials; want one") {
		t.Errorf("%v: %d trials, refused %q; want both of attempt 2", err, len(got.Trials), got.Refused)
	}
}
