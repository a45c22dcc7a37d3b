package rank

import (
	"fmt"
	"maps"
	"slices"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/record"
)

// A LeftOut is a round of a scenario that does not count, and why.
type LeftOut struct {
	Scenario string
	Round    int
	Why      string
}

func (l LeftOut) String() string {
	return fmt.Sprintf("Round %d of %s does not count: %s", l.Round, l.Scenario, l.Why)
}

// leastRounds are needed for ranks. With two, the noise of a server is the difference of two figures.
const leastRounds = 3

// leastCalm rounds are enough to leave others out.
const leastCalm = 2

// Calm returns the records of the rounds that count, scenario by scenario. A round does not count when the neighbours of
// the servers, which are other programs and the host, had far more of the machine than in the calmest round. A quota or a
// fault of the rig disturbs a round, too. Neighbours that are always there disturb all servers alike, so they
// only widen the ties. Where fewer than two rounds are calm, all count. Comparisons have a rule of their own, and servers that were
// loaded at different times have no rounds in common.
func Calm(records []record.Record) (calm []record.Record, left []LeftOut) {
	if slices.ContainsFunc(records, func(r record.Record) bool { return r.Server.Side != "" }) {
		return records, nil
	}
	for _, scenario := range record.Scenarios(records) {
		of := record.OfScenario(records, scenario)
		if len(record.Distinct(of, record.Record.K6Run)) > record.Rounds(of) {
			return records, nil // servers were loaded at different times
		}
		left = append(left, leftOut(scenario, of)...)
	}
	return record.Filter(records, func(r record.Record) bool {
		return !slices.ContainsFunc(left, func(l LeftOut) bool { return l.Scenario == r.Scenario && l.Round == r.Round })
	}), left
}

func leftOut(scenario string, records []record.Record) (left []LeftOut) {
	rounds := map[int][]record.Record{}
	for _, r := range records {
		rounds[r.Round] = append(rounds[r.Round], r)
	}
	least := 100.0
	for _, of := range rounds {
		least = min(least, neighboursPct(of))
	}
	for _, round := range slices.Sorted(maps.Keys(rounds)) {
		if why := disturbed(rounds[round], least); why != "" {
			left = append(left, LeftOut{scenario, round, why})
		}
	}
	if len(rounds)-len(left) < leastCalm {
		return nil
	}
	return left
}

// disturbed says why a round does not count; "" when it does. least is what neighbours had in the calmest round.
func disturbed(of []record.Record, least float64) string {
	pct := neighboursPct(of)
	if pct > least+hist.MostOthersPct {
		return fmt.Sprintf("other programs and the host had %.0f %% of the machine, and %.0f %% in the calmest round", pct, least)
	}
	for _, r := range of {
		if why := r.Conditions.Disturbed; len(why) > 0 && pct <= hist.MostOthersPct {
			return r.Target() + ": " + why[0]
		}
	}
	return ""
}

// neighboursPct is the part of the machine that other programs and the host had, in the mean of the targets. Unknown
// counts as 0.
func neighboursPct(of []record.Record) (pct float64) {
	for _, r := range of {
		for _, share := range []*float64{r.Conditions.OthersPct, r.Conditions.StealPct} {
			if share != nil {
				pct += *share / float64(len(of))
			}
		}
	}
	return pct
}
