package verdict

import (
	"sync"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A criterion is one of the workload, with all that judging derives from it. Proofs judge hundreds of
// thousands of comparisons, and would spend a tenth of their time on names.
type criterion struct {
	workload.Criterion
	name    string
	records []string // scenarios of its records
	cells   []string // names of the cells of a round that it reads
	metric  record.Metric
}

// withoutMargins are the criteria of workloads, by name.
var withoutMargins sync.Map

// criteriaOf are the cells of a workload, with a server's own margins.
func criteriaOf(name string, margins map[string]float64) (all []criterion) {
	if len(margins) == 0 {
		if all, known := withoutMargins.Load(name); known {
			return all.([]criterion)
		}
		defer func() { withoutMargins.Store(name, all) }()
	}
	for _, c := range workload.Named(name).CriteriaWith(margins) {
		one := criterion{Criterion: c, name: c.Name(), records: c.Records()}
		for _, record := range one.records {
			one.cells = append(one.cells, cellName(record, c.Metric))
		}
		one.metric, _ = record.FindIn(name, c.Metric)
		all = append(all, one)
	}
	return all
}

// mean is the figure of one side; 0 without rounds.
func (c *criterion) mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return record.Mean(values, c.Absolute)
}
