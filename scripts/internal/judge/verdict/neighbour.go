package verdict

import (
	"fmt"
	"math"

	"fairstream/scripts/internal/workload"
)

// leastNeighbour is the smallest difference in other programs' use of the machine between the sides'
// slices that may explain a change, in per cent. neighbourRisk is the risk that chance alone shows
// such a difference.
const (
	leastNeighbour = 1
	neighbourRisk  = 0.05
)

// neighbour is how much more of the machine other programs used in head's slices of levels than in
// base's, in per cent; 0 when that may be chance, or is unknown in some rounds.
func neighbour(rounds []Round, levels []string) float64 {
	var more []float64
	for i := range rounds {
		sum := 0.0
		for _, level := range levels {
			at, known := rounds[i].Others[level]
			if !known {
				return 0
			}
			sum += at[1] - at[0]
		}
		more = append(more, sum/float64(len(levels)))
	}
	if len(more) < 2 {
		return 0
	}
	e := estimateMean(more, Prior{})
	if math.Abs(e.mean) < leastNeighbour || e.p() > neighbourRisk {
		return 0
	}
	return e.mean
}

// feels is the largest change that a neighbour can cause, as a multiple of its share of the machine.
// A tail feels bursts more than a mean does: 50 ms of one of two cores in each half second is 5 % of
// the machine, and up to 25 ms more for a sixth of the streams.
func feels(c workload.Criterion) float64 {
	if c.Metric == "stream_p95_ms" {
		return 8
	}
	return 2
}

// Excuse says why a cell's change is not reported.
func (c Cell) Excuse() string {
	side := "head"
	if c.Neighbour < 0 {
		side = "base"
	}
	return fmt.Sprintf("other programs and the host used %.1f %% more of the machine in %s's slices, which may explain the change", math.Abs(c.Neighbour), side)
}

// excuse withdraws a verdict that a neighbour of one side may have caused. A change of the server is
// reported only when it is larger than that.
func (c *Cell) excuse(morePct float64) {
	worse := c.Verdict == Regressed && morePct > 0
	better := c.Verdict == Improved && morePct < 0
	if (worse || better) && math.Abs(c.Change) <= feels(c.Criterion)*math.Abs(morePct)/100 {
		c.Verdict, c.Neighbour = Inconclusive, morePct
	}
}
