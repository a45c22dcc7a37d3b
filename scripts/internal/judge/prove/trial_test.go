package prove

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
)

// made is a trial with invented rounds. Each cell scatters by a share of sd, and head is worse by
// the shares in worse.
// goHTTP is the server of made.
var goHTTP = []string{"relay/go-http"}

func made(task Task, rounds int, sd float64, worse map[string]float64) Trial {
	random := rand.New(rand.NewPCG(task.Seed, 1))
	p := verdict.Comparison{Workload: "relay", Server: "go-http", Epoch: "e", Planned: verdict.Rounds}
	for i := range rounds {
		r := verdict.Round{Round: i + 1, Cells: map[string]verdict.At{}}
		for _, c := range []struct {
			name  string
			value float64
		}{
			{"steady server_cpu_us_per_stream", 500}, {"stress-100 rate_per_s", 4000}, {"stress-200 rate_per_s", 7000}, {"baseline ttft_p95_ms", 2}, {"stress-100 stream_p95_ms", 60},
			{"stress-200 stream_p95_ms", 130}, {"stress-200 server_rss_peak_bytes", 40e6},
		} {
			minute := 1 + 0.1*random.NormFloat64()
			r.Cells[c.name] = verdict.At{
				c.value * minute * (1 + sd*random.NormFloat64()), c.value * minute * (1 + sd*random.NormFloat64()) * (1 + worse[c.name]),
			}
		}
		p.Rounds = append(p.Rounds, r)
	}
	return Trial{Task: task, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Comparison: p, LoadSeconds: 60 * float64(rounds), WallSeconds: 80 * float64(rounds)}
}

func TestATrialIsReadAsItWasWritten(t *testing.T) {
	var all []Trial
	for _, task := range (Plan{Seed: 3, Servers: goHTTP, Same: 2, Edits: 1, Each: 1, Sizes: Combinations}).Tasks(nil) {
		trial := made(task, 4, 0.01, nil)
		if task.Kind == Edited {
			trial.Change = &Change{"go", "main.go: a and b swapped"}
		}
		if task.Kind == Injected {
			trial.Flags = Flags{Work: 12, TTFTUS: 300, TTFTShare: 0.2}
			trial.Delivered = &Delivered{Told: [2]Told{{Given: Given{Streams: 3}}, {Given: Given{Streams: 4, Iterations: 5}}}, Pct: map[string]float64{"steady server_cpu_us_per_stream": 3.01}}
		}
		all = append(all, trial)
	}
	var first, second bytes.Buffer
	for _, trial := range all {
		if err := WriteTrial(&first, trial); err != nil {
			t.Fatal(err)
		}
	}
	read, err := ReadTrials(strings.NewReader(first.String() + `{"id": "same-9", "ki`))
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range read {
		if err := WriteTrial(&second, trial); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() || len(read) != len(all) {
		t.Errorf("%d trials:\n%s\nthen\n%s", len(read), first.String(), second.String())
	}
	for i := range read {
		want, got := all[i].Answer(), read[i].Answer()
		if want.Verdict != got.Verdict || len(want.Cells) != len(got.Cells) {
			t.Errorf("%s: %s, and after reading %s", all[i].ID, want.Verdict, got.Verdict)
		}
	}
	if all[0].Comparison.Rounds[0].Cells["baseline ttft_p95_ms"] == read[0].Comparison.Rounds[0].Cells["baseline ttft_p95_ms"] {
		t.Error("writing rounded the caller's figures, or did not round")
	}
}

func TestReadingTrialsIsStrict(t *testing.T) {
	line := `{"id":"same-1","kind":"same","server":"relay/go-http","seed":1,"started":"2026-01-02T03:04:05Z","flags":{},"comparison":{"workload":"relay","server":"go-http","epoch":"e","planned":12,"identical":false,"rounds":[]},"load_seconds":1,"wall_seconds":2}`
	if _, err := ReadTrials(strings.NewReader(line + "\n")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"seed"`, `"sed"`, "unknown field"}, {`"kind":"same"`, `"kind":"edit"`, "a change of the source"}, {`"kind":"same"`, `"kind":"injected"`, "with the size"},
		{`"kind":"same"`, `"kind":"some"`, "want one of"}, {`"flags":{}`, `"flags":{"work":1}`, "want none"},
		{`"wall_seconds":2`, `"wall_seconds":0.5`, "of load in"},
		{`"seed":1`, `"seed":1,"neighbour":1`, "below 1"}, {`"seed":1`, `"seed":1,"neighbour":-0.5`, "from 0"}, {`:2}`, `:2,"neighbour_took_pct":7}`, "0 without a neighbour"},
		{`"id":"same-1"`, `"id":""`, "without id"}, {`relay/go-http`, `relay/go-gin`, "a comparison of"}, {`"kind":"same"`, `"kind":"patched"`, "a patch"}, {`"planned":12`, `"planned":0`, "rounds planned"}, {`:2}`, `:2}{}`, "text after"}, {`:2}`, ":2}\n" + line, "a second time"},
	} {
		_, err := ReadTrials(strings.NewReader(strings.Replace(line, c.old, c.new, 1) + "\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(fmt.Sprint(err), "line ") {
			t.Errorf("%s: %v; want %q", c.new, err, c.want)
		}
	}
}

// A kill may leave half a line. The next line does not continue it.
func TestATrialIsAddedBehindTheLastWholeOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trials.jsonl")
	tasks := (Plan{Seed: 3, Servers: goHTTP, Same: 3}).Tasks(nil)
	for i, task := range tasks {
		if err := AddTrial(path, made(task, 4, 0.01, nil)); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteString(`{"id":"same-`)
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	trials := testfile.Read(t, path, ReadTrials)
	if len(trials) != len(tasks) {
		t.Fatalf("%d trials of %d", len(trials), len(tasks))
	}
	for i, trial := range trials {
		if trial.ID != tasks[i].ID {
			t.Errorf("trial %d is %s, want %s", i, trial.ID, tasks[i].ID)
		}
	}
}
