package noise

import (
	"math"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Step is a cell that changed at a place of the history.
type Step struct {
	At   int
	Head string // commit
	Cell verdict.EventCell
}

// Regained is the step at which a cell regained its loss at a place, and every loss since. The
// rest is within the uncertainty of the loss. nil: the rest is larger.
func Regained(c verdict.EventCell, at int, steps []Step) *Step {
	of := math.Log1p // changes that can be added up
	if workload.Absolute(c.Metric) {
		of = func(x float64) float64 { return x }
	}
	rest, unsure := of(c.Change), (of(c.High)-of(c.Low))/2
	for i, s := range steps {
		if s.At <= at {
			continue
		}
		if rest += of(s.Cell.Change); s.Cell.Verdict == verdict.Improved && math.Copysign(1, c.Change)*rest <= unsure {
			return &steps[i]
		}
	}
	return nil
}
