package prove

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/verdict"
)

// runs are comparisons of one cell whose speed drifts from one to the next by sd, and
// whose rounds scatter by 1 %.
func runs(n int, sd float64) (comparisons []verdict.Comparison) {
	random := rand.New(rand.NewPCG(8, 9))
	for range n {
		speed := 100 * (1 + sd*random.NormFloat64())
		p := verdict.Comparison{Workload: "relay", Server: "go-http", Epoch: "e", Planned: 12}
		for round := range 12 {
			v := speed * (1 + 0.01*random.NormFloat64())
			p.Rounds = append(p.Rounds, verdict.Round{Round: round + 1, Cells: map[string]verdict.At{cpuCell: {v, v}, "stress-100 rate_per_s": {v, v}, "stress-200 rate_per_s": {v, v}}})
		}
		comparisons = append(comparisons, p)
	}
	return comparisons
}

// worsen multiplies a cell of head by a factor.
func worsen(p verdict.Comparison, cell string, factor float64) verdict.Comparison {
	p.Rounds = slices.Clone(p.Rounds)
	for i := range p.Rounds {
		cells := map[string]verdict.At{}
		for name, at := range p.Rounds[i].Cells {
			if slices.Contains(parts(p, cell), name) {
				at[1] *= factor
			}
			cells[name] = at
		}
		p.Rounds[i].Cells = cells
	}
	return p
}

// What each rule is, by what it finds where history scatters by 2 %: none knows
// that base was as slow in the same minutes.
func TestRulesOfToday(t *testing.T) {
	same := []string{"benchstat, same minutes", "paired t, same minutes", "paired t, same minutes, 1 % over all cells"}
	history := runs(31, 0.02)
	last := history[len(history)-1]
	var before []run
	for _, p := range history[:len(history)-1] {
		before = append(before, runOf(p))
	}
	for _, c := range []struct {
		name   string
		cell   string
		factor float64
		want   []string // the rules that find it
	}{
		{"nothing", cpuCell, 1, nil},
		{"a little", cpuCell, 1.04, slices.Concat([]string{"benchstat, blocked"}, same)},
		{"a sixth", cpuCell, 1.17, slices.Concat([]string{"10 % over the last run", "t-test boundary", "IQR fence", "benchstat, blocked"}, same)},
		{"twice", cpuCell, 2.3, slices.Concat([]string{"10 % over the last run", "twice the last run", "t-test boundary", "IQR fence", "benchstat, blocked"}, same)},
		{"better is not worse", cpuCell, 0.5, nil},
		{"less throughput", throughput, 0.4, slices.Concat([]string{"10 % over the last run", "twice the last run", "t-test boundary", "IQR fence", "benchstat, blocked"}, same)},
		{"more throughput", throughput, 2.3, nil},
	} {
		// The run before was as this one's base.
		now := worsen(last, c.cell, c.factor)
		var found []string
		for _, rule := range rules {
			names, ok := rule.calledWorse(append(slices.Clone(before), runOf(last)), runOf(now))
			if !ok {
				t.Fatalf("%s: too few runs", rule.name)
			}
			if slices.Contains(names, c.cell) {
				found = append(found, rule.name)
			}
			if len(names) > 1 || len(names) == 1 && names[0] != c.cell {
				t.Errorf("%s: %s: worse %q", c.name, rule.name, names)
			}
		}
		if !slices.Equal(found, c.want) {
			t.Errorf("%s: found by %q, want %q", c.name, found, c.want)
		}
	}
	for _, rule := range rules {
		if rule.least == 0 {
			continue
		}
		if _, ok := rule.calledWorse(before[:rule.least-1], runOf(last)); ok {
			t.Errorf("%s judges with too few runs before", rule.name)
		}
	}
}
