package site

import (
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// fewest differences say how much a series scatters; with less nothing is said.
const fewest = 5

// noiseOf is how far, with 95 % chance, a run's median is from where it would be
// without noise, from consecutive points: in per cent, or absolute. Most commits
// change nothing, and the median of the differences' distances does not see those
// few that do; 1.4826 of it is the standard deviation of a normal distribution,
// and a difference has twice the variance of a point. Where most figures, of four
// digits, are that of the run before, it says nothing of the others, and is not known.
func noiseOf(points []float64, absolute bool) (noise float64, n int, ok bool) {
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
	return record.Short(noise, 3), len(differences), noise > 0
}

// median is that of values in any order, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return record.Median(values)
}
