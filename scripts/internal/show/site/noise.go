package site

import (
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// fewest differences say how much a series scatters; with less nothing is said.
const fewest = 5

// noiseOfPoints is how far, with 95 % chance, a run's figure is from where it would be
// without noise, from consecutive points: in per cent, or absolute. Most commits
// change nothing, and the median of the differences' distances does not see those
// few that do; 1.4826 of it is the standard deviation of a normal distribution,
// and a difference has twice the variance of a point. Where most figures, of four
// digits, are that of the run before, it says nothing of the others, and is not known.
func noiseOfPoints(points []float64, absolute bool) (noise float64, n int, ok bool) {
	var differences []float64
	for i := 1; i < len(points); i++ {
		d := points[i] - points[i-1]
		if !absolute {
			d = math.Log(points[i]) - math.Log(points[i-1])
		}
		if !math.IsNaN(d) && !math.IsInf(d, 0) {
			differences = append(differences, d)
		}
	}
	if len(differences) < fewest {
		return 0, len(differences), false
	}
	middle := median(differences)
	for i, d := range differences {
		differences[i] = math.Abs(d - middle)
	}
	noise = 1.96 * 1.4826 * median(differences) / math.Sqrt2
	if !absolute {
		noise = 100 * math.Expm1(noise)
	}
	return record.LimitDigits(noise, 3), len(differences), noise > 0
}

// median is that of values in any order, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return record.Median(values)
}

// recent is how many points stand for what is, and as many for what was.
const recent = 5

// changeSince compares the newest points after an event with the points just before it: the change of
// the median, as a share. inside says that runs of the same code differ as much. Both sides have
// a point at least; all are the points of the series.
func changeSince(before, after, all []float64) (change float64, inside bool) {
	noise, _, _ := noiseOfPoints(all, false) // unknown noise is 0: then only an unchanged figure is inside
	change = median(last(after))/median(last(before)) - 1
	return record.LimitDigits(change, 3), math.Abs(change) <= noise/100
}

// last are the newest of values.
func last(values []float64) []float64 { return values[max(0, len(values)-recent):] }

// A step is a cell that changed at a place of the history.
type step struct {
	At   int
	Head string // commit
	Cell verdict.EventCell
}

// regained is the step at which a cell regained its loss at a place, and every loss since. The
// rest is within the uncertainty of the loss. nil: the rest is larger.
func regained(c verdict.EventCell, at int, steps []step) *step {
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
