package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/workload"
)

// Smallest says how large a change of a server the next comparison would find 80 % of the time, if it
// is as noisy as the earlier ones were in the mean.
type Smallest struct {
	workload.Server
	Epoch       string
	Comparisons int
	Cells       []SmallestCell
}

// A SmallestCell is the size for one deciding cell, as a share of base.
type SmallestCell struct {
	Criterion workload.Criterion
	Change    float64
}

// SmallestOf reads the noise history of the server and epoch of the newest line. It has no cells
// where the noise is not known.
func SmallestOf(noiseHistory []NoiseHistory) (s Smallest) {
	if len(noiseHistory) == 0 {
		return s
	}
	newest := noiseHistory[len(noiseHistory)-1]
	if workload.Check(newest.Workload) != nil {
		return s
	}
	s = Smallest{Server: workload.Server{Workload: newest.Workload, Name: newest.Server}, Epoch: newest.Epoch}
	lines := slices.DeleteFunc(slices.Clone(noiseHistory), func(line NoiseHistory) bool {
		return line.Epoch != newest.Epoch || line.Workload != newest.Workload || line.Server != newest.Server
	})
	s.Comparisons = len(lines)
	judged := workload.Named(newest.Workload).Criteria
	next := Comparison{Workload: newest.Workload, Server: newest.Server, Epoch: newest.Epoch, Planned: Rounds}
	looks := schedule(next, FitPriors(lines))
	last := looks[len(looks)-1]
	n := len(judged)
	if workload.Named(newest.Workload).Mixes {
		n++ // all requests by name
	}
	alpha := last.alpha / float64(n) // of Holm's first step
	for _, c := range judged {
		if c.Decides == "" || c.Absolute {
			continue
		}
		var seen []Variance
		var sum, free float64
		for _, line := range lines {
			if v, known := line.Cells[c.Name()]; known {
				seen = append(seen, v)
				sum, free = sum+v.Free*v.Variance, free+v.Free
			}
		}
		if free == 0 {
			continue
		}
		e := estimate{se: math.Sqrt(sum / free / float64(last.rounds)), free: Fit(seen).Free + float64(last.rounds) - 1}
		s.Cells = append(s.Cells, SmallestCell{c, max(c.Floor, math.Expm1(e.missed(alpha)))})
	}
	return s
}

// String lists the sizes: "CPU 2.4 %, latency 7.5 %". It is "" where nothing is known.
func (s Smallest) String() string {
	var parts []string
	for _, c := range s.Cells {
		parts = append(parts, fmt.Sprintf("%s %.1f %%", c.Criterion.Decides, 100*c.Change))
	}
	return strings.Join(parts, ", ")
}
