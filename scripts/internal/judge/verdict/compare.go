// Package verdict compares base and head of a server, and its error rates are known. It is pure: the
// same records and priors give the same verdicts, so any published verdict can be replayed.
//
// The unit is the round: a few seconds of fresh processes of both sides. A cell is a metric in a
// scenario. Each round gives the logarithm of head over base, and a moderated t test judges all
// rounds (moderate.go). The looks share alpha (looks.go), and the cells of a look share its part by
// Holm's procedure. A change below the floor is no change (judged.go).
package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A Verdict is the result for a cell or a server.
type Verdict string

// Unchanged excludes a change of the margin or more; Inconclusive does not. An Identical server was
// not loaded, because both sides are the same program.
const (
	Regressed    Verdict = "regressed"
	Improved     Verdict = "improved"
	Unchanged    Verdict = "unchanged"
	Inconclusive Verdict = "inconclusive"
	NotMeasured  Verdict = "not measured"
	Identical    Verdict = "identical"
)

// An Answer is the verdict on a server.
type Answer struct {
	Workload, Server string

	Verdict   Verdict
	Why       string   // reason of a verdict without figures, or of one that the machine disturbed
	Cells     []Cell   // regressions first, then improvements, each by size
	Lost      []string // optional checks that base passes and head does not
	Rounds    int      // rounds that count
	Discarded []string // discarded rounds, with the reason
	// Done says that more rounds would change nothing, or are not allowed.
	Done bool
}

// ID says which server it is on.
func (a Answer) ID() workload.Server { return workload.Server{Workload: a.Workload, Name: a.Server} }

// A Cell is one metric of one server in one scenario. Changes are shares of base; those of an
// Absolute metric are in its unit.
type Cell struct {
	Server, Scenario string
	Metric           record.Metric
	Judged           Judged
	Base, Head       float64 // medians over the rounds
	Change           float64 // of the mean of logarithms, as a share: 0.1 is a tenth more
	Low, High        float64 // 95 % interval of Change
	P                float64 // adjusted for the family of cells
	Missed           float64 // the change that would have been found 80 % of the time
	Rounds           int
	Verdict          Verdict
	// Neighbour is how much more of the machine other programs used in head's slices than in
	// base's, in per cent, where that alone may explain the change; else 0.
	Neighbour float64
}

// Compare judges the comparison of each server in records, by name.
func Compare(records []record.Record, priors Priors) (answers []Answer) {
	for _, p := range Comparisons(records) {
		answers = append(answers, Judge(p, priors))
	}
	return answers
}

// Judge judges a comparison after the last look that it has reached.
func Judge(p Comparison, priors Priors) Answer {
	a := Answer{Workload: p.Workload, Server: p.Server}
	for _, check := range p.MissingChecks[1] {
		if !slices.Contains(p.MissingChecks[0], check) {
			a.Lost = append(a.Lost, check)
		}
	}
	if p.Identical {
		a.Verdict, a.Done = Identical, true
		return a
	}
	var done bool
	if a.Verdict, a.Why, done = faults(p); a.Verdict != "" {
		a.Rounds, a.Done = len(p.Rounds), done
		return a
	}
	for _, r := range p.Rounds {
		switch why := cmp.Or(r.Faults[1], r.Faults[0]); {
		case len(r.Discarded) > 0 && why != "":
			a.Discarded = append(a.Discarded, fmt.Sprintf("round %d: %s; and one side failed: %s", r.Round, strings.Join(r.Discarded, "; "), why))
		case len(r.Discarded) > 0:
			a.Discarded = append(a.Discarded, fmt.Sprintf("round %d: %s", r.Round, strings.Join(r.Discarded, "; ")))
		case why != "": // too few to rule out the machine
			a.Discarded = append(a.Discarded, fmt.Sprintf("round %d: one side failed, in too few rounds to be a verdict: %s", r.Round, why))
		}
	}
	whole := p.Counting()
	tooMany := len(a.Discarded) > MostDiscarded(p.Planned)
	at, alpha, reached := look(p.Planned, len(whole))
	if reached {
		a.Rounds, a.Cells = at, cells(p, whole[:at], alpha, priors)
		a.conclude()
	} else {
		a.Verdict, a.Why = Inconclusive, fmt.Sprintf("only %d of the %d rounds that the first look needs", len(whole), Looks(p.Planned)[0])
	}
	open := !reached || slices.ContainsFunc(a.Cells, func(c Cell) bool { return c.Verdict == Inconclusive })
	a.Done = tooMany || at == p.Planned || !open
	if tooMany && a.Verdict == Inconclusive {
		a.Why = fmt.Sprintf("the machine is too noisy: it discarded %d of %d rounds", len(a.Discarded), len(p.Rounds))
	}
	return a
}

// cells judges each cell with figures in all rounds.
func cells(p Comparison, rounds []Round, alpha float64, priors Priors) (all []Cell) {
	var estimates []estimate
	var ps []float64
	for _, name := range names(rounds) {
		scenario, metric, _ := strings.Cut(name, " ")
		c := Cell{Server: p.Server, Scenario: scenario, Rounds: len(rounds)}
		c.Metric, _ = record.Find(metric)
		i := slices.IndexFunc(Metrics(scenario), func(j Judged) bool { return j.Metric == metric })
		if i < 0 {
			continue // of another version of this tool
		}
		c.Judged = Metrics(scenario)[i]
		n := len(rounds)
		base, head, values := make([]float64, 0, n), make([]float64, 0, n), make([]float64, 0, n)
		for _, r := range rounds {
			at, known := r.Cells[name]
			if !known {
				continue
			}
			base, head = append(base, at[0]), append(head, at[1])
			values = append(values, c.difference(at))
		}
		c.Base, c.Head = median(base), median(head)
		if len(values) < len(rounds) || len(values) < 2 {
			c.Verdict, c.P, c.Rounds = NotMeasured, 1, len(values)
			all = append(all, c)
			continue
		}
		prior := Prior{}
		if !c.Judged.Absolute { // else a variance in bytes
			prior = priors.Of(p.Epoch, p.Server, name)
		}
		e := estimateMean(values, prior)
		within := e.within(0.05)
		c.Change, c.Low, c.High = c.share(e.mean), c.share(e.mean-within), c.share(e.mean+within)
		estimates, ps = append(estimates, e), append(ps, e.p())
		all = append(all, c)
	}
	adjusted := holm(ps)
	for i, n := 0, 0; i < len(all); i++ {
		c := &all[i]
		if c.Verdict == NotMeasured {
			continue
		}
		c.P = adjusted[n]
		c.Missed = max(c.Judged.Floor, c.share(estimates[n].missed(alpha/float64(len(ps)))))
		n++
		c.judge(alpha)
		c.excuse(neighbour(rounds, c.Scenario))
	}
	slices.SortStableFunc(all, func(a, b Cell) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

// median is the median of values in any order; 0 for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return record.Median(sorted)
}

// names are the names of the cells of rounds, ordered by scenario and metric.
func names(rounds []Round) (all []string) {
	known := map[string]bool{}
	for _, r := range rounds {
		for name := range r.Cells {
			known[name] = true
		}
		for _, name := range r.Missing {
			known[name] = true
		}
	}
	all = slices.Collect(maps.Keys(known))
	slices.SortFunc(all, func(a, b string) int {
		scenarioA, metricA, _ := strings.Cut(a, " ")
		scenarioB, metricB, _ := strings.Cut(b, " ")
		at := func(metric string) func(Judged) bool { return func(j Judged) bool { return j.Metric == metric } }
		return cmp.Or(scenarios(scenarioA, scenarioB),
			cmp.Compare(slices.IndexFunc(Metrics(scenarioA), at(metricA)), slices.IndexFunc(Metrics(scenarioB), at(metricB))), cmp.Compare(a, b))
	})
	return all
}

// difference is the result of a round: the logarithm of head over base, or head less base.
func (c Cell) difference(at At) float64 {
	if c.Judged.Absolute {
		return at[1] - at[0]
	}
	return math.Log(at[1] / at[0])
}

// share turns a mean of differences into a change.
func (c Cell) share(mean float64) float64 {
	if c.Judged.Absolute {
		return mean
	}
	return math.Expm1(mean)
}

func (c *Cell) judge(alpha float64) {
	size := math.Abs(c.Change)
	worse := c.Change > 0 == (c.Metric.Better == "lower")
	switch {
	case c.P <= alpha && size >= c.Judged.Floor && worse:
		c.Verdict = Regressed
	case c.P <= alpha && size >= c.Judged.Floor:
		c.Verdict = Improved
	case c.Excluded() <= c.Judged.Margin:
		c.Verdict = Unchanged
	default:
		c.Verdict = Inconclusive
	}
}

// Excluded is the smallest change that the interval excludes.
func (c Cell) Excluded() float64 { return max(math.Abs(c.Low), math.Abs(c.High)) }

// rank orders cells by how much they matter to the reader.
func (c Cell) rank() float64 {
	size := math.Abs(c.Change) / c.Judged.Margin
	switch c.Verdict {
	case Regressed:
		return -1e6 - min(size, 1e5)
	case Improved:
		return -1e3 - min(size, 900)
	case NotMeasured:
		return -1
	}
	return 0
}

// conclude makes one verdict from the cells: the worst. Not measured is worse than improved.
func (a *Answer) conclude() {
	for _, v := range []Verdict{Regressed, NotMeasured, Improved, Inconclusive, Unchanged} {
		if slices.ContainsFunc(a.Cells, func(c Cell) bool { return c.Verdict == v }) {
			a.Verdict = v
			if i := slices.IndexFunc(a.Cells, func(c Cell) bool { return c.Neighbour != 0 }); i >= 0 && v == Inconclusive {
				a.Why = fmt.Sprintf("%s: %s", a.Cells[i].Scenario, a.Cells[i].Excuse())
			}
			return
		}
	}
	a.Verdict, a.Why = NotMeasured, "base or head has no figures"
}
