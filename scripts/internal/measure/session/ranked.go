package session

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/show/report"
)

// untilRanked loads round after round until every pair of servers is apart or the same, in cost and in throughput, or
// until the limit. Disturbed rounds are measured again. After the first round it prints a first table. One server, and quick
// and solo runs, have no ranks, so they load as often as the options say.
func (s *Session) untilRanked(servers int) Rounds {
	if s.Quick || s.Solo || servers < 2 {
		return Rounds{}
	}
	most := verdict.MostDiscarded(s.Rounds)
	said := map[int]bool{}
	return Rounds{Repeats: most, Enough: func(round int) (load.Decision, error) {
		records, _, _, err := record.FromRaw(s.Dir)
		if err != nil {
			return load.Decision{}, err
		}
		p := progressOf(records, round, s.Rounds, most)
		for _, round := range slices.Sorted(maps.Keys(p.disturbed)) {
			if !said[round] {
				said[round] = true
				fmt.Fprintf(os.Stderr, "run: round %d is disturbed and measured again: %s\n", round, p.disturbed[round])
			}
		}
		switch {
		case p.Done && p.ranked:
			fmt.Fprintf(os.Stderr, "run: %s\n", p.end())
		case round == 1 && p.ranked:
			fmt.Fprintf(os.Stderr, "run: provisional, after round 1 of %d; ranks follow:\n", s.Rounds)
			err = report.WriteRanks(os.Stderr, records)
		}
		return p.Decision, err
	}}
}

// A progress says how far a ranking is after some rounds.
type progress struct {
	load.Decision
	rounds    int // that count
	limit     int
	ranked    bool           // some servers have ranks, and no ranking lacks them
	open      []string       // pairs, with what they are ranked by
	disturbed map[int]string // rounds, with the reason
}

// progressOf judges the records of all rounds so far.
func progressOf(records []record.Record, round, planned, most int) (p progress) {
	p.disturbed = map[int]string{}
	lacks := false
	for _, r := range []rank.Ranking{rank.Cost(records), rank.Throughput(records)} {
		p.ranked, lacks = p.ranked || r.HasRanks(), lacks || r.Why != ""
		maps.Copy(p.disturbed, r.DisturbedRounds(records))
		for _, pair := range r.Open() {
			p.open = append(p.open, fmt.Sprintf("%s and %s in %s", pair[0], pair[1], r.Scenario))
		}
	}
	p.Discarded, p.rounds, p.limit = len(p.disturbed), round-len(p.disturbed), planned
	p.ranked = p.ranked && !lacks
	p.Done = round >= planned+min(p.Discarded, most) || p.ranked && len(p.open) == 0 && p.rounds >= rank.LeastRounds
	return p
}

// mostNamed pairs are named.
const mostNamed = 3

// end says why a ranking ended.
func (p progress) end() string {
	if len(p.open) == 0 {
		return fmt.Sprintf("all pairs of servers are apart, or differ by less than %d %%, after %d rounds", rank.SamePct, p.rounds)
	}
	named := slices.Clone(p.open[:min(len(p.open), mostNamed)])
	if more := len(p.open) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%d rounds are the limit; neither apart nor within %d %% are %s; -rounds %d would say more",
		p.limit, rank.SamePct, strings.Join(named, ", "), 2*p.limit)
}
