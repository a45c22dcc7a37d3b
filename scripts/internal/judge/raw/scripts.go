package raw

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/workload"
)

// JoinScripts makes one summary of the files of several k6 that ran at the same time, each with a script for one target. In
// each slice, the CPU time of the other k6 counts as one of ours. Slices have numbers of their own in all files.
func JoinScripts(summary string, files ...string) error {
	all := file{Iterations: &hist.Requests{Layout: hist.Layout, Series: []hist.RequestSeries{}}, Scripts: map[string]hist.Script{}}
	all.Slices = hist.Slices{Slices: []hist.Slice{}, GivenUp: map[string]string{}}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parse(data)
		if err == nil && f.unit != workload.Iteration {
			err = fmt.Errorf("it has %ss; want %ss", f.unit, workload.Iteration)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all.Slices.Planned += f.Slices.Planned
		all.Slices.Slices = append(all.Slices.Slices, f.Slices.Slices...)
		maps.Copy(all.Slices.GivenUp, f.Slices.GivenUp)
		all.Iterations.Series = append(all.Iterations.Series, f.Iterations.Series...)
		all.Iterations.Named = append(all.Iterations.Named, f.Iterations.Named...)
		maps.Copy(all.Scripts, f.Scripts)
	}
	countOtherK6(all.Slices.Slices)
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(summary, append(data, '\n'), 0o644)
}

// countOtherK6 adds the CPU time of the other k6 on the same level to each slice. Their slices are the same but for a moment.
func countOtherK6(all []hist.Slice) {
	used := map[string]float64{}
	for _, s := range all {
		if ms, known := s.CPUMS[k6]; known && len(s.Targets) == 1 {
			used[s.Level+" "+s.Targets[0]] = ms
		}
	}
	for _, s := range all {
		for _, other := range all {
			if len(s.Targets) != 1 || len(other.Targets) != 1 || other.Level != s.Level || other.Targets[0] == s.Targets[0] {
				continue
			}
			if ms, known := used[s.Level+" "+other.Targets[0]]; known {
				s.CPUMS[k6+" of "+other.Targets[0]] = ms
			}
		}
	}
}
