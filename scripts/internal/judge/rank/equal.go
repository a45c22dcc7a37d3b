package rank

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// EqualWithin is how much two machines of one kind may differ: 1 % of CPU time per request.
const EqualWithin = 0.01

// A Likeness says how the CPU time per request on one machine compares with that on the others.
type Likeness struct {
	Machine   string
	Of        string  // direct, whose cost is that of k6 and the stub, or a server
	Change    float64 // ratio to the mean of the others, less 1
	Low, High float64 // 95 % interval
	Rounds    int
}

// Equal reports whether the whole interval is within EqualWithin, and Different whether none of it is.
func (l Likeness) Equal() bool     { return l.Low >= -EqualWithin && l.High <= EqualWithin }
func (l Likeness) Different() bool { return l.Low > EqualWithin || l.High < -EqualWithin }

// Likenesses compare machines that loaded the same servers, each in rounds of its own. Their means are of different minutes, so the
// interval has the variance of both (Welch). Call it with records of one workload by machine.
func Likenesses(machines map[string][]record.Record) (all []Likeness, err error) {
	names := slices.Sorted(maps.Keys(machines))
	if len(names) < 2 {
		return nil, fmt.Errorf("%d machines; want two or more", len(names))
	}
	w := WorkloadOf(machines[names[0]])
	logs := map[string]map[string][]float64{} // by target, then machine
	for _, name := range names {
		if other := WorkloadOf(machines[name]); other.Name != w.Name {
			return nil, fmt.Errorf("%s loaded servers of %s, and %s of %s; want one workload", names[0], w.Name, name, other.Name)
		}
		for _, r := range machines[name] {
			if cost, known := costOf(w, r); known && len(r.Conditions.Disturbed) == 0 {
				if logs[r.Server.Name] == nil {
					logs[r.Server.Name] = map[string][]float64{}
				}
				logs[r.Server.Name][name] = append(logs[r.Server.Name][name], math.Log(cost))
			}
		}
	}
	for _, target := range slices.Sorted(maps.Keys(logs)) {
		for _, name := range names {
			own, others := logs[target][name], []float64{}
			for _, other := range names {
				if other != name {
					others = append(others, logs[target][other]...)
				}
			}
			if len(own) < LeastRounds || len(others) < LeastRounds {
				return nil, fmt.Errorf("%s on %s: %d undisturbed rounds, and %d on the others; want %d or more", target, name, len(own), len(others), LeastRounds)
			}
			l := Likeness{Machine: name, Of: target, Rounds: len(own)}
			l.Change, l.Low, l.High = welch(own, others)
			all = append(all, l)
		}
	}
	return all, nil
}

// costOf is the CPU time for one request in the first scenario of the workload's cost. That of direct is the rig's.
func costOf(w workload.Workload, r record.Record) (float64, bool) {
	if !slices.Contains(w.CostIn, r.Scenario) {
		return 0, false
	}
	if r.Server.Name == raw.Direct {
		return r.Metrics.Get("rig_cpu_us_per_" + w.Unit)
	}
	return r.Metrics.Get(w.Cost.Metric)
}

// welch is the ratio of two geometric means less 1, of logarithms, and its 95 % interval (B. L. Welch, Biometrika 34, 1947).
func welch(a, b []float64) (change, low, high float64) {
	am, av := stat.MeanVariance(a, nil)
	bm, bv := stat.MeanVariance(b, nil)
	an, bn := av/float64(len(a)), bv/float64(len(b))
	free := math.Pow(an+bn, 2) / (an*an/float64(len(a)-1) + bn*bn/float64(len(b)-1))
	if math.IsNaN(free) {
		free = 1 // without any variance the interval is one point
	}
	within := math.Sqrt(an+bn) * verdict.Quantile(free)
	d := am - bm
	return math.Expm1(d), math.Expm1(d - within), math.Expm1(d + within)
}
