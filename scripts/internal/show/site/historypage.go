package site

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/show/report"
)

// chartFile has the points that github-action-benchmark compares, if there are any.
const chartFile = "charts/data.js"

// historyPage begins with the newest event. The picture is of its server and metric.
func (p *part) historyPage(root, home string) page.History {
	v := page.History{
		Title: "No commit has been measured yet", Commits: p.commitsFile, Series: p.series,
		Events: p.eventTable("Events, the newest first", p.verdicts.events, home),
	}
	if len(p.verdicts.events) > 0 {
		v.More = append(v.More, page.Link{Text: "events as JSON", Href: root + p.manifest.Events})
	}
	if p.facts.Files != nil {
		if _, err := fs.Stat(p.facts.Files, chartFile); err == nil {
			v.More = append(v.More, page.Link{Text: "points of github-action-benchmark", Href: root + chartFile})
		}
	}
	chosen, ok := p.firstTrend()
	if !ok {
		if year, drawn := report.YearPicture(p.facts.Releases); drawn {
			v.Year, v.Lead = &year, "Until then, this is a year of releases. Each point is a release, compared with the first of its row in the same minutes."
		}
		return v
	}
	server := chosen.server
	picture := chosen.picture(server, chosen.tracks())
	v.Picture = &picture
	v.Title, v.Lead = p.newest(), fmt.Sprintf("%s, %s.", p.counted(), Many(len(p.verdicts.events), "event"))
	v.Caption = chosen.caption()
	v.Files = []page.Link{
		{Text: "JSON", Href: chosen.scenario + "/" + chosen.metric.Name + ".json"},
		{Text: "picture", Href: chosen.scenario + "/" + chosen.metric.Name + "/" + server + ".svg"},
	}
	v.Notes = []string{
		"A point is a commit. A line is the median between two events. Its shade holds 95 % of the runs of unchanged code. A thin line is another server.",
		"A dashed line is another machine or rig. Figures before and after it are not comparable. Only a comparison finds an event, never two points.",
	}
	for _, m := range metricForms(p.workload) {
		if p.hasMetric(m.Name) {
			v.Metrics = append(v.Metrics, page.Choice{Value: m.Name, Text: m.Label, Scale: m.Scale, Better: better[m.Better], Chosen: m.Name == chosen.metric.Name})
		}
	}
	for _, s := range sortedKeys(p.series, byLoad(p.workload)) {
		v.Scenarios = append(v.Scenarios, page.Choice{Value: s, Text: s, Chosen: s == chosen.scenario})
	}
	for _, s := range p.servers {
		if s.Last >= 0 {
			v.Servers = append(v.Servers, page.Choice{Value: s.Name, Text: s.Name, Chosen: s.Name == server})
		}
	}
	return v
}

func (p *part) hasMetric(name string) bool {
	for _, of := range p.series {
		if slices.Contains(of, name) {
			return true
		}
	}
	return false
}

// caption says what the axis is.
func (t trend) caption() string {
	text := fmt.Sprintf("%s in %s", labelOf(t.metric), t.scenario)
	if says := better[t.metric.Better]; says != "" {
		text += ", " + says
	}
	return text
}

// better says where the better figures are.
var better = map[string]string{"higher": "up is better", "lower": "down is better"}

// newest is the title of the history: its newest event.
func (p *part) newest() string {
	switch {
	case !p.hasMain():
		return "Your own runs"
	case len(p.verdicts.events) == 0:
		return "No server has changed"
	}
	e := p.verdicts.events[0]
	text := e.Server + " fails"
	if c, ok := e.main(); ok {
		cell := asCell(p.workload, e.Server, c)
		text = fmt.Sprintf("%s: %s %s", e.Server, labelOf(cell.Metric), typeset(answer.Change(cell)))
	}
	if e.Time != nil {
		text += e.Time.UTC().Format(" on 2 Jan")
	}
	switch state := p.stateCell(e, ""); {
	case e.Fixed != nil:
		text += ", fixed since"
	case e.Verdict == string(verdict.Regressed):
		text += ", " + strings.Split(state.Text, ",")[0]
	}
	return text
}
