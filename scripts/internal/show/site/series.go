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

// firstSeries is what Trend shows of the first workload when nothing is chosen (gh-pages/test/first.test.ts).
const firstSeries = "stress-100/rate_per_s"

// writeSeries returns the name of a series and its file; both are "" when nothing of it was measured.
func writeSeries(h history, scenario string, metric int, out Out) (of [2]string, err error) {
	m := trended[h.workload.Name][metric]
	s := Series{
		Schema: Schema, Series: scenario + "/" + m.Name,
		Servers: h.columns(scenario, metric), Noise: map[string][][3]float64{},
	}
	if len(s.Servers) == 0 {
		return of, nil
	}
	for name, c := range s.Servers {
		s.Noise[name] = noiseOf(c, h.epochs.of, record.Absolute(m.Name))
	}
	file, err := out.hashed("data/s/"+s.Series, s)
	return [2]string{s.Series, file}, err
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
