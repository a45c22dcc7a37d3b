package site

import (
	"fmt"
	"maps"
	"slices"

	"fairstream/scripts/internal/judge/noise"
)

// buckets an overview has at most: about as many as a chart has pixels to tell apart.
const buckets = 500

// A line is a server's points in one series over all places.
type line struct {
	mid, low, high []float32 // NaN: unknown
	doubted        []bool
}

// lines are those of a series, by server; a server without a point has none.
func (h history) lines(scenario string, metric int) map[string]line {
	all := map[string]line{}
	q := quantum(trended[metric])
	for name, cells := range h.cells[scenario] {
		var l line
		for i, c := range cells {
			mid, low, high := c.at(metric)
			// What no integer holds, as no measured figure does, has no point.
			if quantise(mid, q) == Null || quantise(low, q) == Null || quantise(high, q) == Null {
				continue
			}
			if l.mid == nil {
				l.doubted = make([]bool, len(cells))
				for _, of := range []*[]float32{&l.mid, &l.low, &l.high} {
					*of = slices.Repeat([]float32{unknown}, len(cells))
				}
				all[name] = l
			}
			l.mid[i], l.low[i], l.high[i], l.doubted[i] = mid, low, high, c.doubted
		}
	}
	return all
}

// A written is a series and the names of its files, the oldest shard first; empty when
// nothing of the series was ever measured.
type written struct {
	series, overview string
	shards           []string
}

func writeSeries(h history, scenario string, metric int, out Out) (written, error) {
	m := trended[metric]
	lines := h.lines(scenario, metric)
	if len(lines) == 0 {
		return written{}, nil
	}
	o := Overview{
		Schema: Schema, Series: scenario + "/" + m.Name, Quantum: quantum(m), Bucket: max(1, (len(h.places)+buckets-1)/buckets),
		Servers: map[string]Buckets{}, Blocks: []string{}, Noise: map[string][][3]float64{},
	}
	for first := 0; o.Bucket > 1 && first < len(h.places); first += o.Bucket {
		o.Times = append(o.Times, h.places[first].time())
	}
	for first := 0; first < len(h.places); first += Block {
		end := min(first+Block, len(h.places))
		s := Shard{Schema: Schema, Series: o.Series, First: first, Quantum: o.Quantum, Servers: map[string]Column{}}
		for name, l := range lines {
			if c, some := l.column(first, end, o.Quantum); some {
				s.Servers[name] = c
			}
		}
		name, err := out.hashed(fmt.Sprintf("data/s/%s/%d", o.Series, first/Block), s)
		if err != nil {
			return written{}, err
		}
		o.Blocks = append(o.Blocks, name)
	}
	for name, l := range lines {
		o.Servers[name] = l.buckets(o.Bucket, o.Quantum)
		o.Noise[name] = noiseOf(l, h.epochs.of, absolute(m))
	}
	name, err := out.hashed("data/o/"+o.Series, o)
	return written{o.Series, name, o.Blocks}, err
}

// What Trend shows when nothing is chosen (gh-pages/test/first.test.ts): so many newest
// commits of one series, and so many before them that the first point's line goes through.
const (
	firstSeries  = "stress-100/rate_per_s"
	firstCommits = 200
	relatedTo    = 3
)

// firstBlock is the oldest block of those, of so many commits.
func firstBlock(commits int) int { return max(0, commits-firstCommits-relatedTo) / Block }

func (l line) column(first, end int, quantum float64) (c Column, some bool) {
	n := end - first
	c = Column{nulls(n), nulls(n), nulls(n), slices.Repeat([]int{Absent}, n)}
	for i := range n {
		mid := quantise(l.mid[first+i], quantum)
		if mid == Null {
			continue
		}
		some = true
		c.Mid[i], c.Low[i], c.High[i], c.Status[i] = mid, mid-quantise(l.low[first+i], quantum), quantise(l.high[first+i], quantum)-mid, Good
		if l.doubted[first+i] {
			c.Status[i] = Doubted
		}
	}
	return c, some
}

// buckets of n places each, of a line with a point at least; of medians that are an even
// number, the lower.
func (l line) buckets(n int, quantum float64) Buckets {
	b := Buckets{Ints{}, Ints{}, Ints{}, Null}
	for part := range slices.Chunk(l.mid, n) {
		var values Ints
		for _, v := range part {
			if q := quantise(v, quantum); q != Null {
				values, b.Newest = append(values, q), q
			}
		}
		if values == nil {
			values = Ints{Null}
		}
		slices.Sort(values)
		b.Mid, b.Low, b.High = append(b.Mid, values[(len(values)-1)/2]), append(b.Low, values[0]), append(b.High, values[len(values)-1])
	}
	return b
}

// noiseOf a line is that of each epoch for which it is known, of points that nothing casts
// doubt on.
func noiseOf(l line, epochOf []int, absolute bool) [][3]float64 {
	points := map[int][]float64{}
	for i, v := range l.mid {
		if known(v) && !l.doubted[i] {
			e := epochOf[i]
			points[e] = append(points[e], float64(v))
		}
	}
	all := [][3]float64{}
	for _, e := range slices.Sorted(maps.Keys(points)) {
		if v, n, ok := noise.Of(points[e], absolute); ok {
			all = append(all, [3]float64{float64(e), v, float64(n)})
		}
	}
	return all
}
