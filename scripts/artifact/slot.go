package artifact

import (
	"cmp"
	"fmt"
	"strings"

	"fairstream/scripts/plan"
	"fairstream/scripts/record"
)

// A slot is the place of one record in what a plan has for a server.
type slot struct {
	side, scenario string
	round          int
}

func of(r record.Record) slot { return slot{r.Server.Side, r.Scenario, r.Round} }

func (s slot) String() string {
	text := fmt.Sprintf("%s round %d", s.scenario, s.round)
	if s.side != "" {
		text += " of " + s.side
	}
	return text
}

func (s slot) compare(t slot) int {
	return cmp.Or(strings.Compare(s.side, t.side), strings.Compare(s.scenario, t.scenario), cmp.Compare(s.round, t.round))
}

// commits are the revisions that a plan measures, by side.
func commits(p plan.Plan) map[string]string {
	if p.Kind == "pull" {
		return map[string]string{"base": p.Base, "head": p.Revision}
	}
	return map[string]string{"": p.Revision}
}

// planned is every slot of a server.
func planned(p plan.Plan) []slot {
	var slots []slot
	for _, side := range []string{"", "base", "head"} {
		if _, ok := commits(p)[side]; !ok {
			continue
		}
		for scenario := range strings.SplitSeq(p.Scenarios, ",") {
			for round := 1; round <= p.Rounds; round++ {
				slots = append(slots, slot{side, scenario, round})
			}
		}
	}
	return slots
}

// missing lists what the plan has and records have not: whole servers, and
// what lacks of the others.
func missing(p plan.Plan, records map[string][]record.Record) []string {
	var lines []string
	for _, server := range p.Servers {
		have := map[slot]bool{}
		for _, r := range records[server] {
			have[of(r)] = true
		}
		if len(have) == 0 {
			lines = append(lines, server)
			continue
		}
		for _, s := range planned(p) {
			if !have[s] {
				lines = append(lines, server+": "+s.String())
			}
		}
	}
	return lines
}
