package report

import (
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// means explains the metric of a workload's column.
func means(w workload.Workload, c workload.Column) record.Metric {
	m, _ := record.FindIn(w.Name, c.Metric)
	return m
}
