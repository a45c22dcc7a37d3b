package rank

import (
	"fmt"
	"math"
	"strings"

	"fairstream/scripts/internal/workload"
)

// None stands in text where no value is possible, such as the rank of a server without one.
const None = "-"

// Place is a server's rank, or its range of ranks, as text.
func (r Ranking) Place(s Ranked) string {
	switch {
	case s.Best == 0:
		return None
	case r.Rounds < LeastRounds:
		return Unknown
	case s.Best == s.Worst:
		return fmt.Sprint(s.Best)
	}
	return fmt.Sprintf("%d-%d", s.Best, s.Worst)
}

// Tie explains in one sentence which servers are tied, or why there are no ranks.
func (r Ranking) Tie() string {
	if r.Rounds < LeastRounds {
		return "Fewer than three rounds: no ranks, since nothing shows how much of the order is chance."
	}
	text := fmt.Sprintf("Tied servers share a range of ranks. In the median pair these are servers less than %.1f %% apart.", r.ApartPct)
	if len(r.Open()) > 0 {
		text += fmt.Sprintf(" Twice as many rounds would make it about %.1f %%.", r.ApartPct/math.Sqrt2)
	}
	if r.StartsPct >= 50 {
		text += fmt.Sprintf(" Starts of servers cause %.0f %% of the noise, so longer rounds would help less.", r.StartsPct)
	}
	return text
}

// TieRule explains Tie in detail.
const TieRule = "Two servers are tied when noise between the rounds explains their difference. The noise of a server is what remains after its mean and those of the rounds. It counts together with the usual noise of all servers. The test is Tukey's, for all pairs of servers at once. " +
	"The risk that any two equal servers get different ranks is 5 %. A round does not count where others disturbed it more than the rest."

// words describe the first and the last server of a ranking.
type words struct{ does, did, first, degree, last string }

func (r Ranking) words() words {
	if r.Column == workload.PeakRSS {
		return words{"holds", "held", "the least memory", "least", "the most"}
	}
	if r.metric().Better == "higher" {
		return words{"serves", "served", "the most " + r.Workload.Unit + "s per second", "most", "the fewest"}
	}
	return words{"takes", "took", "the least CPU for a " + r.Workload.CostOf, "least", "the most"}
}

// Sentence summarises the ranking in one line for people; "" without ranks.
func (r Ranking) Sentence() string {
	if !r.HasRanks() {
		return ""
	}
	return r.sentence(r.words())
}

// sentence names the first server, the servers tied with it, and the last.
func (r Ranking) sentence(w words) string {
	one, end := r.Ranked[0], r.Ranked[len(r.Ranked)-1]
	figure := r.Figure(one)
	var tied []string
	for _, s := range r.Ranked[1:] {
		if s.Best == 1 {
			tied = append(tied, s.Target)
		}
	}
	var b strings.Builder
	switch {
	case r.Rounds < LeastRounds:
		fmt.Fprintf(&b, "In %s, in too few rounds for ranks, %s %s %s (%s)", r.Scenario, one.Target, w.did, w.first, figure)
	case len(tied) == len(r.Ranked)-1:
		return fmt.Sprintf("In %s all servers are tied with %s, which %s the %s (%s)%s.", r.Scenario, one.Target, w.did, w.degree, figure, r.unrankedNote())
	default:
		fmt.Fprintf(&b, "In %s %s %s %s (%s)", r.Scenario, one.Target, w.does, w.first, figure)
		if tied != nil {
			fmt.Fprintf(&b, ", tied with %s", strings.Join(tied, ", "))
		}
	}
	fmt.Fprintf(&b, "; %s %s (%s, x%.2f)%s.", end.Target, w.last, r.Column.Text(end.Figure.Mid), end.Ratio, r.unrankedNote())
	return b.String()
}

// Figure is a server's figure with its unit, as text.
func (r Ranking) Figure(s Ranked) string { return r.Column.Text(s.Figure.Mid) + " " + r.unit() }

// unit is that of the figures as shown.
func (r Ranking) unit() string {
	if r.Column == workload.PeakRSS {
		return "MB"
	}
	return r.metric().Unit
}

// unrankedNote lists the servers without a rank.
func (r Ranking) unrankedNote() string {
	var names []string
	for _, s := range r.Unranked {
		names = append(names, s.Target)
	}
	if names == nil {
		return ""
	}
	return "; no rank, because " + r.Workload.Unit + "s failed or rounds are missing: " + strings.Join(names, ", ")
}
