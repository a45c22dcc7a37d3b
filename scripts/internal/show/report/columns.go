package report

import (
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// The columns by which servers are ranked.
var (
	cost = workload.All[0].Cost
	rate = workload.All[0].Throughput
)

// means explains the metric of a column.
func means(c workload.Column) record.Metric {
	m, _ := record.Find(c.Metric)
	return m
}
