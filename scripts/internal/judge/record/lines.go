package record

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"fairstream/scripts/internal/judge/raw"
)

// A File is a file with a record on each line.
type File struct {
	Name    string
	Records []Record
}

// remedy ends errors about records that somebody changed.
const remedy = "scripts/bench record DIR makes them again from the raw files"

// CheckUnique refuses two records with the same run, target, scenario and round, since it cannot tell which
// one counts.
func CheckUnique(files ...File) error {
	type place struct {
		run, target, scenario string
		round                 int
	}
	seen := map[place]string{}
	for _, f := range files {
		for i, r := range f.Records {
			at, line := place{r.Run.ID, r.Target(), r.Scenario, r.Round}, fmt.Sprintf("%s: line %d", f.Name, i+1)
			if before, ok := seen[at]; ok {
				return fmt.Errorf("%s and %s are both of %s, %s, round %d; want one: %s", before, line, at.target, at.scenario, at.round, remedy)
			}
			seen[at] = line
		}
	}
	return nil
}

// CheckComplete refuses records of a comparison in which a target or a side is missing from a scenario and
// round. compare writes them together.
func CheckComplete(files ...File) error {
	type k6Run struct {
		scenario string
		round    int
	}
	have, targets, file := map[k6Run]map[string]bool{}, map[string]bool{}, map[k6Run]string{}
	var order []k6Run
	var names []string
	for _, f := range files {
		for _, r := range f.Records {
			at := k6Run{r.Scenario, r.Round}
			if have[at] == nil {
				have[at], order = map[string]bool{}, append(order, at)
			}
			file[at] = f.Name
			of := []string{r.Target()}
			if r.Server.Side != "" {
				of = []string{raw.Target(r.Server.Name, "base"), raw.Target(r.Server.Name, "head")}
			}
			for _, name := range of {
				if !targets[name] {
					targets[name], names = true, append(names, name)
				}
			}
			have[at][r.Target()] = true
		}
	}
	for _, at := range order {
		for _, name := range names {
			if !have[at][name] {
				return fmt.Errorf("%s: no record of %s, %s, round %d, though of others there; was it cut short? %s", file[at], name, at.scenario, at.round, remedy)
			}
		}
	}
	return nil
}

// Rounds is the number of rounds with records.
func Rounds(records []Record) int {
	seen := map[int]bool{}
	for _, r := range records {
		seen[r.Round] = true
	}
	return len(seen)
}

// MetricValues returns the known values of a metric, ascending.
func MetricValues(records []Record, metric string) []float64 {
	var values []float64
	for _, r := range records {
		if v, ok := r.Metrics.Get(metric); ok {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// Mean is the figure of several rounds: their geometric mean. The ratio of two figures is then the mean ratio of their
// rounds. It is the arithmetic mean of absolute values, and where one is 0 or less. It wants at least one value.
func Mean(values []float64, absolute bool) float64 {
	low, high := slices.Min(values), slices.Max(values)
	if absolute || low <= 0 {
		return stat.Mean(values, nil)
	}
	return min(max(stat.GeometricMean(values, nil), low), high) // rounding stays within the rounds
}

// Median returns the median of sorted values. It wants at least one.
func Median(sorted []float64) float64 {
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
