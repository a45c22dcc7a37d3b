package prove

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// machines is the table of verdicts on each machine.
func machines(all []result) Table {
	t := Table{
		Title: "On each machine",
		Head:  []string{"epoch", "nothing changed", "with a false alarm", "too noisy", "up to two margins", "no verdict"},
		Note:  "An epoch is a machine with one state of the rig. The columns of injected regressions count those found.",
	}
	found := injections(all)
	for _, p := range found {
		t.Head = append(t.Head, p.String())
	}
	var epochs []string
	for _, r := range all {
		if !slices.Contains(epochs, r.Comparison.Epoch) {
			epochs = append(epochs, r.Comparison.Epoch)
		}
	}
	for _, epoch := range epochs {
		there := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return r.Comparison.Epoch != epoch })
		unchanged := tallied(there, result.unchanged)
		row := []string{epoch, fmt.Sprint(unchanged.trials), fmt.Sprint(unchanged.falseAlarms), fmt.Sprint(unchanged.noisy), fmt.Sprint(unchanged.sized), fmt.Sprint(unchanged.none)}
		for _, p := range found {
			row = append(row, p.found(there))
		}
		t.add(row...)
	}
	return t
}

// pause is the time between the starts of two trials that ends a block: a trial takes a few minutes.
const pause = 20 * time.Minute

// blocks is the table of verdicts in each block of trials. A machine may be a guest whose host gets busy, or changes.
func blocks(all []result) Table {
	t := Table{
		Title: "In each block of trials",
		Head:  []string{"began, UTC", "trials", "rounds", "discarded", "others, mean %", "stress rate_per_s, sd %", "baseline ttft_p95_ms, sd %", "nothing changed", "with a false alarm", "too noisy", "up to two margins", "no verdict"},
		Note: fmt.Sprintf("A block ends where %.0f minutes pass between the starts of two trials. Others are other programs and the host, in the slices of base and head, in rounds that count. "+
			"The sd is that from process to process in the same minutes, over all trials of the block.", pause.Minutes()),
	}
	byStart := slices.SortedStableFunc(slices.Values(all), func(a, b result) int { return a.Started.Compare(b.Started) })
	for len(byStart) > 0 {
		n := 1
		for n < len(byStart) && byStart[n].Started.Sub(byStart[n-1].Started) < pause {
			n++
		}
		var rounds, discarded int
		var others []float64
		for _, r := range byStart[:n] {
			counting := r.Comparison.Counting()
			rounds, discarded = rounds+len(r.Comparison.Rounds), discarded+len(r.Comparison.Rounds)-len(counting)
			for _, round := range counting {
				for _, at := range round.Others {
					others = append(others, at[0], at[1])
				}
			}
		}
		row := []string{byStart[0].Started.UTC().Format("2006-01-02 15:04"), fmt.Sprint(n), fmt.Sprint(rounds), fmt.Sprint(discarded), "-"}
		if len(others) > 0 {
			row[len(row)-1] = fmt.Sprintf("%.1f", stat.Mean(others, nil))
		}
		for _, cell := range []string{throughput, Cells[TTFT]} {
			sd := "-"
			if s := spreadOf(byStart[:n], cell); s.free > 0 {
				sd = fmt.Sprintf("%.2f", 100*s.process())
			}
			row = append(row, sd)
		}
		unchanged := tallied(byStart[:n], result.unchanged)
		t.add(append(row, fmt.Sprint(unchanged.trials), fmt.Sprint(unchanged.falseAlarms), fmt.Sprint(unchanged.noisy), fmt.Sprint(unchanged.sized), fmt.Sprint(unchanged.none))...)
		byStart = byStart[n:]
	}
	return t
}

// open is the table of cells that stayed open where nothing changed.
func open(all []result) Table {
	t := Table{
		Title: "What stays open where nothing changed",
		Head:  []string{"cell", "decides", "comparisons", "open", "excluded change, median %"},
		Note:  "A cell is open when its interval is not inside its margin at the end: a change of its margin or more is possible. An open cell that decides leaves the comparison without a verdict, or with one that names a size. An open cell excludes only a larger change than its margin; the median is that of the open cells.",
	}
	of, excluded, decides := map[string]int{}, map[string][]float64{}, map[string]string{}
	for _, r := range all {
		for _, c := range r.Cells {
			name := c.Scenario + " " + c.Metric.Name
			if r.Kind == Injected || c.Criterion.Absolute {
				continue
			}
			of[name]++
			decides[name] = cmp.Or(c.Criterion.Decides, "-")
			if c.Verdict == verdict.Inconclusive || c.Verdict == verdict.NoLargeChange {
				excluded[name] = append(excluded[name], 100*c.Excluded())
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(of), func(x, y string) int {
		return cmp.Or(len(excluded[y])-len(excluded[x]), cmp.Compare(x, y))
	}) {
		median := "-"
		if len(excluded[name]) > 0 {
			slices.Sort(excluded[name])
			median = fmt.Sprintf("%.1f", record.Median(excluded[name]))
		}
		t.add(name, decides[name], fmt.Sprint(of[name]), fmt.Sprint(len(excluded[name])), median)
	}
	return t
}
