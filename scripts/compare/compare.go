// Package compare turns the records of a pair, base and head loaded in the same minutes,
// into verdicts. It is pure: the same records give the same verdicts, so any
// that was published can be replayed.
package compare

import (
	"cmp"
	"fmt"
	"slices"

	"golang.org/x/perf/benchmath"

	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

// A Verdict is what the records of one cell say.
type Verdict string

// A cell is inconclusive when the rounds do not tell the sides apart: which is
// not to say that nothing changed.
const (
	Regressed    Verdict = "regressed"
	Improved     Verdict = "improved"
	Inconclusive Verdict = "inconclusive"
	NotMeasured  Verdict = "not measured"
)

// Alpha is the chance that a cell is called changed although it is not, as far
// as rounds are independent. MinRounds is the least number per side with which
// the test can reach it: the extreme of all orders of 5 and 5 has p = 2/252.
const (
	Alpha     = 0.01
	MinRounds = 5
)

// MinChange is what a change must at least be to be called one. A shared
// machine's speed moves by some per cent between one load and the next, and
// five rounds do not average that out.
const MinChange = 0.05

// Metrics are those that verdicts are about, by the kind of scenario. Where
// load is paced, throughput is the stub's pace and says nothing of a server;
// on a plateau of stress the cores are fought for, and what a stream costs, or
// when its first token comes, says more of the fight than of the server.
func Metrics(scenario string) []string {
	if _, plateau := record.Plateau(scenario); plateau != "" {
		return []string{"rate_per_s", "stream_p95_ms", "server_rss_peak_bytes"}
	}
	return []string{"server_cpu_us_per_stream", "ttft_p95_ms", "gap_p99_ms", "server_rss_peak_bytes"}
}

// A Cell is one metric of one server in one scenario.
type Cell struct {
	Server, Scenario string
	Metric           record.Metric // its Name is "" for the server as a whole
	Base, Head       float64       // medians of the rounds, when it was measured
	Change           float64       // Head/Base - 1
	P                float64       // of the Mann-Whitney U test
	Rounds           [2]int        // with a figure, of base and head
	Verdict          Verdict
	Why              string // of a verdict that rests on no figures
}

// Compare judges each server and scenario of a pair's records: one cell per
// metric, or one for the whole where a side failed. Regressions come first,
// then improvements, each by size; servers in order of name otherwise. direct
// is no cell: it is the same on both sides.
func Compare(records []record.Record) []Cell {
	type place struct{ server, scenario string }
	sides := map[place]map[string][]record.Record{}
	var places []place
	for _, r := range records {
		if r.Server.Name == raw.Direct {
			continue
		}
		at := place{r.Server.Name, r.Scenario}
		if sides[at] == nil {
			sides[at] = map[string][]record.Record{}
			places = append(places, at)
		}
		sides[at][r.Server.Side] = append(sides[at][r.Server.Side], r)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.server, b.server), scenarios(a.scenario, b.scenario))
	})
	var cells []Cell
	for _, at := range places {
		base, head := sides[at]["base"], sides[at]["head"]
		whole := Cell{Server: at.server, Scenario: at.scenario}
		if whole.Verdict, whole.Why = judgeWhole(base, head); whole.Verdict != "" {
			cells = append(cells, whole)
			continue
		}
		for _, name := range Metrics(at.scenario) {
			c := whole
			c.Metric, _ = record.Find(name)
			c.judge(record.Known(base, name), record.Known(head, name))
			cells = append(cells, c)
		}
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(rank(a), rank(b)) })
	return cells
}

// scenarios orders names, and plateaus by their number: 10 before 100 before 200.
func scenarios(a, b string) int {
	nameA, plateauA := record.Plateau(a)
	nameB, plateauB := record.Plateau(b)
	return cmp.Or(cmp.Compare(nameA, nameB), cmp.Compare(len(plateauA), len(plateauB)), cmp.Compare(plateauA, plateauB))
}

// judgeWhole judges what has no figures to compare; "" when both sides have. A
// side whose streams fail has none: what it did not deliver was free.
func judgeWhole(base, head []record.Record) (Verdict, string) {
	baseFails, baseWhy := failures(base)
	headFails, headWhy := failures(head)
	switch {
	case len(head) == 0:
		return NotMeasured, "head has no records"
	case headFails > 0 && len(base) > 0 && baseFails == 0 && (headFails > 1 || len(head) == 1):
		return Regressed, fmt.Sprintf("head fails, base does not: %d of %d rounds: %s", headFails, len(head), headWhy)
	case headFails > 0: // one round may have been the machine
		return NotMeasured, fmt.Sprintf("head fails in %d of %d rounds: %s", headFails, len(head), headWhy)
	case len(base) == 0:
		return NotMeasured, "base has no records"
	case baseFails > 0:
		return NotMeasured, fmt.Sprintf("base fails in %d of %d rounds: %s", baseFails, len(base), baseWhy)
	}
	return "", ""
}

// failures counts the rounds in which a side gave no figures or did not
// deliver all streams, and says why of the first.
func failures(side []record.Record) (n int, why string) {
	for _, r := range side {
		share, _ := r.Metrics.Get("failed_pct")
		if r.Status != record.Invalid && share == 0 {
			continue
		}
		if n++; n > 1 {
			continue
		}
		if why = fmt.Sprintf("%.2g %% of streams failed", share); len(r.Why) > 0 {
			why = r.Why[0]
		}
	}
	return n, why
}

// judge compares the figures of both sides by the Mann-Whitney U test, as
// benchstat does.
func (c *Cell) judge(base, head []float64) {
	c.Rounds = [2]int{len(base), len(head)}
	if len(base) == 0 || len(head) == 0 {
		c.Verdict, c.Why = NotMeasured, "no figure on one side"
		return
	}
	thresholds := &benchmath.Thresholds{CompareAlpha: Alpha}
	b, h := benchmath.NewSample(base, thresholds), benchmath.NewSample(head, thresholds)
	c.Base, c.Head = record.Median(b.Values), record.Median(h.Values)
	if c.Base <= 0 {
		c.Verdict, c.Why = NotMeasured, "base is 0"
		return
	}
	c.Change = c.Head/c.Base - 1
	test := benchmath.AssumeNothing.Compare(b, h)
	c.P = test.P
	worse := c.Change > 0 == (c.Metric.Better == "lower")
	switch {
	case test.P >= Alpha || max(c.Change, -c.Change) < MinChange:
		c.Verdict = Inconclusive
	case worse:
		c.Verdict = Regressed
	default:
		c.Verdict = Improved
	}
}

// rank orders cells by how much they matter to the reader.
func rank(c Cell) float64 {
	size := max(c.Change, -c.Change)
	switch c.Verdict {
	case Regressed:
		if c.Metric.Name == "" {
			return -1e9 // a server that fails comes before one that is slow
		}
		return -1e6 - size
	case Improved:
		return -1e3 - min(size, 900)
	case NotMeasured:
		return -1
	}
	return 0
}
