package rank

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// None stands for what cannot be: a rank of a server that has none.
const None = "-"

// Place is a server's rank as text.
func (r Ranking) Place(s Ranked) string {
	switch {
	case s.Best == 0:
		return None
	case r.Rounds < 2:
		return Unknown
	case s.Best == s.Worst:
		return fmt.Sprint(s.Best)
	}
	return fmt.Sprintf("%d-%d", s.Best, s.Worst)
}

// Tie says when servers of the ranking are tied.
func (r Ranking) Tie() string {
	if r.Rounds < 2 {
		return "One round: the order is as it was seen, and no rank is given, since nothing says how much of it is chance."
	}
	return fmt.Sprintf("Less than %.1f %% apart in the mean of the rounds is a tie; the rank is then a range.", r.ApartPct)
}

// TieRule explains Tie.
const TieRule = "Two servers are tied when they differ by no more than what is left between the rounds once each server's and each round's mean is taken away " +
	"(Student's t over all pairs of servers, 5 % risk that any two equal ones are told apart). Only differences within a round count, and the order and the ratios are those of geometric means over the rounds, not of the medians shown."

// words are those that tell one ranking from another.
type words struct{ does, did, first, degree, last string }

var (
	cheapest = words{"takes", "took", "the least CPU for a stream", "least", "the most"}
	fastest  = words{"serves", "served", "the most streams per second", "most", "the fewest"}
)

// Sentence is the ranking in a line, for people; "" where there is none.
func (r Ranking) Sentence() string {
	if !r.Is() {
		return ""
	}
	if better(r.Column) == "higher" {
		return r.sentence(fastest)
	}
	return r.sentence(cheapest)
}

func unit(c workload.Column) string {
	m, _ := record.Find(c.Metric)
	return m.Unit
}

// sentence is the ranking in a line: the first, who is tied with it, the last.
func (r Ranking) sentence(w words) string {
	one, end := r.Ranked[0], r.Ranked[len(r.Ranked)-1]
	figure := r.Column.Text(one.Figure.Mid) + " " + unit(r.Column)
	var tied []string
	for _, s := range r.Ranked[1:] {
		if s.Best == 1 {
			tied = append(tied, s.Target)
		}
	}
	var b strings.Builder
	switch {
	case r.Rounds < 2:
		fmt.Fprintf(&b, "In %s, in the one round, %s %s %s (%s)", r.Scenario, one.Target, w.did, w.first, figure)
	case len(tied) == len(r.Ranked)-1:
		return fmt.Sprintf("In %s no server is told apart from %s, which %s the %s (%s)%s.", r.Scenario, one.Target, w.did, w.degree, figure, r.lacks())
	default:
		fmt.Fprintf(&b, "In %s %s %s %s (%s)", r.Scenario, one.Target, w.does, w.first, figure)
		if tied != nil {
			fmt.Fprintf(&b, ", tied with %s", strings.Join(tied, ", "))
		}
	}
	fmt.Fprintf(&b, "; %s %s (%s, x%.2f)%s.", end.Target, w.last, r.Column.Text(end.Figure.Mid), end.Ratio, r.lacks())
	return b.String()
}

// lacks names the servers without a rank.
func (r Ranking) lacks() string {
	var names []string
	for _, s := range r.Left {
		names = append(names, s.Target)
	}
	if names == nil {
		return ""
	}
	return "; without a rank, since streams failed or rounds are missing: " + strings.Join(names, ", ")
}
