package verdict

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/files/jsonl"
)

// A Noise history is one line of what is remembered of an earlier comparison: how much its
// cells scattered. From many of them the next comparison's priors are fitted.
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
	values := map[string][]float64{}
	for _, r := range p.Counting() {
		for name, at := range r.Cells {
			_, metric, _ := strings.Cut(name, " ")
			if Absolute(metric) {
				continue // of those nothing is known beforehand
			}
			values[name] = append(values[name], Cell{}.difference(at))
		}
	}
	for name, of := range values {
		if len(of) > 2 {
			e := estimateMean(of, Prior{})
			noiseHistory.Cells[name] = Variance{Variance: e.se * e.se * float64(len(of)), Free: e.free}
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

// Given are priors that are known already, of one server's cells: those that a
// verdict was reached with, so that it can be reached again.
func Given(epoch, server string, cells map[string]Prior) Priors {
	return Priors{epoch: {server: cells}}
}
