package report

import (
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/record"
)

// rankings are the tables that answer which server to take, with the sentences
// that say it; empty when nothing was ranked.
func rankings(records []record.Record) (sentences []string, tables []table) {
	t, r, ok := costRanking(records)
	if ok {
		tables = append(tables, t)
		sentences = append(sentences, r.sentence(cheapest))
	} else if r.why != "" {
		sentences = append(sentences, fmt.Sprintf("Cost is not ranked: %s.", r.why))
	}
	t, r, ok = throughputRanking(records)
	if ok {
		tables = append(tables, t)
		sentences = append(sentences, r.sentence(fastest))
	} else if r.why != "" {
		sentences = append(sentences, fmt.Sprintf("Throughput is not ranked: %s.", r.why))
	}
	if n := len(only(records, func(r record.Record) bool { return r.Status != record.OK })); n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s %d of %d records are suspect or invalid; the reasons stand below the tables.", mark, n, len(records)))
	}
	return sentences, tables
}

// words are those that tell one ranking from another.
type words struct{ does, did, first, degree, last string }

var (
	cheapest = words{"takes", "took", "the least CPU for a stream", "least", "the most"}
	fastest  = words{"serves", "served", "the most streams per second", "most", "the fewest"}
)

// sentence is the ranking in a line: the first, who is tied with it, the last.
func (r ranking) sentence(w words) string {
	one, end := r.ranked[0], r.ranked[len(r.ranked)-1]
	figure := r.column.text(one.figure.mid) + " " + r.column.means().Unit
	var tied []string
	for _, s := range r.ranked[1:] {
		if s.best == 1 {
			tied = append(tied, s.target)
		}
	}
	var b strings.Builder
	switch {
	case r.rounds < 2:
		fmt.Fprintf(&b, "In %s, in the one round, %s %s %s (%s)", r.scenario, one.target, w.did, w.first, figure)
	case len(tied) == len(r.ranked)-1:
		return fmt.Sprintf("In %s no server is told apart from %s, which %s the %s (%s)%s.", r.scenario, one.target, w.did, w.degree, figure, r.lacks())
	default:
		fmt.Fprintf(&b, "In %s %s %s %s (%s)", r.scenario, one.target, w.does, w.first, figure)
		if tied != nil {
			fmt.Fprintf(&b, ", tied with %s", strings.Join(tied, ", "))
		}
	}
	fmt.Fprintf(&b, "; %s %s (%s, x%.2f)%s.", end.target, w.last, r.column.text(end.figure.mid), end.ratio, r.lacks())
	return b.String()
}

// lacks names the servers without a rank.
func (r ranking) lacks() string {
	var names []string
	for _, s := range r.left {
		names = append(names, s.target)
	}
	if names == nil {
		return ""
	}
	return "; without a rank, since streams failed or rounds are missing: " + strings.Join(names, ", ")
}

// tables are those of all scenarios.
func tables(records []record.Record) []table {
	var all []table
	for _, scenario := range scenarios(records) {
		all = append(all, scenarioTable(records, scenario))
	}
	return all
}
