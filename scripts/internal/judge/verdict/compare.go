// Package verdict compares base and head of a server, and its error rates are known. It is pure: the
// same records give the same verdicts, so any published verdict can be replayed.
//
// The unit is the round: a few seconds of fresh processes of both sides. A cell is a metric in a
// scenario. Each round gives the logarithm of head over base, and Student's t judges all rounds
// (rule.go). Cells and looks share one risk. All requests by name have the part of one cell more
// (requestcells.go). A change below the floor is no change. Package workload has the cells, their
// floors and margins, and which of them decide.
package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A Verdict is the result for a cell or a server.
type Verdict string

// Unchanged excludes a change of the margin or more. NoLargeChange excludes one of twice the margin
// or more, and names the size that it excludes. Inconclusive excludes neither, or a cell leans. An Identical server
// was not loaded, because both sides are the same program.
const (
	Regressed     Verdict = "regressed"
	Improved      Verdict = "improved"
	Unchanged     Verdict = "unchanged"
	NoLargeChange Verdict = "no large change"
	Inconclusive  Verdict = "inconclusive"
	NotMeasured   Verdict = "not measured"
	Identical     Verdict = "identical"
)

var verdicts = []Verdict{Regressed, Improved, Unchanged, NoLargeChange, Inconclusive, NotMeasured, Identical}

// TooNoisy begins the reason of a comparison that ended because the machine disturbed too many rounds.
const TooNoisy = "the machine is too noisy"

// An Answer is the verdict on a server.
type Answer struct {
	Workload, Server string

	Verdict   Verdict
	Why       string             // reason of a verdict without figures, or of one that the machine disturbed
	Cells     []Cell             // regressions first, then improvements, each by size
	Requests  []RequestCell      // latency by request; those that changed first, then by their share of the time
	Outcomes  []Outcome          // checks and thresholds of the server's own script; those that fail at head alone first
	Limits    []LimitCheck       // absolute limits of the server
	Load      string             // how the load differs from the usual one; "" is the usual load
	Margins   map[string]float64 // the server's own, by name and in per cent
	Changes   []string           // of margins and requests in head's server.json, such as "no longer sends GET /"
	LeftOut   []string           // requests of head that neither side got, since base answers them otherwise
	Packages  []string           // versions of packages that differ, such as "hono 4.11.9 to 4.12.0"
	Bump      bool               // only the first of Packages was changed; the others moved with it
	Lost      []string           // optional checks that base passes and head does not
	Failing   []string           // required checks that base passes and head does not, though it was loaded
	Gained    []string           // required checks that head passes and base does not
	BothFail  []string           // required checks that neither side passes
	Failed    string             // in how many rounds a side failed, though the machine did not disturb them; "" for none
	Quick     bool               // the load was shortened, so this proves little
	Rounds    int                // rounds that count
	Alpha     float64            // false-alarm rate of all cells and looks together
	Discarded []string           // discarded rounds, with the reason
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
	Criterion        workload.Criterion
	Base, Head       float64 // means of the rounds (record.Mean)
	Change           float64 // of the mean of logarithms, as a share: 0.1 is a tenth more
	Low, High        float64 // 95 % interval of Change
	P, Risk          float64 // of this look: the cell changed where P is at most Risk, its part of the risk
	Rounds           int
	Verdict          Verdict
	Unconfirmed      bool // it regressed, and a second comparison did not find that
}

// Compare judges the comparison of each server in records, by name.
func Compare(records []record.Record) (answers []Answer) {
	for _, p := range Comparisons(records) {
		answers = append(answers, Judge(p))
	}
	return answers
}

// Judge judges a comparison after the last look that it has reached.
func Judge(p Comparison) Answer {
	a := Answer{Workload: p.Workload, Server: p.Server, Quick: p.Quick, Load: p.Load, Margins: p.Margins, Changes: p.Changes, LeftOut: p.LeftOut, Packages: p.Packages, Bump: p.Bump, Alpha: p.alpha()}
	a.Lost, _ = split(p.MissingChecks[1], p.MissingChecks[0])
	if p.Identical {
		a.Verdict, a.Done = Identical, true
		return a
	}
	var done bool
	if a.Verdict, a.Why, done = faults(p); a.Verdict != "" {
		a.Rounds, a.Done = len(p.Rounds), done
		return a
	}
	alone, _ := split(p.FailedChecks[1], p.FailedChecks[0])
	switch {
	case p.Releases: // such a head may be loaded
		a.Failing = alone
	case len(alone) > 0: // such a head is never loaded
		a.Verdict, a.Why = Regressed, "head fails, base does not: "+strings.Join(alone, ", ")
		a.Rounds, a.Done = len(p.Rounds), true
		return a
	}
	a.Gained, a.BothFail = split(p.FailedChecks[0], p.FailedChecks[1])
	for _, r := range p.Rounds {
		switch why := cmp.Or(r.Faults[1], r.Faults[0]); {
		case len(r.Discarded) > 0 && why != "":
			a.Discarded = append(a.Discarded, fmt.Sprintf("round %d: %s; and one side failed: %s", r.Round, strings.Join(r.Discarded, "; "), why))
		case len(r.Discarded) > 0:
			a.Discarded = append(a.Discarded, fmt.Sprintf("round %d: %s", r.Round, strings.Join(r.Discarded, "; ")))
		case why != "": // too few to rule out the machine
			a.Discarded = append(a.Discarded, fmt.Sprintf("round %d: %s: %s", r.Round, OneSideFailed, why))
		}
	}
	a.Failed, _ = p.failures()
	counting := p.Counting()
	tooMany := p.tooManyDiscarded(len(counting))
	looks := p.looks()
	reached := slices.IndexFunc(looks, func(l look) bool { return l.rounds > len(counting) })
	if reached < 0 {
		reached = len(looks)
	}
	if reached > 0 {
		at := looks[reached-1]
		rounds := counting[:at.rounds]
		a.Rounds = at.rounds
		a.Cells, a.Requests = cells(p, rounds, at.risk)
		a.Outcomes, a.Limits = outcomes(rounds), limits(p, rounds)
		a.conclude()
	} else {
		a.Verdict, a.Why = Inconclusive, fmt.Sprintf("only %d of the %d rounds that the first look needs", len(counting), looks[0].rounds)
	}
	a.Done = tooMany || reached == len(looks) || reached > 0 && (a.decided() || len(a.HeadAlone()) > 0)
	if tooMany && a.Verdict == Inconclusive {
		a.Why = p.uncounted()
	}
	return a
}

// split returns the checks that others do not have, and those that they have too.
func split(checks, others []string) (alone, shared []string) {
	for _, check := range checks {
		if slices.Contains(others, check) {
			shared = append(shared, check)
		} else {
			alone = append(alone, check)
		}
	}
	return alone, shared
}

// cells judges the cells that have figures in all rounds, and the requests by name. risk is that of
// the look. A cell that decides is there without figures too.
func cells(p Comparison, rounds []Round, risk float64) (all []Cell, byName []RequestCell) {
	criteria := criteriaOf(p.Workload, p.Margins)
	var samples []sample
	deciding := 0
	for i := range criteria {
		c := &criteria[i]
		s := sampleOf(c, rounds)
		if len(s.differences) == 0 && !s.missing && (c.Decides == "" || c.Optional) {
			continue // the load has no such figure
		}
		if c.Decides != "" {
			deciding++
		}
		samples = append(samples, s)
	}
	ofRequests := requestSamples(p, rounds)
	others := len(samples) - deciding
	if len(ofRequests) > 0 {
		others++
	}
	ofDeciding, ofOther := risks(risk, deciding, others)
	for _, s := range samples {
		c := Cell{Server: p.Server, Scenario: s.criterion.Scenario, Metric: s.criterion.metric, Criterion: s.criterion.Criterion,
			Base: s.criterion.mean(s.base), Head: s.criterion.mean(s.head), Risk: ofOther}
		if c.Deciding() {
			c.Risk = ofDeciding
		}
		c.judge(s)
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Cell) int { return cmp.Compare(a.rank(), b.rank()) })
	return all, requests(p, ofRequests, ofOther)
}

// A sample is the figures of a cell in the rounds that have them.
type sample struct {
	criterion               *criterion
	base, head, differences []float64
	missing                 bool // in some round
}

func sampleOf(c *criterion, rounds []Round) sample {
	n := len(rounds)
	figures := make([]float64, 3*n) // one allocation, since proofs take most of their time here
	s := sample{criterion: c, base: figures[:0:n], head: figures[n : n : 2*n], differences: figures[2*n : 2*n]}
	for i := range rounds {
		at, known := rounds[i].mean(c.cells)
		if !known {
			s.missing = s.missing || rounds[i].misses(c.cells)
			continue
		}
		d := difference(c.Absolute, at)
		if !finite(d) { // nothing measures such figures, and JSON has no infinity
			s.missing = true
			continue
		}
		s.base, s.head = append(s.base, at[0]), append(s.head, at[1])
		s.differences = append(s.differences, d)
	}
	s.missing = s.missing || len(s.differences) > 0 && len(s.differences) < n
	return s
}

// finite reports whether all values are numbers that JSON can hold.
func finite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// complete reports whether a sample can be judged.
func (s sample) complete() bool { return !s.missing && len(s.differences) > 1 }

// difference is the result of a round: the logarithm of head over base, or head less base.
func difference(absolute bool, at At) float64 {
	if absolute {
		return at[1] - at[0]
	}
	return math.Log(at[1] / at[0])
}

// share turns a mean of differences into a change.
func (c Cell) share(mean float64) float64 {
	if c.Criterion.Absolute {
		return mean
	}
	return math.Expm1(mean)
}

// judge sets what a sample says. A cell without a figure of both sides in each round is not measured.
func (c *Cell) judge(s sample) {
	c.Rounds, c.P, c.Verdict = len(s.differences), 1, NotMeasured
	if !s.complete() {
		return
	}
	e := estimateOf(s.differences)
	change, low, high, p := c.share(e.mean), c.share(e.mean-e.within()), c.share(e.mean+e.within()), e.p()
	if !finite(change, low, high, p) {
		return
	}
	c.Change, c.Low, c.High, c.P = change, low, high, p
	changed := p <= c.Risk && math.Abs(change) >= c.Criterion.Floor
	worse := change > 0 == (c.Metric.Better == "lower")
	switch {
	case changed && worse:
		c.Verdict = Regressed
	case changed:
		c.Verdict = Improved
	case c.Excluded() <= c.Criterion.Margin:
		c.Verdict = Unchanged
	case c.Excluded() <= 2*c.Criterion.Margin && !c.beyondMargin():
		c.Verdict = NoLargeChange
	default:
		c.Verdict = Inconclusive
	}
}

// Same reports whether two cells are of one metric in one scenario.
func (c Cell) Same(d Cell) bool { return c.Scenario == d.Scenario && c.Metric.Name == d.Metric.Name }

// Excluded is the smallest change that the interval excludes.
func (c Cell) Excluded() float64 { return max(math.Abs(c.Low), math.Abs(c.High)) }

// rank orders cells by how much they matter to the reader.
func (c Cell) rank() float64 {
	size := math.Abs(c.Change) / c.Criterion.Margin
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

// decided reports whether more rounds are needless: a deciding cell has regressed, or none is open.
func (a Answer) decided() bool {
	return a.decides(Regressed) || !a.decides(Inconclusive) && !a.decides(NoLargeChange)
}

// decides reports whether a deciding cell has a verdict.
func (a Answer) decides(v Verdict) bool {
	return slices.ContainsFunc(a.Cells, func(c Cell) bool { return c.Deciding() && c.Verdict == v })
}

// Deciding reports whether the cell is one of the few that decide whether the server has a verdict.
func (c Cell) Deciding() bool { return c.Criterion.Decides != "" }

// conclude makes one verdict from the cells: the worst. Any cell may have changed, and only the
// deciding cells leave the verdict open. Not measured is worse than improved.
func (a *Answer) conclude() {
	switch changed := func(v Verdict) bool {
		return slices.ContainsFunc(a.Cells, func(c Cell) bool { return c.Verdict == v })
	}; {
	case len(a.Cells) == 0:
		a.Verdict, a.Why = NotMeasured, "base or head has no figures"
	case changed(Regressed):
		a.Verdict = Regressed
	case len(a.HeadAlone()) > 0:
		a.Verdict, a.Why = Regressed, "at head alone fails: "+strings.Join(a.HeadAlone(), ", ")
	case a.decides(NotMeasured):
		a.Verdict = NotMeasured
	case changed(Improved):
		a.Verdict = Improved
	case a.decides(Inconclusive):
		a.Verdict = Inconclusive
	case a.decides(NoLargeChange):
		a.Verdict = NoLargeChange
	default:
		a.Verdict = Unchanged
	}
}

// Leaning says to which side an inconclusive cell leans: "worse" or "better". Its whole 95 % interval is then outside
// its margin, where the verdict needs more: all cells and looks share its risk. It is "" for any other cell.
func (c Cell) Leaning() string {
	switch {
	case c.Verdict != Inconclusive || c.Unconfirmed || !c.beyondMargin():
		return ""
	case c.Change > 0 == (c.Metric.Better == "lower"):
		return "worse"
	}
	return "better"
}

// beyondMargin reports whether the whole interval is outside the margin.
func (c Cell) beyondMargin() bool { return c.Low > c.Criterion.Margin || c.High < -c.Criterion.Margin }
