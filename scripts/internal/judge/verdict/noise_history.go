package verdict

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fairstream/scripts/internal/files/jsonl"
)

// A NoiseHistory is one line about an earlier comparison: how much its cells scattered. Many lines
// give the priors of the next comparison.
type NoiseHistory struct {
	Epoch    string              `json:"epoch"` // of one workload, as its rig is
	Workload string              `json:"workload"`
	Server   string              `json:"server"`
	Run      string              `json:"run"` // id, so that no run counts twice
	Cells    map[string]Variance `json:"cells"`
}

// mostNoiseHistory is how many of a cell are used: the newest.
const mostNoiseHistory = 200

// Remember is what a comparison leaves to later ones: the scatter of each cell over
// the rounds that count. It says nothing of whether the server changed. Comparisons that
// end early are those that happened to scatter little, but that makes the
// priors smaller by some per cent at most (simulate_test.go); to remember the first
// look alone would miss a machine that grows noisier as it is loaded.
func Remember(p Comparison, run string) NoiseHistory {
	noiseHistory := NoiseHistory{Epoch: p.Epoch, Workload: p.Workload, Server: p.Server, Run: run, Cells: map[string]Variance{}}
	criteria, counting := criteriaOf(p.Workload, nil), p.Counting()
	for i := range criteria {
		c := &criteria[i]
		if c.Absolute {
			continue // its variance has a unit
		}
		if s := sampleOf(c, counting); len(s.differences) > 2 {
			noiseHistory.Cells[c.name] = Variance{max(stat.Variance(s.differences, nil), leastVariance), float64(len(s.differences) - 1)}
		}
	}
	return noiseHistory
}

// Priors are fitted to the noise history, by epoch of a machine, server and cell.
type Priors map[string]map[string]map[string]Prior

// Of is the prior of a cell: zero when too little is known.
func (p Priors) Of(epoch, server, cell string) Prior { return p[epoch][server][cell] }

func (p Priors) set(epoch, server, cell string, prior Prior) {
	if p[epoch] == nil {
		p[epoch] = map[string]map[string]Prior{}
	}
	if p[epoch][server] == nil {
		p[epoch][server] = map[string]Prior{}
	}
	p[epoch][server][cell] = prior
}

// FitPriors fits priors to what earlier comparisons left, oldest first.
func FitPriors(noiseHistory []NoiseHistory) Priors {
	type cellOf struct{ epoch, server, cell string }
	seen := map[cellOf][]Variance{}
	runs := map[[3]string]bool{}
	for _, line := range noiseHistory {
		id := [3]string{line.Epoch, line.Server, line.Run}
		if runs[id] {
			continue
		}
		runs[id] = true
		for cell, v := range line.Cells {
			at := cellOf{line.Epoch, line.Server, cell}
			seen[at] = append(seen[at], v)
		}
	}
	priors := Priors{}
	for at, variances := range seen {
		if prior := Fit(variances[max(0, len(variances)-mostNoiseHistory):]); prior.Free > 0 {
			priors.set(at.epoch, at.server, at.cell, prior)
		}
	}
	return priors
}

// ReadNoiseHistory reads lines as WriteNoiseHistory makes them, strictly.
func ReadNoiseHistory(r io.Reader) ([]NoiseHistory, error) {
	return jsonl.Read(r, func(line NoiseHistory) error {
		for cell, v := range line.Cells {
			if !(v.Free >= 1 && v.Variance >= 0) {
				return fmt.Errorf("%s: variance %g of %g degrees of freedom", cell, v.Variance, v.Free)
			}
		}
		return nil
	})
}

// WriteNoiseHistory writes a line.
func WriteNoiseHistory(w io.Writer, p NoiseHistory) error { return json.NewEncoder(w).Encode(p) }

// mostLines bounds all that is kept: of eight servers, the newest of two epochs.
const mostLines = 4000

// Keep adds lines to earlier ones, oldest first. A run that is there already is
// not added again, and of each server and epoch, and of all, the oldest go.
func Keep(noiseHistory []NoiseHistory, add ...NoiseHistory) (kept []NoiseHistory) {
	seen, count := map[[3]string]bool{}, map[[2]string]int{}
	for _, line := range slices.Concat(noiseHistory, add) {
		if id := [3]string{line.Epoch, line.Server, line.Run}; !seen[id] {
			seen[id] = true
			count[[2]string{line.Epoch, line.Server}]++
			kept = append(kept, line)
		}
	}
	kept = slices.DeleteFunc(kept, func(line NoiseHistory) bool {
		of := [2]string{line.Epoch, line.Server}
		count[of]--
		return count[of] >= mostNoiseHistory
	})
	return kept[max(0, len(kept)-mostLines):]
}
