package branch

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
)

// Message makes the commit message of a run: servers and leaderboards with records, and those without.
func Message(p plan.Plan, trendRuns, leaderboard []record.Record, runID, attempt string) string {
	var have, lack []string
	note := func(name string, has bool) {
		if has {
			have = append(have, name)
		} else {
			lack = append(lack, name)
		}
	}
	for _, server := range p.Servers {
		note(server.String(), slices.ContainsFunc(trendRuns, func(r record.Record) bool { return r.ID() == server }))
	}
	for _, name := range p.Leaderboards() {
		note(plan.LeaderboardRun(name), slices.ContainsFunc(leaderboard, func(r record.Record) bool { return r.Workload == name }))
	}
	text := fmt.Sprintf("%.12s: records of %s\n\nRevision %s, run %s, attempt %s.\n", p.Revision, strings.Join(have, ", "), p.Revision, runID, attempt)
	if p.Reason != "" {
		text += "Started by hand: " + p.Reason + "\n"
	}
	if p.Quick {
		text += "Scenarios were shortened (-quick).\n"
	}
	if len(lack) > 0 {
		text += "Missing: " + strings.Join(lack, ", ") + ".\n"
	}
	return text
}
