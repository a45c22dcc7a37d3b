package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report/chart"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// page escapes whatever it is given; only charts and styles, which are ours,
// pass as they are.
var page = template.Must(template.New("page").Parse(pageHTML))

// A content is what the page shows, in its order.
type content struct {
	CSS           template.CSS
	Title         string
	Sentences     []string
	Warnings      []string
	Rankings      []shownRanking
	TieRule       string
	Why           *shownTable
	WhySays       string
	Conditions    string
	Spread        string
	Tables        []shownTable
	Doubts        []string
	Legend        []entry
	Timelines     []section
	Distributions []section
	TurnRates     []section
	NoDetails     string // why there are no timelines
	Metrics       []record.Metric
	Facts         [][2]string
	Servers       []shownServer
	Limits        []string
	Schema        int
}

type shownRanking struct {
	shownTable
	Chart template.HTML
}

// A shownTable is a table whose cells a template can read.
type shownTable struct {
	Title, Note string
	Head        []string
	Rows        []shownRow
}

type shownRow struct {
	Name  string
	Apart bool
	Cells [][2]string // text and spread
}

type entry struct {
	Name   string
	Swatch template.HTML
}

type shownServer struct {
	Name, Language, Framework, Versions, Commit, Tree, Artefact string
}

// writeHTML writes one file that needs no other: it asks for nothing over the
// network and works without scripts.
func writeHTML(w io.Writer, records []record.Record, details []record.Details) error {
	styles := styles(records)
	r := records[0]
	c := content{
		CSS: template.CSS(pageCSS + "@media (prefers-color-scheme:dark){" + chart.Remap() + "}"), Title: "Fairstream, run " + r.Run.ID,
		Conditions: conditions(records), Spread: spreadMeans(rounds(records)), Metrics: record.Table,
		Facts: facts(records), Limits: limits(records), Schema: r.Schema,
	}
	if r.Run.Quick {
		c.Warnings = append(c.Warnings, shortened)
	}
	c.Sentences, _ = rankings(records)
	for _, of := range []func([]record.Record) (table, ranking, bool){costRanking, throughputRanking} {
		t, ranking, ok := of(records)
		if !ok {
			continue
		}
		d := dots(t, ranking, styles)
		d.Title = "" // the table has it
		svg, err := d.SVG(ranking.says())
		if err != nil {
			return fmt.Errorf("report: html: %w", err)
		}
		c.Rankings = append(c.Rankings, shownRanking{t.shown(), template.HTML(svg)})
		c.TieRule = tieRule
	}
	if t, says, ok := difference(records); ok {
		shown := t.shown()
		c.Why, c.WhySays = &shown, says
	}
	for _, t := range tables(records) {
		c.Tables = append(c.Tables, t.shown())
	}
	for _, d := range doubts(records) {
		c.Doubts = append(c.Doubts, d.line(records))
	}
	for _, server := range servers(records) {
		c.Servers = append(c.Servers, serverFacts(ofTarget(records, server)[0]))
	}
	if err := c.charts(records, details, styles); err != nil {
		return err
	}
	return page.Execute(w, c)
}

// charts adds what details have.
func (c *content) charts(records []record.Record, details []record.Details, styles map[string]chart.Style) (err error) {
	run := records[0].Run.ID
	details = slices.DeleteFunc(slices.Clone(details), func(d record.Details) bool { return d.Run != run })
	if len(details) == 0 {
		c.NoDetails = "There are no timelines and no distributions here: no details.jsonl of this run was beside its records."
		return nil
	}
	for _, target := range slices.Sorted(maps.Keys(styles)) {
		svg, err := chart.Swatch(styles[target])
		if err != nil {
			return fmt.Errorf("report: html: %w", err)
		}
		c.Legend = append(c.Legend, entry{target, template.HTML(svg)})
	}
	if c.Timelines, err = timelines(details, styles); err != nil {
		return err
	}
	if c.Distributions, err = distributions(details, styles); err != nil {
		return err
	}
	c.TurnRates, err = turnRates(details, styles)
	return err
}

func (t table) shown() shownTable {
	s := shownTable{Title: t.title, Note: t.note, Head: t.head}
	for _, r := range t.rows {
		out := shownRow{Name: r.cells[0].text, Apart: r.apart}
		for _, c := range r.cells[1:] {
			out.Cells = append(out.Cells, [2]string{c.text, c.spread})
		}
		s.Rows = append(s.Rows, out)
	}
	return s
}

// says is a ranking's chart in words.
func (r ranking) says() string {
	var parts []string
	for _, s := range r.ranked {
		part := s.target + " " + s.figure.text(r.column)
		if spread := s.figure.spread(r.column); spread != "" {
			part += " (" + spread + ")"
		}
		parts = append(parts, part)
	}
	m := r.column.means()
	return fmt.Sprintf("%s in %s, best first: %s.", m.Label, r.scenario, strings.Join(parts, ", "))
}

// facts are what all records of a run share, as names and values.
func facts(records []record.Record) [][2]string {
	r := records[0]
	started := r.Started
	for _, other := range records {
		if other.Started.Before(started) {
			started = other.Started
		}
	}
	commit := or(r.Run.Commit)
	if r.Run.Dirty != nil && *r.Run.Dirty {
		commit += ", and changes that are not committed"
	}
	all := [][2]string{
		{"run", r.Run.ID}, {"begun", started.UTC().Format("2006-01-02 15:04:05 UTC")}, {"harness", commit}, {"ruler (hash of k6, its scripts and the stub)", r.Run.Ruler},
		{"rounds", fmt.Sprintf("%d of %d", rounds(records), r.Run.Rounds)}, {"seed of the order of turns", fmt.Sprint(r.Run.Seed)}, {"cores", r.Run.Placement},
		{"machine", machine(r)}, {"system", or(r.Host.OS) + ", kernel " + or(r.Host.Kernel)},
	}
	if r.Run.LoadMS > 0 {
		all = append(all, [2]string{"paced load, instead of the scenario's own time", fmt.Sprintf("%d ms", r.Run.LoadMS)})
	}
	if r.Run.SliceMS > 0 {
		all = append(all, [2]string{"slice, instead of the scenario's own", fmt.Sprintf("%d ms", r.Run.SliceMS)})
	}
	for _, tool := range slices.Sorted(maps.Keys(r.Tools)) {
		all = append(all, [2]string{tool, r.Tools[tool]})
	}
	return all
}

func serverFacts(r record.Record) shownServer {
	return shownServer{r.Target(), r.Server.Language, r.Server.Framework, versions(r), or(r.Server.Commit), or(r.Server.Tree), or(r.Server.Artefact)}
}
