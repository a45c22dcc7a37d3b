// Package cusum adds up the changes that the comparisons of main measured, version after version
// of a server. Many small changes add up to one that no comparison of two neighbours can see. It
// says when a sum has grown beyond chance, and names the commit where it began. It loads nothing.
// Its finding does not count as a verdict: a comparison with that commit has to confirm it.
//
// The sum is Page's CUSUM (Continuous inspection schemes, 1954), of the logarithms of head over
// base.
package cusum

import (
	"math"
	"slices"

	"fairstream/scripts/internal/judge/verdict"
)

// A Step is a comparison of two versions of a server. A version is the number of commits that have
// changed the server so far, so commits with the same program have the same version.
type Step struct {
	Base, Head int
	Event      verdict.Event
}

// A Climb is a sum of changes that chance hardly explains.
type Climb struct {
	Base             string // commit at which the sum began to grow
	Scenario, Metric string
	Change           float64 // since then, as a share of base: 0.02 is 2 % more
	Height           float64 // of the sum, in multiples of its threshold
}

// The reference and the threshold of a sum, in standard errors of one comparison. Each step pays
// the reference, so that chance alone does not climb. simulate_test.go shows what they achieve.
const (
	reference = 0.25
	threshold = 4
)

// Path is the way to the newest version, oldest step first. Of several comparisons of the same
// head it takes the one with the nearest base. It skips a version without a comparison.
func Path(steps []Step) (path []Step) {
	nearest, newest := map[int]Step{}, 0 // by head
	for _, s := range steps {
		if best, known := nearest[s.Head]; s.Base < s.Head && (!known || s.Base >= best.Base) {
			nearest[s.Head], newest = s, max(newest, s.Head)
		}
	}
	for version := newest; version > 0; {
		if s, known := nearest[version]; known {
			path, version = append(path, s), s.Base
		} else {
			version--
		}
	}
	slices.Reverse(path)
	return path
}

// A Cell is a metric in a scenario. Floor is the smallest change that a comparison reports, as a
// share.
type Cell struct {
	Scenario, Metric string
	Floor            float64
}

// Find is the highest climb of some cells at the newest version. ok is false when there is none, or
// when a comparison of that version with its base is among the steps.
func Find(steps []Step, cells []Cell) (highest Climb, ok bool) {
	path, to := Path(steps), map[int][]Step{}
	for _, s := range steps {
		to[s.Head] = append(to[s.Head], s)
	}
	for _, c := range cells {
		for _, direction := range []float64{1, -1} {
			if climb := c.sum(path, to, direction); climb.Height > highest.Height {
				highest = climb
			}
		}
	}
	return highest, highest.Height > 1
}

// in is the cell of a step; ok is false where it has no figures.
func (c Cell) in(s Step) (found verdict.EventCell, ok bool) {
	i := slices.IndexFunc(s.Event.Cells, func(e verdict.EventCell) bool {
		return e.Scenario == c.Scenario && e.Metric == c.Metric && e.Verdict != verdict.NotMeasured
	})
	if i < 0 {
		return found, false
	}
	return s.Event.Cells[i], true
}

// sum adds the changes of a cell in one direction; to are the steps to each version. A step from the commit where the sum began
// replaces the sum, because it measures all of it at once. A change in the direction that a verdict
// reported, at any step to a version, ends the sum there: people know it.
func (c Cell) sum(path []Step, to map[int][]Step, direction float64) Climb {
	var value, change, squares float64
	var n, start int
	base, asked := "", false
	for _, s := range path {
		if found, ok := c.in(s); ok {
			if value == 0 {
				start, base, change, squares, n = s.Base, s.Event.Base, 0, 0, 0
			}
			step, se := math.Log1p(found.Change), standardError(found)
			value = max(0, value+direction*step-reference*se)
			change, squares, n = change+step, squares+se*se, n+1
		}
		asked = false
		for _, other := range to[s.Head] {
			found, ok := c.in(other)
			if !ok {
				continue
			}
			if value > 0 && other.Base == start && other.Base < s.Base {
				step, se := math.Log1p(found.Change), standardError(found)
				value, change, squares, n, asked = max(0, direction*step-reference*se), step, se*se, 1, true
			}
			if (found.Verdict == verdict.Regressed || found.Verdict == verdict.Improved) && direction*found.Change > 0 {
				value = 0
				break
			}
		}
	}
	climb := Climb{Base: base, Scenario: c.Scenario, Metric: c.Metric, Change: math.Expm1(change)}
	if value > 0 && !asked && direction*climb.Change >= c.Floor {
		climb.Height = value / (threshold * math.Sqrt(squares/float64(n)))
	}
	return climb
}

// standardError is that of the logarithm of a change, from its 95 % interval.
func standardError(c verdict.EventCell) float64 {
	return (math.Log1p(c.High) - math.Log1p(c.Low)) / 2 / verdict.Quantile(max(1, float64(c.Rounds)-1))
}
