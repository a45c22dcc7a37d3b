package rank

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// An Interval is a figure with its 95 % interval by Student's t, over the rounds that two targets have in common. All are
// NaN without such rounds. With fewer than LeastRounds the interval is infinite.
type Interval struct{ Mid, Low, High float64 }

// Ratio is a part of one target over that of another, round by round. Where a part is 0 or less in a round, it is unknown.
func Ratio(of, than []record.Record, p workload.Part) Interval {
	i := beside(of, than, p, func(a, b float64) float64 { return math.Log(a) - math.Log(b) })
	return Interval{math.Exp(i.Mid), math.Exp(i.Low), math.Exp(i.High)}
}

// Difference is a part of one target less that of another, round by round, in the metric's unit.
func Difference(of, than []record.Record, p workload.Part) Interval {
	return beside(of, than, p, func(a, b float64) float64 { return a - b })
}

func beside(of, than []record.Record, p workload.Part, compare func(a, b float64) float64) Interval {
	first, second := partOfRounds(of, p), partOfRounds(than, p)
	var values []float64
	for _, round := range slices.Sorted(maps.Keys(first)) {
		if other, known := second[round]; known {
			values = append(values, compare(first[round], other))
		}
	}
	mid, half, n := stat.Mean(values, nil), math.Inf(1), float64(len(values))
	if math.IsNaN(mid) || math.IsInf(mid, 0) { // also without a round
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	if n >= LeastRounds {
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
		half = t.Quantile(0.975) * stat.StdErr(stat.StdDev(values, nil), n)
	}
	return Interval{mid, mid - half, mid + half}
}
