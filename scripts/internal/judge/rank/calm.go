package rank

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/record"
)

// A Disturbance is why a round of some scenarios does not count.
type Disturbance struct {
	Round     int
	Scenarios []string
	Why       string // of the first scenario
}

func (d Disturbance) String() string {
	return fmt.Sprintf("Round %d of %s does not count: %s", d.Round, strings.Join(d.Scenarios, ", "), d.Why)
}

// LeastRounds are needed for ranks. With two, the noise of a server is the difference of two figures.
const LeastRounds = 3

// Calm returns the records of the rounds that count, scenario by scenario, and what disturbed the others. Where fewer than
// three rounds of a scenario are calm, all of them count.
func Calm(records []record.Record) (calm []record.Record, left []Disturbance) {
	out := map[string]map[int]bool{}
	for _, scenario := range record.Scenarios(records) {
		of := record.OfScenario(records, scenario)
		why := disturbances(of)
		if record.Rounds(of)-len(why) < LeastRounds {
			continue
		}
		out[scenario] = map[int]bool{}
		for _, round := range slices.Sorted(maps.Keys(why)) {
			out[scenario][round] = true
			if i := slices.IndexFunc(left, func(d Disturbance) bool { return d.Round == round }); i >= 0 {
				left[i].Scenarios = append(left[i].Scenarios, scenario)
			} else {
				left = append(left, Disturbance{round, []string{scenario}, why[round]})
			}
		}
	}
	return record.Filter(records, func(r record.Record) bool { return !out[r.Scenario][r.Round] }), left
}

// DisturbedRounds says why rounds of a ranking should be measured again, by round.
func (r Ranking) DisturbedRounds(records []record.Record) map[int]string {
	return disturbances(record.OfScenario(records, r.Scenario))
}

// disturbances finds the disturbed rounds of a scenario. In such a round the neighbours of the servers, which are other
// programs and the host, had far more of the machine than in the calmest round. A quota or a fault of the rig disturbs a
// round, too. Neighbours that are always there disturb all servers alike, so they only widen the ties. A fault in every round
// is not a disturbance either: the machine is too slow for the load, and another round would have the same fault. Comparisons
// have a rule of their own, and servers that were loaded at different times have no rounds in common.
func disturbances(records []record.Record) map[int]string {
	if slices.ContainsFunc(records, func(r record.Record) bool { return r.Server.Side != "" }) || len(record.Distinct(records, record.Record.K6Run)) > record.Rounds(records) {
		return nil
	}
	rounds := map[int][]record.Record{}
	for _, r := range records {
		rounds[r.Round] = append(rounds[r.Round], r)
	}
	least := 100.0
	for _, of := range rounds {
		least = min(least, neighboursPct(of))
	}
	found := map[int]string{}
	for round, of := range rounds {
		if why := disturbed(of, least); why != "" {
			found[round] = why
		}
	}
	if len(found) == len(rounds) {
		return nil
	}
	return found
}

// disturbed says why a round does not count; "" when it does. least is what neighbours had in the calmest round.
func disturbed(of []record.Record, least float64) string {
	if pct := neighboursPct(of); pct > least+hist.MostOthersPct {
		return fmt.Sprintf("other programs and the host had %.0f %% of the machine, and %.0f %% in the calmest round", pct, least)
	}
	for _, r := range of {
		// A short level may have more of its neighbours than others, which is chance.
		if why := r.Conditions.Disturbed; len(why) > 0 && neighboursPct([]record.Record{r}) <= hist.MostStealPct {
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
