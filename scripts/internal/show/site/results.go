package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/svg"
)

// mostResults is how many runs of all servers have a page.
const mostResults = 50

// A result is a run that loaded all servers in the same minutes.
type result struct {
	*run
	records []record.Record
}

// newestResults are the newest runs of all servers. Somebody's own come first, since they are what was asked for. Then come
// those that were not shortened.
func newestResults(h history, renamed map[string]string) (all []result, err error) {
	for _, p := range h.places {
		for _, r := range p.runs {
			if r.leaderboard {
				all = append(all, result{run: r})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y result) int {
		return cmp.Or(noBeforeYes(x.local == nil, y.local == nil), noBeforeYes(x.quick, y.quick), y.end.Compare(x.end))
	})
	all = all[:min(len(all), mostResults)]
	for i, r := range all {
		records, err := r.leaderboardRecords()
		if err != nil {
			return nil, fmt.Errorf("site: %s: it was read before, and now: %w", r.file(".leaderboard"), err)
		}
		records = slices.Clone(records)
		for i := range records {
			records[i].Server.Name = current(records[i].Server.Name, renamed)
		}
		all[i].records = records
	}
	return all, nil
}

// cardDots is how wide the dots of a card are, in pixels.
const cardDots = 300

// resultsOf is the answer of a run as a page. It has no links to other pages.
func resultsOf(records []record.Record) page.Results {
	counted, _ := rank.Calm(records)
	v := page.Results{Title: title(counted), Lead: answer.Loaded(counted) + ", " + answer.Began(counted[0]), Machine: answer.Machine(counted[0])}
	if counted[0].Run.Quick {
		v.Notices = []string{answer.Shortened}
	}
	cards := report.Cards(counted)
	for _, c := range cards {
		v.Cards = append(v.Cards, page.Card{Question: c.Question, Winners: c.Answer, Sentence: c.Sentence, Picture: svg.Dots(cardDots, c.Question, c.Dots, c.Marks...)})
	}
	if v.Notes = report.Notes(records); len(v.Cards) > 0 {
		v.Notes = slices.Insert(v.Notes, 0, report.DotsMean(cards))
	}
	v.Table, v.Frameworks = summaryOf(counted), frameworksOf(counted)
	return v
}

// frameworksOf is the table of the additions of frameworks to plain servers.
func frameworksOf(records []record.Record) page.Table {
	f := answer.NewFrameworks(records)
	t := page.Table{Caption: f.Note, Head: []page.Head{{}}}
	for _, pair := range f.Pairs {
		t.Head = append(t.Head, page.Head{Label: pair.Server, Note: "/ " + pair.Plain})
	}
	for _, r := range f.Rows {
		row := page.Row{Name: page.Link{Text: r.Label}}
		for _, a := range r.Added {
			row.Cells = append(row.Cells, page.Cell{Text: a.Figure, Note: a.Note, Class: "figure-cell"})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// title answers all questions in one sentence.
func title(records []record.Record) string {
	if records[0].Run.Quick {
		return fmt.Sprintf("A shortened run of %s ranks nothing", records[0].Workload)
	}
	switch text := answer.Answers(answer.Places(records)); {
	case text != "":
		return text
	case len(report.Cards(records)) > 0:
		return fmt.Sprintf("Too few rounds for ranks in this run of %s", records[0].Workload)
	}
	return fmt.Sprintf("Nothing is ranked in this run of %s", records[0].Workload)
}

// summaryOf is the table of all servers.
func summaryOf(records []record.Record) page.Table {
	s := answer.Summarize(records)
	t := page.Table{Caption: "The best of a column is bold. The others say how many times the best they are.", Head: []page.Head{{Label: "server"}}}
	for i, of := range s.Targets {
		name := of.Name
		if of.Warning {
			name += " *"
		}
		row := page.Row{Name: page.Link{Text: name}, Class: svg.Hue(of.Language), Apart: of.Reference}
		for _, c := range s.Columns {
			times, best := c.Times(of, i, s.Targets)
			row.Cells = append(row.Cells, page.Cell{Text: c.Text(of, i), Note: times, Best: best})
		}
		t.Rows = append(t.Rows, row)
	}
	for _, c := range s.Columns {
		t.Head = append(t.Head, page.Head{Label: labelOf(c.Metric), Note: c.Scenario})
	}
	return t
}

// A resultsPage is the page of a run of all servers.
type resultsPage struct {
	dir  string // below that of the workload; "": it is the first page
	view page.Results
}

// resultsPages are the first page, and one for each older run of all servers.
func (p *part) resultsPages() (all []resultsPage) {
	for i, r := range p.results {
		v := resultsOf(r.records)
		one := resultsPage{view: v}
		if i > 0 {
			one.dir = resultsDir(r.run)
		}
		all = append(all, one)
	}
	if all == nil {
		all = []resultsPage{{view: page.Results{Title: p.nothing(), Lead: "A ranking loads all servers in the same minutes. scripts/bench run makes one, and scripts/bench site then shows it."}}}
	}
	return all
}

// nothing is the title of a first page without a ranking.
func (p *part) nothing() string {
	if len(p.places) == 0 {
		return "No run has been published yet"
	}
	return "No ranking yet"
}

func resultsDir(r *run) string { return "results/" + r.path + "/" }

// addLinks adds what the first page has of other pages and files. home is as in page.Frame.
func (p *part) addLinks(v *page.Results, i int, home string) {
	v.Home = home
	if i < len(p.results) {
		r := p.results[i]
		v.More = append(v.More, page.Link{Text: "All metrics in all load levels", Href: home + "run/?id=" + r.path + "&of=leaderboard"})
		if r.local == nil {
			v.More = append(v.More, page.Link{Text: fmt.Sprintf("measured at %.10s", r.commit), Href: commitLink(p.facts.Repository, r.commit)})
		}
	}
	if i > 0 {
		v.More = append(v.More, page.Link{Text: "the newest results", Href: home})
		return
	}
	if len(v.Cards) > 0 {
		v.Files = []page.Link{{Text: "CSV", Href: home + "latest.csv"}, {Text: "JSON", Href: home + "latest.json"}, {Text: "picture", Href: home + "picture.svg"}}
		if url := p.pictureURL(); url != "" {
			v.Embed = fmt.Sprintf(`<img src="%s" alt="Benchmark results">`, url)
		}
	}
	for _, r := range p.results[min(1, len(p.results)):] {
		text := r.begin.Format("2006-01-02 15:04 UTC")
		if r.quick {
			text += ", shortened"
		}
		v.Others = append(v.Others, page.Link{Text: text, Href: home + resultsDir(r.run)})
	}
	v.Notices = append(v.Notices, p.troubles()...)
	if p.hasMain() {
		v.Main = p.main(home)
	}
}

// pictureURL is where the picture of the newest results is; "" if the site's address is not known.
func (p *part) pictureURL() string {
	owner, name, ok := strings.Cut(strings.TrimPrefix(p.facts.Repository, "https://github.com/"), "/")
	if !ok || strings.Contains(owner, ":") {
		return ""
	}
	return fmt.Sprintf("https://%s.github.io/%s/%spicture.svg", owner, name, p.dir)
}

// hasMain reports whether commits of main are measured.
func (p *part) hasMain() bool {
	return slices.ContainsFunc(p.places, func(one *place) bool { return one.local == nil && one.figures })
}

// troubles are servers that the newest run lacks, or that failed in it.
func (p *part) troubles() (all []string) {
	at := p.latest(len(p.places))
	if at < 0 {
		return nil
	}
	newest := p.places[at]
	// Who loads some servers of their own has not lost the others.
	if last := p.latest(at); last >= 0 && newest.local == nil {
		for _, name := range sortedKeys(p.places[last].served, strings.Compare) {
			if newest.served[name] == nil {
				all = append(all, fmt.Sprintf("%s was not measured at the newest commit, and was at the one before.", name))
			}
		}
	}
	for _, name := range sortedKeys(newest.served, strings.Compare) {
		var failed, why []string
		cells := newest.served[name].cells
		for _, scenario := range sortedKeys(cells, byLoad(p.workload)) {
			if c := cells[scenario]; c.status == record.Invalid {
				failed, why = append(failed, scenario), append(why, c.why...)
			}
		}
		if failed != nil {
			all = append(all, fmt.Sprintf("%s failed in %s: %s.", name, strings.Join(failed, ", "), cmp.Or(strings.Join(slices.Compact(why), "; "), "the reason is unknown")))
		}
	}
	return all
}

// Sizes of the part about main on the first page.
const (
	newestEvents = 5
	ribbonPlaces = 400
	weekDays     = 7
)

// open says how many regressions are open, and the number.
func (p *part) open() (text string, n int) {
	for _, e := range p.verdicts.events {
		if e.open() {
			n++
		}
	}
	if n == 0 {
		return "No open regression", 0
	}
	return Many(n, "open regression"), n
}

// main is what changed on main.
func (p *part) main(home string) *page.Main {
	m := &page.Main{History: home + "history/", Class: "better"}
	open := 0
	if m.Open, open = p.open(); open > 0 {
		m.Class = "worse"
	}
	at := p.latest(len(p.places))
	if at < 0 {
		return m
	}
	newest := p.places[at]
	since := newest.begin().Add(-weekDays * 24 * time.Hour)
	measured := 0
	for _, one := range p.places {
		if one.figures && one.local == nil && !one.begin().Before(since) {
			measured++
		}
	}
	changed := 0
	for _, e := range p.verdicts.events {
		if e.Time != nil && !e.Time.Before(since) {
			changed++
		}
	}
	found := "no server changed"
	if changed > 0 {
		found = were(changed, "change") + " found"
	}
	m.Sentence = fmt.Sprintf("In the last %d days %s measured, and %s. The newest commit is of %s:", weekDays, were(measured, "commit"), found, day(newest.time()))
	m.Newest = page.Link{Text: newest.commit.Hash[:10], Href: commitLink(p.facts.Repository, newest.commit.Hash)}
	first := max(0, len(p.places)-ribbonPlaces)
	m.Ribbon = svg.Ribbon("Measured commits and what changed", len(p.places)-first, p.ribbonFlags(first))
	m.Events = p.eventTable("Newest events", p.verdicts.events[:min(newestEvents, len(p.verdicts.events))], home)
	return m
}

func were(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return Many(n, what) + " were"
}

// ribbonFlags are the events and cuts from a place on.
func (p *part) ribbonFlags(first int) (flags []svg.Flag) {
	for _, e := range p.verdicts.events {
		if e.At != nil && *e.At >= first {
			change, class := p.change(e)
			flags = append(flags, svg.Flag{At: *e.At - first, Text: change + " " + e.Server, Class: class})
		}
	}
	for _, c := range p.cuts() {
		if c.At >= first {
			c.At -= first
			flags = append(flags, c)
		}
	}
	slices.SortStableFunc(flags, func(a, b svg.Flag) int { return cmp.Compare(a.At, b.At) })
	return flags
}

// day is a date; "unknown date" for nil.
func day(unix *int64) string {
	if unix == nil {
		return "an unknown date"
	}
	return time.Unix(*unix, 0).UTC().Format("2 Jan 2006")
}

// commitLink is the page of a commit; "" without a repository.
func commitLink(repository, commit string) string {
	if repository == "" || commit == "" {
		return ""
	}
	return repository + "/commit/" + commit
}
