package prove

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// measured are the mean changes of a cell in trials, in per cent.
func measured(of []result, cell string) (pct []float64) {
	for _, r := range of {
		if d, _ := logs(r.Comparison, cell); len(d) > 0 {
			pct = append(pct, 100*math.Expm1(stat.Mean(d, nil)))
		}
	}
	return pct
}

// size is the mean measured change as text: its range over servers, if there are several.
func (p injection) size(all []result) string {
	var means []float64
	for _, g := range byServer(p.of(all)) {
		if pct := measured(g.results, p.cell); len(pct) > 0 {
			means = append(means, stat.Mean(pct, nil))
		}
	}
	if len(means) == 0 {
		return "?"
	}
	slices.SortFunc(means, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	least, most := fmt.Sprintf("%+.1f", means[0]), fmt.Sprintf("%+.1f", means[len(means)-1])
	if least == most {
		return least + " %"
	}
	return least + " to " + most + " %"
}

// baselineCPU is a cell that a server's way to wait for a delay changes.
const baselineCPU = "baseline server_cpu_us_per_stream"

// effects is the table of all changes that each combination made, also those that nobody meant.
func effects(all []result) Table {
	t := Table{
		Title: "All effects of the injections",
		Head:  []string{"injected", "server", "trials"},
		Note:  "Mean measured changes in %, with their 95 % intervals, over all rounds that count. A combination also changes cells that it is not meant for.",
	}
	cells := []string{Cells[CPU], baselineCPU, Cells[TTFT], Cells[RSS], throughput}
	t.Head = append(t.Head, cells...)
	combinations := map[string][]result{}
	for _, r := range all {
		if !r.unchanged() {
			combinations[r.Size.String()] = append(combinations[r.Size.String()], r)
		}
	}
	for _, size := range slices.Sorted(maps.Keys(combinations)) {
		for _, g := range byServer(combinations[size]) {
			row := []string{size, g.server, fmt.Sprint(len(g.results))}
			for _, cell := range cells {
				row = append(row, meanWithin(measured(g.results, cell)))
			}
			t.add(row...)
		}
	}
	return t
}
