package verdict

import (
	"math"

	"fairstream/scripts/internal/workload"
)

// A LimitCheck holds head and base against an absolute limit of the server. A side is above it with its whole 95 % interval.
type LimitCheck struct {
	workload.Limit
	Base, Head float64 // in the limit's unit
	Low, High  float64 // 95 % interval of head
	BaseOver   bool
	HeadOver   bool
}

// Fails reports whether head is above the limit, and base is not.
func (l LimitCheck) Fails() bool { return l.HeadOver && !l.BaseOver }

// limits holds the rounds against the server's limits. A limit whose cell was not measured is left out.
func limits(p Comparison, rounds []Round) (all []LimitCheck) {
	for _, l := range workload.Named(p.Workload).LimitsOf(p.Limits) {
		var logs [2][]float64
		for i := range rounds {
			at, known := rounds[i].Figures(l.Criterion)
			for side, v := range at {
				if known && v > 0 {
					logs[side] = append(logs[side], math.Log(v*l.Scale))
				}
			}
		}
		if len(logs[0]) < 2 || len(logs[0]) != len(rounds) || len(logs[1]) != len(rounds) {
			continue
		}
		base, head := estimateOf(logs[0]), estimateOf(logs[1])
		most := math.Log(l.Most)
		all = append(all, LimitCheck{
			Limit: l, Base: math.Exp(base.mean), Head: math.Exp(head.mean),
			Low: math.Exp(head.mean - head.within()), High: math.Exp(head.mean + head.within()),
			BaseOver: base.mean-base.within() > most, HeadOver: head.mean-head.within() > most,
		})
	}
	return all
}

// OverLimit are the limits that head is above, and base is not. They are a failure of their own kind, whatever the verdict.
func (a Answer) OverLimit() (over []LimitCheck) {
	for _, l := range a.Limits {
		if l.Fails() {
			over = append(over, l)
		}
	}
	return over
}
