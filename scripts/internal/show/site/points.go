package site

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
)

// A served is what a run says of one server.
type served struct {
	workload, language, framework string
	epoch                         string
	cells                         map[string]*cell // by scenario
}

// A cell is a server in a scenario.
type cell struct {
	status  record.Status // the worst
	warned  bool          // a round that counts has a warning
	why     []string
	figures []rank.Figure // of each of trended, of the workload
}

// works says whether it has any figure.
func (s *served) works() bool {
	for _, c := range s.cells {
		if c.status != record.Invalid {
			return true
		}
	}
	return false
}

// at is a metric's point; what is unknown is NaN.
func (c *cell) at(metric int) rank.Figure {
	if c == nil {
		return rank.NewFigure(nil, "")
	}
	return c.figures[metric]
}

// mostWhy and mostText bound what of foreign text is kept: reasons, and runes of each.
const mostWhy, mostText = 5, 300

func cut(text string, runes int) string {
	text = answer.Plain(text)
	if all := []rune(text); len(all) > runes {
		return string(all[:runes]) + "…"
	}
	return text
}

// Many is "1 commit" or "2 commits".
func Many(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

func servedBy(workload string, s raw.Server) *served {
	return &served{workload: workload, language: cut(s.Language, 60), framework: cut(s.Framework, 60)}
}

// pointsOf are the points of a run's records of servers, by server.
func pointsOf(records []record.Record, names epochNames) map[string]*served {
	of := map[string]map[string][]record.Record{}
	all := map[string]*served{}
	for _, r := range records {
		name := r.Server.Name
		if !r.OfServer() {
			continue
		}
		if all[name] == nil {
			all[name], of[name] = servedBy(r.Workload, r.Server), map[string][]record.Record{}
			all[name].cells = map[string]*cell{}
		}
		all[name].epoch = names.of(r)
		of[name][r.Scenario] = append(of[name][r.Scenario], r)
	}
	for name, scenarios := range of {
		for scenario, records := range scenarios {
			all[name].cells[scenario] = cellOf(records)
		}
	}
	return all
}

func cellOf(records []record.Record) *cell {
	c := &cell{status: record.OK}
	for _, r := range records {
		if r.Status == record.Invalid || c.status == record.OK {
			c.status = r.Status
		}
		for _, why := range r.Why {
			if why = cut(why, mostText); len(c.why) < mostWhy && !slices.Contains(c.why, why) {
				c.why = append(c.why, why)
			}
		}
	}
	c.warned = slices.ContainsFunc(rank.CountedRecords(records), func(r record.Record) bool { return r.Status == record.Warning })
	for _, m := range trended[records[0].Workload] {
		c.figures = append(c.figures, rank.NewFigure(records, m.Name))
	}
	return c
}
