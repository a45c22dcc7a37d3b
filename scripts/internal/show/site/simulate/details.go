// Package simulate invents details of a leaderboard run: as many slices, seconds and durations as three
// rounds of eight servers had on two cores. It measures nothing.
package simulate

import (
	"math"
	"math/rand/v2"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A part is a scenario and level, with the load of each target.
type part struct {
	scenario, level           string
	requests                  float64 // of one target over all rounds; a stream is one
	requestUS, firstUS, itlUS float64 // firstUS: to the first token, or to the header
	wide                      float64 // scatter of durations in powers of e
	slices, seconds, cpu, rss int     // slices of a target; its timeline in % of a core and KiB
}

const tokens = 20 // tokens of a stream

var streamParts = []part{
	{"baseline", "", 600, 1e6, 400, 50_000, 0.005, 1, 26, 4, 10_000},
	{"steady", "", 8950, 201_000, 500, 10_000, 0.05, 1, 23, 20, 16_000},
	{"stress", "10", 2900, 20_700, 180, 1000, 0.2, 7, 30, 8, 39_000},
	{"stress", "100", 50_000, 24_000, 2000, 1100, 0.5, 7, 35, 40, 48_000},
	{"stress", "200", 90_000, 27_000, 4500, 1100, 0.5, 7, 33, 42, 54_000},
}

// requestParts are all scenarios and levels of a workload, with the load that two cores may have.
func requestParts(w workload.Workload) (all []part) {
	for _, s := range w.Scenarios {
		for _, level := range s.Levels {
			all = append(all, part{s.Name, level, 120_000, 4000, 3500, 0, 0.5, 7, 30, 40, 48_000})
		}
		if s.Levels == nil {
			all = append(all, part{s.Name, "", 18_000, 350, 300, 0, 0.4, 1, 20, 15, 30_000})
		}
	}
	return all
}

// NewDetails invents the details of direct and servers of a workload.
func NewDetails(random *rand.Rand, w workload.Workload, servers []string) record.Details {
	parts := streamParts
	if w.Unit == workload.Request {
		parts = requestParts(w)
	}
	d := record.Details{Schema: record.DetailsSchema, Workload: w.Name, K6Runs: []record.K6Run{}, Distributions: []record.Distribution{}}
	targets := append([]string{raw.Direct}, servers...)
	for _, p := range parts {
		if last := len(d.K6Runs) - 1; last < 0 || d.K6Runs[last].Scenario != p.scenario {
			d.K6Runs = append(d.K6Runs, started(p.scenario, targets))
		}
		p.play(random, &d.K6Runs[len(d.K6Runs)-1])
		scenario := p.scenario
		if p.level != "" {
			scenario += "-" + p.level
		}
		for _, target := range targets {
			d.Distributions = append(d.Distributions, record.Distribution{
				Target: target, Scenario: scenario, Curves: p.curves(random, w.Unit),
			})
		}
	}
	return d
}

func (p part) curves(random *rand.Rand, unit string) map[string]record.Curve {
	if unit == workload.Request {
		return map[string]record.Curve{"request": curve(random, p.requests, p.requestUS, p.wide), "ttfb": curve(random, p.requests, p.firstUS, p.wide)}
	}
	return map[string]record.Curve{
		"stream": curve(random, p.requests, p.requestUS, p.wide/5), "ttft": curve(random, p.requests, p.firstUS, 1),
		"itl": curve(random, p.requests*(tokens-1), p.itlUS, p.wide), "token_delay": curve(random, p.requests*tokens, p.firstUS/2, 1.2),
	}
}

func started(scenario string, targets []string) record.K6Run {
	l := record.K6Run{Scenario: scenario, Round: 1, Levels: []string{raw.WarmUp}, Targets: targets, Slices: []record.Slice{{0, 0, 1800}}}
	for _, process := range append([]string{"k6", "stub"}, targets[1:]...) {
		l.Timelines = append(l.Timelines, record.Timeline{Process: process, CPUPct: []*int64{}, RSSKiB: []*int64{}})
	}
	return l
}

// play adds a level's slices and seconds.
func (p part) play(random *rand.Rand, l *record.K6Run) {
	l.Levels = append(l.Levels, p.level)
	rate := func() float64 { return record.LimitDigits(p.requests/60*math.Exp(0.01*random.NormFloat64()), 3) }
	if p.slices == 1 { // side by side
		slice := record.Slice{float64(len(l.Levels) - 1), 1, float64(p.seconds-5) * 1000}
		for i := range l.Targets {
			slice = append(slice, float64(i), rate())
		}
		l.Slices = append(l.Slices, slice)
	} else {
		length := math.Round(float64(p.seconds) * 1000 / float64(p.slices*len(l.Targets)))
		for range p.slices {
			for _, i := range random.Perm(len(l.Targets)) {
				l.Slices = append(l.Slices, record.Slice{float64(len(l.Levels) - 1), 1, length, float64(i), rate()})
			}
		}
	}
	for i := range l.Timelines {
		t := &l.Timelines[i]
		for second := range p.seconds {
			cpu, rss := int64(float64(p.cpu)*math.Exp(0.1*random.NormFloat64())), int64(p.rss+second/5*128)
			t.CPUPct, t.RSSKiB = append(t.CPUPct, &cpu), append(t.RSSKiB, &rss)
		}
	}
}

// curve counts durations around a value, which scatter by wide powers of e.
func curve(random *rand.Rand, n, us, wide float64) record.Curve {
	var c hist.Counts
	// Few values lie more than 4 scatters away.
	first, last := record.Bucket(int64(us*math.Exp(-4*wide))), record.Bucket(int64(us*math.Exp(4*wide)))
	share := func(v float64) float64 { return math.Erf(math.Log(v/us)/wide/math.Sqrt2) / 2 }
	for i := first; i <= last; i++ {
		least := record.BucketStart(i)
		expected := n * (share(float64(record.BucketStart(i+1))) - share(float64(max(1, least))))
		if count := uint64(max(0, math.Round(expected+math.Sqrt(expected)*random.NormFloat64()))); count > 0 {
			c.Merge(hist.Counts{Count: count, SumUS: int64(count) * least, MinUS: least, MaxUS: least, Buckets: map[int]uint64{hist.Bucket(least): count}})
		}
	}
	return record.CurveOf(c)
}
