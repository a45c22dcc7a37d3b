package record

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"fairstream/scripts/internal/judge/raw"
)

// leastCycles are enough to say how much a rate scatters.
const leastCycles = 8

// rateSE is the standard error of the rate within its k6 run, in per cent. In a cycle each server has one slice, within a
// second or so. What the machine does to all of them is the mean of the cycle. What remains is noise, and the cycles show
// how much. It wants two servers and 8 cycles.
func rateSE(m measured) (pct float64, known bool) {
	var rest []float64
	for _, rates := range m.cycles(m.load.Level) {
		own, loaded := rates[m.target.Name]
		if !loaded || len(rates) < 2 {
			continue
		}
		mean := 0.0
		for _, rate := range rates {
			mean += math.Log(rate) / float64(len(rates))
		}
		// The mean has a part of the server's own noise in it.
		rest = append(rest, (math.Log(own)-mean)*math.Sqrt(float64(len(rates))/float64(len(rates)-1)))
	}
	pct = 100 * stat.StdDev(rest, nil) / math.Sqrt(float64(len(rest)))
	return pct, len(rest) >= leastCycles && pct <= 100
}

// cycles are the rates of servers by cycle of a level, without cycles that do not count.
func (l k6Run) cycles(level string) map[int]map[string]float64 {
	all := map[int]map[string]float64{}
	for i, s := range l.summary.Slices {
		if s.Level != level || s.Cycle == 0 || s.Discarded {
			continue
		}
		if all[s.Cycle] == nil {
			all[s.Cycle] = map[string]float64{}
		}
		for target, rate := range l.summary.Rates[i] {
			if target != raw.Direct && rate > 0 {
				all[s.Cycle][target] = rate
			}
		}
	}
	return all
}
