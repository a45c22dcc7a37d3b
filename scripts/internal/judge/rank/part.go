package rank

import (
	"maps"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// NewPart combines the rounds of a part of the cost of one target. A round counts where all of its scenarios do.
func NewPart(records []record.Record, p workload.Part) Figure {
	rounds := partOfRounds(records, p)
	values := make([]float64, 0, len(rounds))
	for _, round := range slices.Sorted(maps.Keys(rounds)) {
		values = append(values, rounds[round])
	}
	return figureOf(values, p.Less != "") // a difference may be 0 or less
}

// partOfRounds is a part in each round that counts, in the metric's unit.
func partOfRounds(records []record.Record, p workload.Part) map[int]float64 {
	rounds := func(scenario string) map[int]float64 {
		of := map[int]float64{}
		for _, r := range record.OfScenario(records, scenario) {
			if v, known := r.Metrics.Get(p.Column.Metric); known && isCounted(r.Metrics) {
				of[r.Round] = v
			}
		}
		return of
	}
	whole := rounds(p.Scenario)
	if p.Less != "" {
		less := rounds(p.Less)
		for round := range whole {
			if v, known := less[round]; known {
				whole[round] -= v
			} else {
				delete(whole, round)
			}
		}
	}
	for round := range whole {
		whole[round] /= p.Per
	}
	return whole
}
