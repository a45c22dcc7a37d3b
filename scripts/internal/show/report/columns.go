package report

import (
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// The columns of more than the scenarios' tables.
var (
	cost = workload.All[0].Cost
	rate = workload.All[0].Throughput
	slow = workload.Column{Metric: rate.Metric, Decimals: 1, Scale: 1} // where load is paced
)

// means is what record.Table says of a column.
func means(c workload.Column) record.Metric {
	m, _ := record.Find(c.Metric)
	return m
}
