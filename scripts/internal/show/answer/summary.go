package answer

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A Summary has a row for each target: the figures that rank it, the latency that decides comparisons, and what a start and
// a deployment take. Servers are in the order of their cost, and direct comes last.
type Summary struct {
	Targets []Target
	Columns []SummaryColumn
}

// A Target is a server, or direct.
type Target struct {
	Name, Language string
	Warning        bool
	Reference      bool // it is direct
}

// A SummaryColumn is a metric in a scenario, with a figure of each target.
type SummaryColumn struct {
	Scenario string // "": it is the same in all
	Metric   record.Metric
	Column   workload.Column
	Ranking  *rank.Ranking // nil: the column ranks nothing
	Figures  []rank.Figure
}

// Rankings are those of a run, in the order of the answers.
func Rankings(records []record.Record) (all []rank.Ranking) {
	for _, q := range questions {
		all = append(all, q.of(records))
	}
	return all
}

// Summarize leaves out columns without a figure.
func Summarize(records []record.Record) Summary {
	var s Summary
	w, ranks := rank.WorkloadOf(records), Rankings(records)
	names := record.Servers(records)
	if cost := ranks[0]; cost.HasRanks() {
		names = nil
		for _, one := range slices.Concat(cost.Ranked, cost.Unranked) {
			names = append(names, one.Target)
		}
	}
	names = append(names, record.Distinct(record.Filter(records, func(r record.Record) bool { return !r.OfServer() }), record.Record.Target)...)
	for _, name := range names {
		of := record.OfTarget(records, name)
		s.Targets = append(s.Targets, Target{name, of[0].Server.Language, rank.HasWarning(of), !of[0].OfServer()})
	}
	add := func(scenario string, c workload.Column, r *rank.Ranking) {
		of := record.OfScenario(records, scenario)
		if len(record.MetricValues(of, c.Metric)) == 0 {
			return
		}
		m, _ := record.FindIn(w.Name, c.Metric)
		column := SummaryColumn{Scenario: scenario, Metric: m, Column: c, Ranking: r}
		for _, name := range names {
			column.Figures = append(column.Figures, rank.NewFigure(record.OfTarget(of, name), c.Metric))
		}
		s.Columns = append(s.Columns, column)
	}
	var scenario string
	for i, r := range ranks {
		if r.Scenario == "" {
			continue
		}
		scenario = r.Scenario
		if r.HasRanks() && !records[0].Run.Quick {
			add(scenario, r.Column, &ranks[i])
		} else {
			add(scenario, r.Column, nil)
		}
	}
	for _, c := range w.Criteria {
		columns := w.Columns(c.Scenario)
		if i := slices.IndexFunc(columns, func(of workload.Column) bool { return of.Metric == c.Metric }); c.Decides == "latency" && i >= 0 {
			add(c.Scenario, columns[i], nil)
		}
	}
	for _, c := range []workload.Column{workload.FirstAnswer, workload.Deployed} {
		add(scenario, c, nil)
	}
	for i, c := range s.Columns { // of the process, whatever its load
		if c.Column == workload.FirstAnswer || c.Column == workload.Deployed {
			s.Columns[i].Scenario = ""
		}
	}
	return s
}

// Text is the figure of a target.
func (c SummaryColumn) Text(t Target, i int) string {
	if c.Figures[i].Rounds == 0 && t.Reference {
		return rank.None
	}
	return c.Figures[i].Text(c.Column)
}

// Place is the rank of a target, or a range of ranks.
func (c SummaryColumn) Place(t Target) string {
	for _, s := range c.Ranking.Ranked {
		if s.Target == t.Name {
			return c.Ranking.Place(s)
		}
	}
	return rank.None
}

// Times is a figure as a multiple of the best one; "" if there is no best, or it is the best itself.
func (c SummaryColumn) Times(t Target, i int, targets []Target) (text string, best bool) {
	first, ok := c.best(targets)
	f := c.Figures[i]
	switch {
	case !ok || f.Rounds == 0 || t.Reference:
		return "", false
	case f.Mid == first:
		return "", true
	case first <= 0:
		return "", false
	}
	return times(f.Mid/first) + "×", false
}

// best is the best figure of the servers.
func (c SummaryColumn) best(targets []Target) (first float64, ok bool) {
	for i, f := range c.Figures {
		if f.Rounds == 0 || targets[i].Reference || c.Metric.Better == "" || record.Absolute(c.Metric.Name) {
			continue
		}
		if !ok || (f.Mid < first) == (c.Metric.Better == "lower") {
			first, ok = f.Mid, true
		}
	}
	return first, ok
}

// Subject names the workload, the servers, the rounds, the machine and the time.
func Subject(records []record.Record) string {
	text := fmt.Sprintf("%s, %s, %s", Loaded(records), Machine(records[0]), Began(records[0]))
	if records[0].Run.Quick {
		text += ". " + Shortened
	}
	return text
}

// Began is the begin of a record.
func Began(r record.Record) string { return r.Started.UTC().Format("2006-01-02 15:04 UTC") }

// Loaded names the workload, the servers and the rounds.
func Loaded(records []record.Record) string {
	servers := "1 server"
	if n := len(record.Servers(records)); n != 1 {
		servers = fmt.Sprintf("%d servers", n)
	}
	rounds := "1 round"
	if n := Rounds(records); n != 1 {
		rounds = fmt.Sprintf("%d rounds", n)
	}
	return fmt.Sprintf("%s: %s, %s", records[0].Workload, servers, rounds)
}
