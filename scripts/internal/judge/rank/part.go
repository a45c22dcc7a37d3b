package rank

import (
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// NewPart combines the rounds of a part of the cost of one target. A round counts where all of its scenarios do.
func NewPart(records []record.Record, p workload.Part) Figure {
	value := func(scenario string, round int) (float64, bool) {
		for _, r := range record.OfScenario(records, scenario) {
			if v, known := r.Metrics.Get(p.Column.Metric); r.Round == round && known && isCounted(r.Metrics) {
				return v, true
			}
		}
		return 0, false
	}
	var values []float64
	for _, r := range record.OfScenario(records, p.Scenario) {
		all, known := value(p.Scenario, r.Round)
		without, both := 0.0, true
		if p.Less != "" {
			without, both = value(p.Less, r.Round)
		}
		if known && both {
			values = append(values, (all-without)/p.Per)
		}
	}
	return figureOf(values, p.Less != "") // a difference may be 0 or less
}
