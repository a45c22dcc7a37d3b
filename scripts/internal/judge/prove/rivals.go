package prove

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A rule decides whether head of a cell is worse: the rules that people use today. Most know
// earlier runs and this one, but no base in the same minutes. The last three know that base, and
// so show how much of our rule is the same minutes alone. Each gets all counting rounds: a run
// is the mean over the rounds of a comparison, and the runs before are base's of earlier
// comparisons.
type rule struct {
	name  string
	least int // runs before this one that it must know: with fewer, a rule is not itself
	worse func(before []sample, now sample, cell cell) bool
}

// A sample is a cell's values in the rounds of one side of a comparison.
type sample []float64

func (s sample) mean() float64 { return stat.Mean(s, nil) }

// A cell is what a rule has to know of one.
type cell struct {
	more bool   // more is better
	base sample // in the same rounds
	of   int    // cells of the workload
}

// up is how many times worse now is than before: over 1 is worse.
func (c cell) up(now, before float64) float64 {
	if c.more {
		return before / now
	}
	return now / before
}

// rules are those that ours is held against.
var rules = []rule{
	// github-action-benchmark with alert-threshold 110%: worse than the run before by more than a tenth
	{"10 % over the last run", 1,
		func(before []sample, now sample, c cell) bool { return c.up(now.mean(), last(before).mean()) > 1.1 }},
	// github-action-benchmark as it is set by default, 200%: twice as bad as the run before
	{"twice the last run", 1,
		func(before []sample, now sample, c cell) bool { return c.up(now.mean(), last(before).mean()) > 2 }},
	// Bencher's t_test with boundary 0.99: beyond the 99th percentile of Student's t around the runs before (64 at most)
	{"t-test boundary", 5,
		func(before []sample, now sample, c cell) bool {
			means := means(before[max(0, len(before)-64):])
			mean, sd := stat.MeanStdDev(means, nil)
			within := sd * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(means) - 1)}.Quantile(0.99)
			if c.more {
				return now.mean() < mean-within
			}
			return now.mean() > mean+within
		}},
	// rustc-perf: the change from the run before exceeds the third quartile of such changes among the 30 runs before by more than three interquartile ranges
	{"IQR fence", 5,
		func(before []sample, now sample, c cell) bool {
			means := means(before[max(0, len(before)-30):])
			var deltas []float64
			for i := range means[1:] {
				deltas = append(deltas, math.Abs(means[i+1]/means[i]-1))
			}
			slices.Sort(deltas)
			q1, q3 := stat.Quantile(0.25, stat.LinInterp, deltas, nil), stat.Quantile(0.75, stat.LinInterp, deltas, nil)
			change := now.mean()/means[len(means)-1] - 1
			return math.Abs(change) > q3+3*(q3-q1) && change > 0 != c.more
		}},
	// benchstat's Mann-Whitney U test at 0.05 of the rounds of the run before and of this one: first all of one, then all of the other
	{"benchstat, blocked", 1,
		func(before []sample, now sample, c cell) bool {
			thresholds := &benchmath.Thresholds{CompareAlpha: 0.05}
			old, new := benchmath.NewSample(slices.Clone(last(before)), thresholds), benchmath.NewSample(slices.Clone(now), thresholds)
			return benchmath.AssumeNothing.Compare(old, new).P < 0.05 && c.up(now.mean(), last(before).mean()) > 1
		}},
	// The same test where base ran in the same minutes as head
	{"benchstat, same minutes", 0,
		func(_ []sample, now sample, c cell) bool {
			thresholds := &benchmath.Thresholds{CompareAlpha: 0.05}
			old, new := benchmath.NewSample(slices.Clone(c.base), thresholds), benchmath.NewSample(slices.Clone(now), thresholds)
			return benchmath.AssumeNothing.Compare(old, new).P < 0.05 && c.up(now.mean(), c.base.mean()) > 1
		}},
	// Student's t of the differences of the rounds, each cell at 0.05
	{"paired t, same minutes", 0, func(_ []sample, now sample, c cell) bool { return c.paired(now) < 0.05 }},
	// The same, with the risk of ours, divided among the cells (Bonferroni)
	{"paired t, same minutes, 1 % over all cells", 0,
		func(_ []sample, now sample, c cell) bool {
			return c.paired(now) < verdict.Alpha/float64(c.of)
		}},
}

// paired is the p value of a paired t test that head is worse than base, two-sided; 1 where it is
// better.
func (c cell) paired(now sample) float64 {
	var differences []float64
	for i, v := range now {
		differences = append(differences, math.Log(c.up(v, c.base[i])))
	}
	mean, sd := stat.MeanStdDev(differences, nil)
	if !(mean > 0) {
		return 1
	}
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(differences) - 1)}
	return 2 * student.CDF(-mean/sd*math.Sqrt(float64(len(differences))))
}

func last(before []sample) sample { return before[len(before)-1] }

func means(runs []sample) (all []float64) {
	for _, s := range runs {
		all = append(all, s.mean())
	}
	return all
}

// calledWorse are the cells of a comparison that a rule calls worse, given the runs before
// it of the same server and epoch; ok is false when those are too few.
func (r rule) calledWorse(before []run, now run) (names []string, ok bool) {
	if len(before) < r.least {
		return nil, false
	}
	if r.worse == nil {
		return nil, true // ours
	}
	relative := 0
	for _, c := range now.criteria {
		if !c.Absolute {
			relative++
		}
	}
	for i, c := range now.criteria {
		if c.Absolute {
			continue
		}
		m, _ := record.Find(c.Metric)
		var runs []sample
		for _, earlier := range before {
			if s := earlier.samples[i][0]; len(s) > 0 {
				runs = append(runs, s)
			}
		}
		of := cell{more: m.Better == "higher", base: now.samples[i][0], of: relative}
		head := now.samples[i][1]
		if len(runs) >= r.least && len(head) > 1 && r.worse(runs, head, of) {
			names = append(names, c.Name())
		}
	}
	slices.Sort(names)
	return names, true
}

// rivals is the table of other rules beside ours. Each judges the trials for which it knows enough.
func rivals(all []result) Table {
	t := Table{
		Title: "Rules of today on the same trials",
		Head:  []string{"rule", "comparisons", "false alarms", "%", "95 % interval"},
		Note: "Each rule gets all counting rounds of head as one run, and those of base in earlier trials as the earlier runs. A false alarm is any cell called worse where nothing changed. " +
			"Rules of the last run need one earlier trial of the same server and machine. The t-test and the fence need 5, which is fewer than their projects use. Ours ended each comparison, so the others have as many rounds as ours needed. The columns of injected cells count those called worse. For ours, a cell called better is a false alarm too, and a comparison ends when it is decided.",
	}
	var injected []injection
	for _, p := range injections(all) {
		injected = append(injected, p)
		t.Head = append(t.Head, p.String())
	}
	ours := rule{name: "ours"}
	runs, before := make([]run, len(all)), make([][]run, len(all))
	for i, r := range all {
		runs[i] = runOf(r.Comparison)
	}
	for i, now := range all {
		for j, r := range all {
			if r.Started.Before(now.Started) && r.Comparison.Workload == now.Comparison.Workload && r.Comparison.Server == now.Comparison.Server && r.Comparison.Epoch == now.Comparison.Epoch && len(r.Comparison.Rounds) > 0 {
				before[i] = append(before[i], runs[j])
			}
		}
	}
	for _, rule := range append([]rule{ours}, rules...) {
		n, k := 0, 0
		found, tried := make([]int, len(injected)), make([]int, len(injected))
		for i, r := range all {
			names, ok := rule.calledWorse(before[i], runs[i])
			if !ok {
				continue
			}
			wrong := len(names) > 0
			if rule.worse == nil {
				wrong = r.falseAlarm()
			}
			if r.unchanged() {
				n++
				if wrong {
					k++
				}
			}
			for i, p := range injected {
				if r.Kind == Injected && r.Size[p.quantity] == p.pct {
					tried[i]++
					if slices.Contains(names, p.cell) || rule.worse == nil && r.cellVerdict(p.cell) == verdict.Regressed {
						found[i]++
					}
				}
			}
		}
		if n == 0 && !slices.ContainsFunc(tried, func(n int) bool { return n > 0 }) {
			continue // it knows too little
		}
		row := slices.Concat([]string{rule.name, fmt.Sprint(n), fmt.Sprint(k)}, share(k, n))
		for i := range injected {
			row = append(row, fmt.Sprintf("%d of %d", found[i], tried[i]))
		}
		t.add(row...)
	}
	return t
}

// A run is what rules know of a comparison: the samples of base and head of each criterion. Rounds that the
// machine discarded are kept from the other rules too, so that they differ by the rule alone.
type run struct {
	criteria []workload.Criterion
	samples  [][2]sample
}

func runOf(p verdict.Comparison) run {
	r := run{criteria: workload.Named(p.Workload).Criteria}
	counting := p.Counting()
	for _, c := range r.criteria {
		var of [2]sample
		for i := range counting {
			if at, known := counting[i].Figures(c); known {
				of[0], of[1] = append(of[0], at[0]), append(of[1], at[1])
			}
		}
		r.samples = append(r.samples, of)
	}
	return r
}
