package prove

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// fullHistory is how many comparisons a noise history has in the table of those who have one.
const fullHistory = 10

// withHistory judges trials again, each with the noise history of the n trials of the same server before it. Trials
// that have fewer are left out.
func withHistory(all []result, n int) (judged []result) {
	earlier := map[string][]verdict.NoiseHistory{} // by epoch and server
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b result) int { return a.Started.Compare(b.Started) })
	for _, r := range all {
		key := r.Comparison.Epoch + " " + r.Comparison.Server
		if of := earlier[key]; len(of) >= n {
			r.priors = verdict.FitPriors(of[len(of)-n:])
			var decided verdict.Comparison
			decided, r.Answer = replay(r.Comparison, r.priors)
			r.used = len(decided.Rounds)
			judged = append(judged, r)
		}
		if !r.Comparison.Identical {
			decided, _ := replay(r.Comparison, nil)
			earlier[key] = append(earlier[key], verdict.Remember(decided, r.Task.ID))
		}
	}
	return judged
}

// histories is the table of verdicts without a noise history and with a full one.
func histories(all []result) Table {
	t := Table{
		Title: "Without a noise history, and with one",
		Head:  []string{"noise history", "nothing changed", "false alarms", "no verdict", "%", "95 % interval"},
		Note: fmt.Sprintf("A noise history has the %d comparisons of the server before. With it a comparison may end after 8 rounds; trials that have fewer before them are left out. "+
			"No verdict is out of the comparisons in which nothing changed, without those that were too noisy. Rounds and minutes are medians of comparisons of %s in which nothing changed.", fullHistory, mainServer),
	}
	found := injections(all)
	for _, p := range found {
		t.Head = append(t.Head, p.String())
	}
	t.Head = append(t.Head, "rounds", "minutes")
	for _, n := range []int{0, fullHistory} {
		judged := withHistory(all, n)
		unchanged := tallied(judged, result.unchanged)
		row := []string{"none", fmt.Sprint(unchanged.trials), fmt.Sprint(unchanged.falseAlarms), fmt.Sprint(unchanged.unanswered)}
		if n > 0 {
			row[0] = fmt.Sprintf("%d comparisons", n)
		}
		row = append(row, share(unchanged.unanswered, unchanged.trials-unchanged.noisy)...)
		for _, p := range found {
			row = append(row, p.found(judged))
		}
		rounds, minutes := usual(judged)
		t.add(append(row, rounds, minutes)...)
	}
	return t
}

// mainServer is the server whose rounds and minutes count.
const mainServer = "go-http"

// usual are the medians of rounds and minutes until a comparison of mainServer without a change was decided.
func usual(judged []result) (rounds, minutes string) {
	var used, took []float64
	for _, r := range judged {
		if r.Kind != Injected && r.Comparison.Server == mainServer && !r.Comparison.Identical && len(r.Comparison.Rounds) > 0 {
			used = append(used, float64(r.used))
			took = append(took, r.WallSeconds/60*float64(r.used)/float64(len(r.Comparison.Rounds)))
		}
	}
	if len(used) == 0 {
		return "-", "-"
	}
	slices.Sort(used)
	slices.Sort(took)
	return fmt.Sprintf("%g", record.Median(used)), fmt.Sprintf("%.1f", record.Median(took))
}
