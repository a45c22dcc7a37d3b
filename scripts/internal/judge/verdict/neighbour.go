package verdict

import (
	"fmt"
	"math"
)

// leastNeighbour is how many per cent of the machine others must have had more
// of in one side's slices than in the other's to be taken for the reason of a
// change, and neighbourRisk the chance that they seem to though they had as much.
const (
	leastNeighbour = 1
	neighbourRisk  = 0.05
)

// neighbour is what others had more of the machine in head's slices of a level
// than in base's, in per cent; 0 when that may be chance, or is not known of all rounds.
func neighbour(rounds []Round, scenario string) float64 {
	var more []float64
	for _, r := range rounds {
		at, known := r.Others[scenario]
		if !known {
			return 0
		}
		more = append(more, at[1]-at[0])
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

// feels is how many times the share of the machine that a neighbour has a change
// may be and still be the neighbour's. A tail feels bursts more than a mean does: 50 ms of
// one of two cores in each half second is 5 % of the machine, and up to 25 ms more for
// a sixth of the streams.
func (j Judged) feels() float64 {
	if j.Metric == "stream_p95_ms" {
		return 8
	}
	return 2
}

// Excuse says why a cell's change is not called one.
func (c Cell) Excuse() string {
	side := "head"
	if c.Neighbour < 0 {
		side = "base"
	}
	return fmt.Sprintf("others had %.1f %% more of the machine in %s's slices, which may be the whole change", math.Abs(c.Neighbour), side)
}

// excuse takes back a verdict on what a neighbour of one side alone may have
// done. A true change of the server is called only when it is greater than that.
func (c *Cell) excuse(morePct float64) {
	worse := c.Verdict == Regressed && morePct > 0
	better := c.Verdict == Improved && morePct < 0
	if (worse || better) && math.Abs(c.Change) <= c.Judged.feels()*math.Abs(morePct)/100 {
		c.Verdict, c.Neighbour = Inconclusive, morePct
	}
}
