package verdict

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// fails says which sides failed in a round. In a discarded round only a side without any figure
// counts as failed: the machine may lose requests, but it does not end a server or break the
// contract.
func (r Round) fails() (sides [2]bool) {
	for side, fault := range r.Faults {
		sides[side] = r.Dead[side] || fault != "" && len(r.Discarded) == 0
	}
	return sides
}

// Counting are the rounds whose figures are judged: they are not discarded, and no side failed.
func (p Comparison) Counting() []Round {
	rounds := make([]Round, 0, len(p.Rounds))
	for _, r := range p.Rounds {
		if len(r.Discarded) == 0 && r.Faults == [2]string{} {
			rounds = append(rounds, r)
		}
	}
	return rounds
}

// CountedRounds are those that an answer rests on: rounds that its cells are computed from. An answer
// that lists discarded rounds rests on none of them. An answer about failures rests on all rounds
// that the machine did not disturb.
func (p Comparison) CountedRounds(a Answer) []Round {
	switch {
	case len(a.Cells) > 0:
		return p.Counting()[:a.Rounds]
	case len(a.Discarded) > 0:
		return p.Counting()
	}
	return slices.DeleteFunc(slices.Clone(p.Rounds), func(r Round) bool { return len(r.Discarded) > 0 })
}

// RoundFilter returns which records, or other figures of a target, the answers to records rest on:
// those in a round that counts for their server. Figures of direct count in any of these rounds.
func RoundFilter(records []record.Record, answers []Answer) func(server string, round int) bool {
	counted := map[string]map[int]bool{raw.Direct: {}}
	for _, p := range Comparisons(records) {
		i := slices.IndexFunc(answers, func(a Answer) bool { return a.Server == p.Server })
		if i < 0 {
			continue
		}
		counted[p.Server] = map[int]bool{}
		for _, r := range p.CountedRounds(answers[i]) {
			counted[p.Server][r.Round], counted[raw.Direct][r.Round] = true, true
		}
	}
	return func(server string, round int) bool { return counted[server][round] }
}

// faults judges a comparison by failures: a server that fails is worse, whatever its speed. It is
// "" when too few rounds failed. done says that more rounds are needless.
//
// Head has regressed when it is broken, or had no figures in two rounds, and base
// has them; or when rounds in which head alone lost requests are more than chance
// explains: a sign test, with a risk of Alpha of its own. One death decides
// nothing, also where it is all that there is, since the comparison was interrupted. A side that this
// machine could not build for lack of a toolchain ends it without a verdict.
func faults(p Comparison) (verdict Verdict, why string, done bool) {
	var n, alone, dead [2]int
	var broken [2]bool
	var first [2]string
	any := 0
	for _, r := range p.Rounds {
		if r.Lacks != "" {
			return NotMeasured, r.Lacks, true
		}
		fails := r.fails()
		if fails[0] || fails[1] {
			any++
		}
		for side := range fails {
			if r.Dead[side] {
				dead[side]++
			}
			broken[side] = broken[side] || r.Broken[side]
			if !fails[side] {
				continue
			}
			if n[side]++; n[side] == 1 {
				first[side] = r.Faults[side]
			}
			if !fails[1-side] {
				alone[side]++
			}
		}
	}
	gone := [2]bool{broken[0] || dead[0] > 1, broken[1] || dead[1] > 1}
	all := len(p.Rounds)
	what := "head fails, base does not"
	if base := p.FailedChecks[0]; broken[1] && len(base) > 0 {
		what = fmt.Sprintf("head fails what base passes, and base fails %s", strings.Join(base, ", "))
	}
	switch {
	case n == [2]int{}:
		return "", "", false
	case broken[1] && !broken[0] && dead[0] <= 1, dead[1] > 1 && dead[0] == 0, signs(alone[1], alone[0]) <= Alpha:
		return Regressed, fmt.Sprintf("%s: %d of %d rounds: %s", what, n[1], all, first[1]), true
	case gone[0] || gone[1] || any > MostDiscarded(p.Planned):
		why := fmt.Sprintf("base fails in %d and head in %d of %d rounds: %s", n[0], n[1], all, first[1])
		switch {
		case n[1] == 0:
			why = fmt.Sprintf("base fails in %d of %d rounds: %s", n[0], all, first[0])
		case n[0] == 0:
			why = fmt.Sprintf("head fails in %d of %d rounds, too few to rule out the machine as the cause: %s", n[1], all, first[1])
		}
		return NotMeasured, why, true
	}
	return "", "", false
}

// signs is the p value of a sign test: the chance that head is the failing side in as many rounds or
// more, if both sides were as likely to fail.
func signs(head, base int) float64 {
	if head == 0 {
		return 1
	}
	return 1 - distuv.Binomial{N: float64(head + base), P: 0.5}.CDF(float64(head-1))
}

// dead reports whether a record has no figures by its server's own fault: the server was not
// loaded, or no request completed. A disturbed record says nothing about its server.
func dead(r record.Record) bool {
	return r.Status == record.Invalid && len(r.Conditions.Disturbed) == 0
}
