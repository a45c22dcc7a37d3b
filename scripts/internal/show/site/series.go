package site

import (
	"maps"
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// columns are the points of a series, by server; a server without a point has none.
func (h history) columns(scenario string, metric int) map[string]Column {
	all := map[string]Column{}
	for name, cells := range h.cells[scenario] {
		n := len(cells)
		c := Column{make([]*float64, n), make([]*float64, n), make([]*float64, n), slices.Repeat([]int{Absent}, n)}
		for i, of := range cells {
			f := of.at(metric)
			if c.Mid[i], c.Low[i], c.High[i] = short(f.Mid), short(f.Low), short(f.High); c.Mid[i] == nil {
				continue
			}
			all[name] = c
			if c.Status[i] = Good; of.warned {
				c.Status[i] = Warning
			}
		}
	}
	return all
}

// short is a figure for JSON; nil: unknown. Records have four digits, and their mean has more.
func short(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = record.LimitDigits(v, 5)
	return &v
}

// noiseOf gives the noise of a column for each epoch with enough points without
// warnings.
func noiseOf(c Column, epochOf []int, absolute bool) [][3]float64 {
	points := map[int][]float64{}
	for i, v := range c.Mid {
		if c.Status[i] == Good {
			points[epochOf[i]] = append(points[epochOf[i]], *v)
		}
	}
	all := [][3]float64{}
	for _, e := range slices.Sorted(maps.Keys(points)) {
		if v, n, ok := noiseOfPoints(points[e], absolute); ok {
			all = append(all, [3]float64{float64(e), v, float64(n)})
		}
	}
	return all
}
