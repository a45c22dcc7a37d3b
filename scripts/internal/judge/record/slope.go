package record

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// Growth is the growth of memory with each request, in bytes, with its 95 % interval.
type Growth struct{ Bytes, Low, High float64 }

// Garbage collectors move memory up and down, and neighbouring seconds are similar. So the samples are cut
// into blocks, and the line goes through the means of the blocks, which are nearly independent. The first
// fifth of the load is left out, while pools and heaps still fill.
const (
	slopeBlocks = 10
	slopeLeastS = 300 // seconds of load; in less time heaps still fill
)

// rssSlope is the memory growth of processes over a paced load with this many requests. ok is false with too
// few samples.
func (m measured) rssSlope(pids []int, requests int64) (g Growth, ok bool) {
	begin, end, ok := m.window()
	if !ok || end-begin < slopeLeastS || requests == 0 {
		return Growth{}, false
	}
	begin += (end - begin) / 5
	block := float64(end-begin) / slopeBlocks
	var sum, n [slopeBlocks]float64
	samples := timeline("", m.of(pids), begin)
	for j, second := range samples.Second {
		if i := int(float64(second) / block); second > 0 && i < slopeBlocks {
			sum[i] += float64(samples.RSSBytes[j])
			n[i]++
		}
	}
	perBlock := block * float64(requests) / m.load.Seconds
	var served, rss []float64
	for i := range sum {
		if n[i] == 0 {
			return Growth{}, false
		}
		served, rss = append(served, float64(i)*perBlock), append(rss, sum[i]/n[i])
	}
	return line(served, rss), true
}

// window is the load's time in Unix seconds. A k6 run with other levels has none, since a process keeps the
// memory of one level in the next.
func (m measured) window() (begin, end int64, ok bool) {
	for _, t := range m.summary.Slices {
		switch {
		case t.Level == raw.WarmUp:
		case !m.paced || t.Level != m.load.Level:
			return 0, 0, false
		default:
			begin, end, ok = t.StartedUnixMS/1000, t.StartedUnixMS/1000+t.PlannedMS/1000, true
		}
	}
	return begin, end, ok
}

// line is the least-squares slope of y over x and its interval by Student's t.
func line(x, y []float64) Growth {
	intercept, beta := stat.LinearRegression(x, y, nil, false)
	var residual, spread float64
	mean := stat.Mean(x, nil)
	for i := range x {
		off := y[i] - intercept - beta*x[i]
		residual += off * off
		spread += (x[i] - mean) * (x[i] - mean)
	}
	free := float64(len(x) - 2)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile(0.975)
	half := t * math.Sqrt(residual/free/spread)
	return Growth{beta, beta - half, beta + half}
}

// A Leak is the result of a soak for a server's memory.
type Leak string

// LeakBytes is the growth, in bytes for each request, that counts as a leak. A forgotten map entry for each
// request needs more. Allocators and collectors vary by less within ten minutes.
const LeakBytes = 16

// The interval is too wide for a result. A longer soak narrows it.
const (
	Leaks        Leak = "yes"
	NoLeak       Leak = "no"
	Inconclusive Leak = "inconclusive"
)

// Leaks judges the growth of the server's memory.
func (r Record) Leaks() Leak {
	each := "_bytes_per_" + workload.Named(r.Workload).Unit
	bytes, known := r.Metrics.Get("server_rss_slope" + each)
	low, _ := r.Metrics.Get("server_rss_slope_low" + each) // known wherever the slope is known, like the next
	high, _ := r.Metrics.Get("server_rss_slope_high" + each)
	if !known {
		return Inconclusive
	}
	return Growth{bytes, low, high}.Leaks()
}

// Leaks judges a growth.
func (g Growth) Leaks() Leak {
	switch {
	case g.Low > 0 && g.Bytes >= LeakBytes:
		return Leaks
	case g.High < LeakBytes:
		return NoLeak
	}
	return Inconclusive
}
