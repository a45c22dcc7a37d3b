package verdict

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Limits of the noise of a round. A machine may be noisy in all rounds, as a hosted runner is. Base and head share its
// minutes, so such noise widens the intervals and favours neither. So a round is compared with the others of its
// comparison: it counts if its noise is within the limit of the median, or within their usual scatter.
const (
	mostOthersPct = hist.MostOthersPct // of the machine; other programs and the host, in the slices of a side
	mostUnevenPct = 10                 // difference of that between the sides
	mostIdlePct   = 10                 // of the machine; with less, a neighbour does not explain a late rig
	mostBand      = 1.5                // times more or less than its median that direct does, since it is the same program in all rounds
)

// usualScatter is how many times the median distance a figure may have. With normal scatter one of 23 has more.
const usualScatter = 3

// A roundNoise is a figure that each round has, such as what other programs used.
type roundNoise struct {
	rounds []*Round
	values []float64
}

func (n *roundNoise) add(r *Round, value float64) {
	n.rounds, n.values = append(n.rounds, r), append(n.values, value)
}

func (n *roundNoise) median() float64 { return median(slices.Clone(n.values)) }

// median sorts values and returns their median; 0 for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return record.Median(values)
}

// discard discards the rounds whose figure is too far from the usual one. say gives the reason, from the figure and
// the limit of its distance. The scatter is that about the median: a neighbour that always comes in head's slices has
// little scatter, and is far from an even one.
func (n *roundNoise) discard(usual, limit float64, say func(r *Round, value, limit float64) string) {
	center, distances := n.median(), make([]float64, len(n.values))
	for i, v := range n.values {
		distances[i] = math.Abs(v - center)
	}
	limit = max(limit, usualScatter*median(distances))
	for i, v := range n.values {
		if math.Abs(v-usual) > limit {
			n.rounds[i].discard(say(n.rounds[i], v, limit))
		}
	}
}

// control discards rounds that the machine disturbed much more than the others. direct are the records of direct.
func (p *Comparison) control(direct []record.Record) {
	p.limitOthers()
	of := map[string][]record.Record{}
	for _, r := range direct {
		of[r.Scenario] = append(of[r.Scenario], r)
	}
	for _, scenario := range slices.SortedFunc(maps.Keys(of), scenarios) {
		if _, level := record.Level(scenario); level == "" {
			p.limitDelay(scenario, of[scenario])
		} else {
			p.limitRate(scenario, of[scenario])
		}
	}
}

// limitOthers limits what other programs and the host used in slices, and the difference between the sides. Sides
// that run side by side had the same seconds.
func (p *Comparison) limitOthers() {
	used, uneven := map[string]*roundNoise{}, map[string]*roundNoise{}
	for i := range p.Rounds {
		for scenario, at := range p.Rounds[i].Others {
			if used[scenario] == nil {
				used[scenario], uneven[scenario] = &roundNoise{}, &roundNoise{}
			}
			used[scenario].add(&p.Rounds[i], max(at[0], at[1]))
			uneven[scenario].add(&p.Rounds[i], at[1]-at[0])
		}
	}
	for _, scenario := range slices.SortedFunc(maps.Keys(used), scenarios) {
		usual := used[scenario].median()
		used[scenario].discard(usual, mostOthersPct, func(_ *Round, pct, limit float64) string {
			return fmt.Sprintf("%s: other programs and the host used %.0f %% of the machine, but %.0f %% in the median of all rounds; want a difference of at most %.0f", scenario, pct, usual, limit)
		})
		uneven[scenario].discard(0, mostUnevenPct, func(r *Round, _, limit float64) string {
			at := r.Others[scenario]
			return fmt.Sprintf("%s: other programs and the host used %.0f %% of the machine in base's slices and %.0f %% in head's; want a difference of at most %.0f", scenario, at[0], at[1], limit)
		})
	}
}

// limitRate limits how much direct differs from its other rounds on a level.
func (p *Comparison) limitRate(level string, direct []record.Record) {
	n := p.noiseOf(direct, func(r record.Record) (float64, bool) {
		rate, known := r.Metrics.Get("rate_per_s")
		return math.Log(rate), known && rate > 0
	})
	usual := n.median()
	n.discard(usual, math.Log(mostBand), func(_ *Round, rate, limit float64) string {
		return fmt.Sprintf("%s: direct did %.0f %ss/s, but %.0f in the median of all rounds; want at most %.2g times more or less", level, math.Exp(rate), workload.Named(p.Workload).Unit, math.Exp(usual), math.Exp(limit))
	})
}

// limitDelay limits how much the rig delayed direct under paced load. Without a neighbour no delay is usual: whatever
// stops k6 or the stub may do it while one side works.
func (p *Comparison) limitDelay(scenario string, direct []record.Record) {
	delay := func(idle bool) func(record.Record) (float64, bool) {
		return func(r record.Record) (float64, bool) {
			pct, known := others(r.Conditions)
			ms, also := r.RigDelayMS()
			return ms, also && idle == (known && pct <= mostIdlePct)
		}
	}
	alone := p.noiseOf(direct, delay(true))
	for i, ms := range alone.values {
		if ms > record.MostRigDelayMS {
			alone.rounds[i].discard(fmt.Sprintf("%s: k6 or the stub was delayed: requests of direct were %.1f ms late (p99), and other programs did little; want at most %g ms", scenario, ms, record.MostRigDelayMS))
		}
	}
	n := p.noiseOf(direct, delay(false))
	usual := n.median()
	n.discard(usual, record.MostRigDelayMS, func(_ *Round, ms, limit float64) string {
		return fmt.Sprintf("%s: k6 or the stub was delayed: requests of direct were %.1f ms late (p99), but %.1f ms in the median of all rounds; want a difference of at most %.1f ms", scenario, ms, usual, limit)
	})
}

// noiseOf has a figure of direct in each round of the comparison.
func (p *Comparison) noiseOf(direct []record.Record, figure func(record.Record) (float64, bool)) (n roundNoise) {
	for _, r := range direct {
		i := slices.IndexFunc(p.Rounds, func(of Round) bool { return of.Round == r.Round })
		if v, known := figure(r); known && i >= 0 {
			n.add(&p.Rounds[i], v)
		}
	}
	return n
}
