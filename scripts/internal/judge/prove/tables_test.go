package prove

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
)

const cpuCell = "steady server_cpu_us_per_stream"

// many is an invented experiment: fifty trials of the same program, ten edits and ten injected
// regressions. One edit is a real change and two are identical. Half of the regressions are large.
func many() (all []Trial) {
	for _, task := range (Plan{Seed: 1, Servers: goHTTP, Same: 50, Edits: 10, Each: 10, Sizes: Combinations[:1]}).Tasks(nil) {
		var worse map[string]float64
		n, _ := strconv.Atoi(task.ID[strings.LastIndex(task.ID, "-")+1:]) // else 0, which the test does not want
		if task.Kind == Edited && n == 1 || task.Kind == Injected && n%2 == 0 {
			worse = map[string]float64{cpuCell: 0.2}
		}
		trial := made(task, verdict.Rounds, 0.01, worse)
		if task.Kind == Edited {
			trial.Change = &Change{"go", "main.go: a and b swapped"}
			if n > 8 {
				trial.Comparison.Identical, trial.Comparison.Rounds = true, nil
			}
		}
		if task.Kind == Injected {
			trial.Delivered = &Delivered{Pct: map[string]float64{cpuCell: 3 + float64(n)/100}}
		}
		trial.Started = time.Date(2026, 11, 21, 0, 3*len(all), 0, 0, time.UTC)
		all = append(all, trial)
	}
	return all
}

func TestTables(t *testing.T) {
	tables := Tables(many())
	var text, markdown bytes.Buffer
	if err := WriteText(&text, tables); err != nil {
		t.Fatal(err)
	}
	if err := WriteMarkdown(&markdown, tables); err != nil {
		t.Fatal(err)
	}
	testfile.Check(t, "testdata/tables.text", text.Bytes())
	testfile.Check(t, "testdata/tables.markdown", markdown.Bytes())
	for _, table := range tables {
		for _, row := range table.Rows {
			if len(row) != len(table.Head) {
				t.Errorf("%s: %d cells of %d: %q", table.Title, len(row), len(table.Head), row)
			}
		}
	}
}

// A page reads the rows of each table.
func TestTablesOfNothing(t *testing.T) {
	tables := Tables(nil)
	var text bytes.Buffer
	if err := WriteText(&text, tables); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "NaN") {
		t.Error(text.String())
	}
	for _, table := range tables {
		if len(table.Rows) == 0 {
			t.Errorf("%s: no rows", table.Title)
		}
	}
}

// The figures are those of R's binom.test.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{0, 100, 0, 0.0362167}, {5, 100, 0.01643188, 0.1128349}, {100, 100, 0.9637833, 1}, {8, 10, 0.4439045, 0.9747893}} {
		low, high := clopperPearson(c.k, c.n)
		if math.Abs(low-c.low) > 1e-6 || math.Abs(high-c.high) > 1e-6 {
			t.Errorf("%d of %d: %.7f to %.7f; want %.7f to %.7f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

func TestTheSameProgramScattersAsItWasMade(t *testing.T) {
	for _, row := range scatter(judgeAll(many())).Rows {
		process, _ := strconv.ParseFloat(row[2], 64) // else 0, which the test does not want
		minute, _ := strconv.ParseFloat(row[3], 64)  // else 0, which the test does not want
		of := 1.0
		if strings.HasPrefix(row[0], "stress ") { // the mean of two levels
			of = math.Sqrt2
		}
		if math.Abs(process-1/of) > 0.1 || math.Abs(minute-10/of) > 1 {
			t.Errorf("%q; want 1 and 10, over %g", row, of)
		}
	}
}

func TestDiscardedRoundsAreInNoTable(t *testing.T) {
	trials := many()[:1]
	for i := range trials[0].Comparison.Rounds {
		trials[0].Comparison.Rounds[i].Discarded = []string{"others"}
	}
	trials[0].Task = Task{ID: "same-1", Kind: Same, Server: goHTTP[0]}
	if rows := scatter(judgeAll(trials)).Rows; len(rows) > 0 {
		t.Errorf("%q", rows)
	}
}

// The plan of a trial changes no verdict.
func TestTheTruthIsNotJudged(t *testing.T) {
	for _, trial := range many()[:20] {
		was := trial.Answer()
		trial.Task, trial.Flags, trial.Delivered = Task{ID: "x", Kind: Injected, Server: goHTTP[0], Size: Size{CPU: 99}}, Flags{Work: 1e6}, nil
		if now := trial.Answer(); now.Verdict != was.Verdict || fmt.Sprint(now.Cells) != fmt.Sprint(was.Cells) {
			t.Errorf("%s, and %s", was.Verdict, now.Verdict)
		}
	}
}

// A comparison that was too noisy is named, and is not one without a verdict.
func TestTooNoisyIsNotUnanswered(t *testing.T) {
	var all []result
	for i, why := range []string{verdict.TooNoisy + ": it discarded 7 of 13 rounds", "", ""} {
		r := result{Trial: Trial{Task: Task{ID: fmt.Sprint("same-", i+1), Kind: Same, Server: goHTTP[0]}}}
		r.Why, r.Verdict = why, verdict.Inconclusive
		if i == 2 {
			r.Verdict = verdict.Unchanged
		}
		all = append(all, r)
	}
	table := unanswered(all)
	if got, want := fmt.Sprint(table.Rows[0]), "[all 3 1 1 0 1 50.0 1.3 to 98.7]"; got != want || !strings.HasSuffix(table.Note, " Too noisy: same-1.") {
		t.Errorf("%s, %s; want %s", got, table.Note, want)
	}
	if last := table.Rows[len(table.Rows)-1]; last[0] != goHTTP[0] || last[1] != "3" {
		t.Errorf("of the server: %s", last)
	}
}
