package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/svg"
)

// mostComparisons is how many of main have a page.
const mostComparisons = 50

// A compared is a comparison that has a page.
type compared struct {
	dir   string // below that of the workload
	run   string // its records are runs/RUN.jsonl.gz; "": they are not on the site
	text  string // server and commits
	begin time.Time
	says  string // the verdicts in a sentence
	class string
	own   bool // on somebody's own machine
	view  page.Comparison
}

// when is its begin.
func (c compared) when() string {
	if c.begin.IsZero() {
		return "unknown"
	}
	return c.begin.UTC().Format("2006-01-02 15:04 UTC")
}

// isComparison reports whether records are of base and head.
func isComparison(records []record.Record) bool {
	return slices.ContainsFunc(records, func(r record.Record) bool { return r.Server.Side != "" })
}

// countingIn reports whether a record of a comparison is of a round that the answers rest on.
func countingIn(records []record.Record, answers []verdict.Answer) func(record.Record) bool {
	counts := verdict.RoundFilter(records, answers)
	return func(r record.Record) bool { return counts(r.Server.Name, r.Round) }
}

// comparisonOf is a comparison as a page, without links to other pages. Functions are those that were sampled after it.
func comparisonOf(records []record.Record, answers []verdict.Answer, functions ...where.File) page.Comparison {
	var v page.Comparison
	if records[0].Run.Quick {
		v.Notices = []string{answer.Shortened}
	}
	comparisons := verdict.Comparisons(records)
	for _, a := range answers {
		i := slices.IndexFunc(comparisons, func(c verdict.Comparison) bool { return c.Server == a.Server })
		if i < 0 {
			continue
		}
		about := a.ID().String()
		if a.Bump {
			about += " · " + answer.Plain(a.Packages[0])
		}
		if !comparisons[i].Releases {
			about += fmt.Sprintf(" · head%s against base%s", sideOf(records, a.Server, "head"), sideOf(records, a.Server, "base"))
		}
		about += records[0].Started.UTC().Format(" · 2 Jan 2006 15:04 UTC")
		one := verdictOf(a, about, comparisons[i].CountedRounds(a))
		for _, f := range functions {
			if f.Server == a.Server {
				of := functionsOf(f, "Which function did it")
				one.Functions = &of
			}
		}
		v.Servers = append(v.Servers, one)
	}
	return v
}

// verdictOf is an answer as a part of a page.
func verdictOf(a verdict.Answer, about string, counted []verdict.Round) page.Verdict {
	says, rest := answer.Parts(a)
	v := page.Verdict{
		ID: "verdict-" + a.Server, About: about, Says: says, Sentence: typeset(rest),
		Detail: strings.TrimSpace(roundsText(a) + " " + answer.Plain(answer.LoadSentence(a))), Todo: todo(a),
	}
	if v.Class, v.Mark = classOf(a.Verdict); len(a.OverLimit()) > 0 {
		v.Class, v.Mark = classOf(verdict.Regressed)
	}
	for _, why := range a.Discarded {
		v.Discarded = append(v.Discarded, answer.Plain(why))
	}
	groups := answer.Groups(a)
	far := svg.Limit(report.VerdictGroups(groups), report.FarthestPct)
	for _, g := range groups {
		of := page.Group{Title: g.Title, Class: g.Class}
		for _, c := range g.Cells {
			of.Changes = append(of.Changes, changeOf(c, g.Class, far, counted))
		}
		v.Groups = append(v.Groups, of)
	}
	if far > 0 {
		v.Axis = fmt.Sprintf("The axis goes %s to both sides.", percent(far))
	}
	if rows, more := answer.RequestRows(a); len(rows) > 0 {
		v.Requests, v.More = requestTable(rows), answer.MoreRequests(more)
	}
	if rows, more := answer.OutcomeRows(a); len(rows) > 0 {
		v.Outcomes, v.MoreOutcomes = outcomeTable(rows), answer.MoreOutcomes(more)
	}
	return v
}

func percent(v float64) string { return answer.Spelt(v, 3) + " %" }

func roundsText(a verdict.Answer) string {
	if len(a.Cells) == 0 {
		return ""
	}
	text := Many(a.Rounds, "round") + " count."
	if a.Rounds == 1 {
		text = "1 round counts."
	}
	if n := len(a.Discarded); n > 0 {
		text += fmt.Sprintf(" Disturbed and left out: %d.", n)
	}
	if a.Alpha > 0 {
		text += fmt.Sprintf(" The risk of a false alarm is %s per server.", percent(100*a.Alpha))
	}
	return text
}

func classOf(v verdict.Verdict) (class, mark string) {
	switch v {
	case verdict.Regressed:
		return "worse", "▼"
	case verdict.Improved:
		return "better", "▲"
	case verdict.Inconclusive, verdict.NotMeasured:
		return "leaning", "?"
	}
	return "quiet", "="
}

// todo is what a reader can do about a verdict.
func todo(a verdict.Answer) []string {
	if a.Verdict != verdict.Regressed {
		return nil
	}
	endpoint := ""
	if len(a.Requests) > 0 { // those that changed come first
		endpoint = fmt.Sprintf(" With `-endpoint '%s'` it shows how long such requests took on both sides.", answer.Plain(a.Requests[0].Name))
	}
	return []string{
		"`scripts/bench compare -confirm` measures a regression twice, and `-bisect` finds its commit." + endpoint,
		"`scripts/bench replay FILE` judges the records again, on any machine.",
		"A comment `/benchmark SHA` under the pull request measures again.",
		"A file in gh-pages/accepted accepts the regression, with a reason. Its README has the form.",
	}
}

func changeOf(c verdict.Cell, class string, far float64, counted []verdict.Round) page.Change {
	r := answer.NewRow(c)
	where := c.Scenario
	if c.Criterion.Decides != "" {
		where += " · decides"
	}
	v := page.Change{
		Name: labelOf(c.Metric), Where: where, Figures: cmp.Or(r.Base, "unknown") + " → " + cmp.Or(r.Head, "unknown"),
		Text: typeset(r.Change), Interval: typeset(r.Interval), Says: r.Result,
	}
	if change, ok := report.PictureOf(c, roundsOf(c, counted)); ok && far > 0 {
		strip := svg.Strip(far, class, change)
		v.Strip = &strip
	}
	return v
}

// roundsOf are the changes of a cell in each round that counts, as shares of base.
func roundsOf(c verdict.Cell, counted []verdict.Round) (all []float64) {
	for _, r := range counted {
		if at, known := r.Figures(c.Criterion); known {
			if change := at[1]/at[0] - 1; !math.IsNaN(change) && !math.IsInf(change, 0) {
				all = append(all, change)
			}
		}
	}
	return all
}

func requestTable(rows []answer.RequestRow) page.Table {
	t := page.Table{Caption: "Latency by request", Head: []page.Head{
		{Label: "request"}, {Label: "of the time"}, {Label: "metric", Words: true}, {Label: "base"}, {Label: "head"}, {Label: "change"}, {Label: "95 % interval"}, {Label: "result", Words: true},
	}}
	for _, r := range rows {
		t.Rows = append(t.Rows, page.Row{Name: page.Link{Text: r.Name}, Cells: []page.Cell{
			{Text: r.Share}, {Text: r.Metric, Class: "words"}, {Text: r.Base}, {Text: r.Head}, {Text: typeset(r.Change)}, {Text: typeset(r.Interval)}, {Text: r.Result, Class: "words"},
		}})
	}
	return t
}

// flameWidth is that of a page's column, in pixels.
const flameWidth = 940

// functionsOf are the functions of a server, with their flame graph.
func functionsOf(f where.File, title string) page.Functions {
	found := f.Found()
	caption := "A bar is a function with all that it calls, as wide as its time for one " + f.Unit + ". Bars below it are what it calls."
	if !found.Alone {
		caption += " Red takes more at head, green less."
	}
	return page.Functions{
		Title: title, Note: answer.FunctionsSentence(found), Caption: caption, Table: functionTable(found),
		Flame: svg.Flame(flameWidth, framesOf(where.Tree(f.Rounds)), f.Unit),
	}
}

// framesOf is a tree of functions as its picture takes it.
func framesOf(n where.Node) svg.Frame {
	f := svg.Frame{Name: n.Name, Base: n.Base, Head: n.Head}
	for _, below := range n.Below {
		f.Below = append(f.Below, framesOf(below))
	}
	return f
}

func functionTable(f where.Found) page.Table {
	t := page.Table{Caption: "Functions", Head: []page.Head{{Label: "function"}}}
	for _, label := range answer.FunctionColumns(f) {
		t.Head = append(t.Head, page.Head{Label: label})
	}
	for _, r := range answer.FunctionRows(f) {
		row := page.Row{Name: page.Link{Text: r.Name}}
		for _, text := range r.Cells {
			row.Cells = append(row.Cells, page.Cell{Text: typeset(text)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func outcomeTable(rows []answer.OutcomeRow) page.Table {
	t := page.Table{Caption: "Checks and thresholds of the script", Head: []page.Head{{Label: "name"}, {Label: "base", Words: true}, {Label: "head", Words: true}}}
	for _, r := range rows {
		t.Rows = append(t.Rows, page.Row{Name: page.Link{Text: r.Name}, Cells: []page.Cell{{Text: r.Base, Class: "words"}, {Text: r.Head, Class: "words"}}})
	}
	return t
}

// sideOf is the commit that one side of a server was built from; "" of a changed working copy.
func sideOf(records []record.Record, server, side string) string {
	for _, r := range records {
		if r.Server.Name == server && r.Server.Side == side && r.Server.Commit != nil {
			return fmt.Sprintf(" %.10s", *r.Server.Commit)
		}
	}
	return ""
}

// saysOf is the verdicts of a comparison in a sentence, with the class of the most urgent.
func saysOf(answers []verdict.Answer) (says, class string) {
	var all []string
	for _, a := range slices.SortedFunc(slices.Values(answers), answer.ByUrgency) {
		text := answer.Plain(answer.Headline(a))
		if len(answers) > 1 {
			text = a.Server + " " + text
		}
		if all = append(all, typeset(text)); class == "" {
			class, _ = classOf(a.Verdict)
		}
	}
	return strings.Join(all, "; "), class
}

// comparisonOfEvent is a comparison of main: its file has the cells, and no rounds.
func (p *part) comparisonOfEvent(f verdict.Event, path string, begin time.Time) compared {
	a := verdict.Answer{Workload: f.Workload, Server: f.Server, Verdict: f.Verdict, Rounds: f.Rounds, Alpha: verdict.Alpha, Done: true}
	for _, c := range f.Cells {
		a.Cells = append(a.Cells, asCell(p.workload, f.Server, c))
	}
	if len(a.Cells) == 0 {
		a.Why = "there are no figures"
		if f.Verdict == verdict.Regressed {
			a.Why = "head fails, base does not"
		}
	}
	name := current(f.Server, p.facts.Renamed[f.Workload])
	about := fmt.Sprintf("%s · head %.10s against base %.10s", name, f.Head, f.Base)
	if !begin.IsZero() {
		about += begin.UTC().Format(" · 2 Jan 2006 15:04 UTC")
	}
	says, class := saysOf([]verdict.Answer{a})
	c := compared{
		dir: "comparisons/" + path + "." + f.Server + "/", text: fmt.Sprintf("%s, %.10s against %.10s", name, f.Head, f.Base), begin: begin,
		says: says, class: class,
	}
	v := verdictOf(a, about, nil)
	if f.Discarded > 0 {
		v.Detail += fmt.Sprintf(" Disturbed and left out: %d.", f.Discarded)
	}
	v.Todo = nil // the history has the state of an event of main, and how to accept it
	if f.Verdict == verdict.Regressed && !f.Confirmed {
		v.Detail += " No second comparison confirmed it."
	}
	c.view = page.Comparison{Servers: []page.Verdict{v}}
	if f.Quick {
		c.view.Notices = []string{answer.Shortened}
	}
	return c
}

// comparisonsPage begins with the newest comparison. Those on somebody's own machine come first.
func (p *part) comparisonsPage(home string) page.Comparisons {
	v := page.Comparisons{All: page.Table{
		Caption: "Comparisons, the newest first", Head: []page.Head{{Label: "compared"}, {Label: "when", Words: true}, {Label: "verdict", Words: true}},
	}}
	for i, c := range p.compared {
		if i == 0 {
			newest := p.comparisonPage(c, home)
			v.Newest = &newest
		}
		v.All.Rows = append(v.All.Rows, page.Row{Name: page.Link{Text: c.text, Href: home + c.dir}, Cells: []page.Cell{
			{Text: c.when(), Class: "words"}, {Text: c.says, Class: "words " + c.class},
		}})
	}
	return v
}

// comparisonPage is the page of one comparison.
func (p *part) comparisonPage(c compared, home string) page.Comparison {
	v := c.view
	v.Title = "Comparison of " + c.text
	if c.run != "" {
		v.Files = []page.Link{{Text: "all figures, second by second", Href: home + "run/?id=" + c.run}, {Text: "records, gzipped JSON Lines", Href: p.rootOf(home) + "runs/" + c.run + ".jsonl.gz"}}
	}
	return v
}
