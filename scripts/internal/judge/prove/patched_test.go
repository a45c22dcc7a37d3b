package prove

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// requests is a workload whose unit is the request.
var requests = workload.All[slices.IndexFunc(workload.All, func(w workload.Workload) bool { return w.Unit == workload.Request })]

func cpuPatch() Patch {
	i := slices.IndexFunc(requests.Criteria, func(c workload.Criterion) bool { return c.Decides == "CPU" })
	return Patch{Name: "cpu", Server: requests.Name + "/a", What: "a sum", Cell: requests.Criteria[i].Name(), Pct: 8}
}

// madePatched is a finished trial. Figures scatter by a share of sd. With a patch, head is worse by its size.
func madePatched(task Task, sd float64) Trial {
	random := rand.New(rand.NewPCG(task.Seed, 1))
	p := verdict.Comparison{Workload: requests.Name, Server: "a", Epoch: "e", Planned: verdict.Rounds}
	for i := range verdict.Rounds {
		r := verdict.Round{Round: i + 1, Cells: map[string]verdict.At{}}
		for _, c := range requests.Criteria {
			for _, name := range parts(p, c.Name()) {
				at := verdict.At{100 * math.Exp(sd*random.NormFloat64()), 100 * math.Exp(sd*random.NormFloat64())}
				if task.Patch != nil && task.Patch.Cell == c.Name() {
					at[1] *= 1 + task.Patch.Pct/100
				}
				r.Cells[name] = at
			}
		}
		p.Rounds = append(p.Rounds, r)
	}
	return Trial{Task: task, Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Comparison: p, WallSeconds: 300}
}

func TestTablesOfPatches(t *testing.T) {
	p := cpuPatch()
	trials := []Trial{
		madePatched(Task{ID: "cpu-1", Kind: Patched, Server: p.Server, Patch: &p, Seed: 1}, 0.004),
		madePatched(Task{Kind: Same, ID: "same-1", Server: p.Server, Seed: 2}, 0.004),
		madePatched(Task{Kind: Same, ID: "same-2", Server: p.Server, Seed: 3}, 0.2), // too noisy for a verdict
	}
	all := judgeAll(trials)
	if row := falseAlarms(all).Rows[0]; row[1] != "2" || row[2] != "0" {
		t.Errorf("without a change: %v; want two comparisons and no false alarm", row)
	}
	if row := unanswered(all).Rows[0]; row[1] != "2" || row[5] != "1" {
		t.Errorf("without a change: %v; want two comparisons, one without a verdict", row)
	}
	rows := patched(all).Rows
	if len(rows) != 1 || rows[0][0] != p.Name || rows[0][2] != p.Cell || rows[0][3] != "+8" || rows[0][4] != "-" || rows[0][6] != string(verdict.Regressed) || rows[0][9] != "-" {
		t.Fatalf("of the patch: %v", rows)
	}
	if !strings.HasPrefix(rows[0][5], "+7.") && !strings.HasPrefix(rows[0][5], "+8.") || !strings.Contains(rows[0][5], " to +") {
		t.Errorf("change %q; want 8 %% and an interval", rows[0][5])
	}
	// The patch acts on another cell than it says.
	wrong := p
	wrong.Cell = requests.Criteria[slices.IndexFunc(requests.Criteria, func(c workload.Criterion) bool { return c.Decides == "memory" })].Name()
	trials[0].Patch = &wrong
	if row := patched(judgeAll(trials)).Rows[0]; row[6] == string(verdict.Regressed) || !strings.HasPrefix(row[9], p.Cell+" +") {
		t.Errorf("found by another cell: %v", row)
	}
}

func TestATrialOfAPatchIsReadAsItWasWritten(t *testing.T) {
	p := cpuPatch()
	trial := madePatched(Task{ID: "cpu-1", Kind: Patched, Server: p.Server, Patch: &p, Seed: 1}, 0.01)
	var first, second bytes.Buffer
	if err := WriteTrial(&first, trial); err != nil {
		t.Fatal(err)
	}
	read, err := ReadTrials(strings.NewReader(first.String() + `{"id": "half`))
	if err != nil || len(read) != 1 {
		t.Fatalf("%d trials, %v", len(read), err)
	}
	if err := WriteTrial(&second, read[0]); err != nil || first.String() != second.String() {
		t.Errorf("%v:\n%s\nthen\n%s", err, first.String(), second.String())
	}
	for old, c := range map[string]struct{ new, want string }{
		`"id":"cpu-1"`:                       {`"id":""`, "without id"},
		`"seed"`:                             {`"sed"`, "unknown field"},
		`"server":"a","epoch"`:               {`"server":"b","epoch"`, "comparison of"},
		`"pct":8`:                            {`"pct":0`, "a change of 0 %"},
		`"cell":"` + p.Cell:                  {`"cell":"rate_per_s`, "does not decide"},
		`"planned":24`:                       {`"planned":0`, "0 rounds planned"},
		`"name":"cpu","server":"` + p.Server: {`"name":"cpu","server":"` + p.Server + `b`, "with a patch of"},
	} {
		broken := strings.Replace(first.String(), old, c.new, 1)
		if _, err := ReadTrials(strings.NewReader(broken)); broken == first.String() || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.new, err, c.want)
		}
	}
	if _, err := ReadTrials(strings.NewReader(first.String() + first.String())); err == nil || !strings.Contains(err.Error(), "a second time") {
		t.Errorf("twice: %v", err)
	}
}

// The function of a patch counts as found among the first three that the report names.
func TestTheFunctionsOfPatches(t *testing.T) {
	patched := func(what string, functions ...string) result {
		return result{Trial: Trial{Task: Task{Kind: Patched, Patch: &Patch{What: what, Function: "json|words"}}, Functions: functions}}
	}
	table := functions([]result{
		patched("in time", "main.words", "a", "b"), patched("late", "a", "b", "c", "main.words"), patched("by a caller", "main.chat > encoding/json.Valid"),
		{Trial: Trial{Task: Task{Kind: Same}, Functions: []string{}}}, {Trial: Trial{Task: Task{Kind: Same}, Functions: []string{"a"}}},
		{Trial: Trial{Task: Task{Kind: Same}}}, {Trial: Trial{Task: Task{Kind: Patched, Patch: &Patch{What: "nobody asks"}}, Functions: []string{"a"}}},
		patched("nothing", []string{}...),
	})
	var says []string
	for _, row := range table.Rows {
		says = append(says, row[1]+" "+row[4])
	}
	if got, want := strings.Join(says, ", "), "by a caller yes, in time yes, late no, nothing no"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	if !strings.Contains(table.Note, "in 2 of 4. In 2 comparisons without a change, 1 functions were listed") {
		t.Error(table.Note)
	}
}
