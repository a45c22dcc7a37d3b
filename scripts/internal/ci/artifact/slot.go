package artifact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/workload"
)

// A frame holds what the plan asked of a job.
type frame struct {
	plan    plan.Plan
	rounds  int // of the job
	servers []workload.Server
	known   []manifest.Server // as at the plan's revision
}

// frameOf returns the frame of the job that made these records. Several servers mean the leaderboard run, and
// one server means another job.
func frameOf(records []record.Record, p plan.Plan, known []manifest.Server) frame {
	f := frame{plan: p, rounds: p.Rounds, known: known}
	for _, r := range records {
		if s := r.ID(); slices.Contains(p.Servers, s) && !slices.Contains(f.servers, s) {
			f.servers = append(f.servers, s)
		}
	}
	if len(f.servers) > 1 && p.Leaderboard > 0 {
		f.rounds, f.servers = p.Leaderboard, p.Servers
	}
	return f
}

// job is the job's name in the workflow.
func (f frame) job() string {
	if len(f.servers) > 1 {
		return plan.LeaderboardRun
	}
	return f.servers[0].Dotted()
}

// lastRound is the last round that a job can have. A comparison may repeat discarded rounds.
func lastRound(p plan.Plan, rounds int) int {
	if p.Kind == plan.Pull {
		return rounds + verdict.MostDiscarded(rounds)
	}
	return rounds
}

// A slot is a planned k6 run of a job. It gives a record of every target on every level.
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

// slots lists the k6 runs of a job with this many rounds.
func slots(p plan.Plan, rounds int) (all []slot) {
	scenarios := strings.Split(p.Scenarios, ",")
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

// missing lists planned work without records: whole jobs, and k6 runs of other jobs. A comparison may end
// early, so only gaps before its last round count.
func missing(p plan.Plan, result Result) (lines []string) {
	for _, server := range p.Servers {
		lines = append(lines, lacking(p, server.Dotted(), result.Records[server.Dotted()], p.Rounds)...)
	}
	if p.Leaderboard > 0 {
		lines = append(lines, lacking(p, plan.LeaderboardRun, result.Leaderboard, p.Leaderboard)...)
	}
	for _, comparison := range p.Comparisons { // a plan does not require a confirmation
		of := p.OfComparison(comparison)
		lines = append(lines, lacking(of, plan.ComparisonRun(comparison.Server), result.Comparisons[plan.ComparisonRun(comparison.Server)], of.Rounds)...)
	}
	return lines
}

// lacking lists the missing k6 runs of a job.
func lacking(p plan.Plan, job string, records []record.Record, rounds int) (lines []string) {
	have, last := map[slot]bool{}, 0
	for _, r := range records {
		have[of(p, r)], last = true, max(last, r.Round)
	}
	if len(have) == 0 {
		return []string{job}
	}
	if p.Kind == plan.Pull {
		rounds = last
	}
	for _, s := range slots(p, rounds) {
		if !have[s] {
			lines = append(lines, job+": "+s.String())
		}
	}
	return lines
}
