package artifact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// A frame holds what the plan asked of a job.
type frame struct {
	plan     plan.Plan
	workload string // of the job
	rounds   int    // of the job
	servers  []workload.Server
	together bool            // a leaderboard run
	known    []server.Server // as at the plan's revision
}

// frameOf returns the frame of the job that made these records. Several servers mean a leaderboard run, and
// one server means another job.
func frameOf(records []record.Record, p plan.Plan, known []server.Server) frame {
	f := frame{plan: p, workload: records[0].Workload, rounds: p.Rounds, known: known}
	for _, r := range records {
		if s := r.ID(); slices.Contains(p.Servers, s) && !slices.Contains(f.servers, s) {
			f.servers = append(f.servers, s)
		}
	}
	if len(f.servers) > 1 && slices.Contains(p.Leaderboards(), f.workload) {
		f.rounds, f.servers, f.together = p.Leaderboard, p.Of(f.workload), true
	}
	return f
}

// job is the job's name in the workflow.
func (f frame) job() string {
	if f.together {
		return plan.LeaderboardRun(f.workload)
	}
	return f.servers[0].Dotted()
}

// lastRound is the last round that a job can have. A comparison and a leaderboard run may repeat discarded rounds.
func lastRound(p plan.Plan, rounds int, together bool) int {
	if p.Kind == plan.Pull || together {
		return rounds + verdict.MostDiscarded(rounds)
	}
	return rounds
}

// A slot is a scenario of a job in a round. It gives a record of every target on every level.
type slot struct {
	scenario string // without level
	round    int
}

func of(p plan.Plan, r record.Record) slot {
	name, _ := record.Level(r.Scenario)
	if p.Kind == plan.Pull {
		name = record.Compare
	}
	return slot{name, r.Round}
}

func (s slot) String() string { return fmt.Sprintf("%s round %d", s.scenario, s.round) }

// A place identifies one record.
type place struct {
	server, side, scenario string // scenario with level
	round                  int
}

func at(r record.Record) place { return place{r.Server.Name, r.Server.Side, r.Scenario, r.Round} }

func (p place) String() string {
	text := fmt.Sprintf("%s %s round %d", p.server, p.scenario, p.round)
	if p.side != "" {
		text += " of " + p.side
	}
	return text
}

func (p place) compare(q place) int {
	return cmp.Or(strings.Compare(p.side, q.side), strings.Compare(p.server, q.server), strings.Compare(p.scenario, q.scenario), cmp.Compare(p.round, q.round))
}

// commits are the revisions that a plan measures, by side.
func commits(p plan.Plan) map[string]string {
	if p.Kind == plan.Pull {
		return map[string]string{"base": p.Base, "head": p.Revision}
	}
	return map[string]string{"": p.Revision}
}

// slots lists the scenarios and rounds of a job of a workload with this many rounds.
func slots(p plan.Plan, workload string, rounds int) (all []slot) {
	scenarios := strings.Split(p.Scenarios[workload], ",")
	if p.Kind == plan.Pull {
		scenarios = []string{record.Compare}
	}
	for _, scenario := range scenarios {
		for round := 1; round <= rounds; round++ {
			all = append(all, slot{scenario, round})
		}
	}
	return all
}

// missing lists planned work without records: whole jobs, and scenarios and rounds of other jobs. A comparison and a leaderboard
// run may end early, so only gaps before its last round count.
func missing(p plan.Plan, result Result) (lines []string) {
	for _, server := range p.Servers {
		lines = append(lines, lacking(p, server.Workload, server.Dotted(), result.Records[server.Dotted()], p.Rounds, p.Kind == plan.Pull)...)
	}
	for _, name := range p.Leaderboards() {
		lines = append(lines, lacking(p, name, plan.LeaderboardRun(name), result.Leaderboards[name], p.Leaderboard, true)...)
	}
	for _, comparison := range p.Comparisons { // a plan does not require a confirmation
		of := p.OfComparison(comparison)
		lines = append(lines, lacking(of, comparison.Workload, plan.ComparisonRun(comparison.Server), result.Comparisons[plan.ComparisonRun(comparison.Server)], of.Rounds, true)...)
	}
	if p.Trials && len(result.Trials) == 0 {
		lines = append(lines, plan.TrialRun)
	}
	return lines
}

// lacking lists the missing scenarios and rounds of a job.
func lacking(p plan.Plan, workload, job string, records []record.Record, rounds int, early bool) (lines []string) {
	have, last := map[slot]bool{}, 0
	for _, r := range records {
		have[of(p, r)], last = true, max(last, r.Round)
	}
	if len(have) == 0 {
		return []string{job}
	}
	if early {
		rounds = last
	}
	for _, s := range slots(p, workload, rounds) {
		if !have[s] {
			lines = append(lines, job+": "+s.String())
		}
	}
	return lines
}
