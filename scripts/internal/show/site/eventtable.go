package site

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/workload"
)

// main is the cell that stands for an event: the first that changed as the event says; false: it has none.
func (e Event) main() (verdict.EventCell, bool) {
	i := max(0, slices.IndexFunc(e.Cells, func(c verdict.EventCell) bool { return string(c.Verdict) == e.Verdict }))
	if i >= len(e.Cells) {
		return verdict.EventCell{}, false
	}
	return e.Cells[i], true
}

// change is the size of an event with its mark, and its class.
func (p *part) change(e Event) (text, class string) {
	c, ok := e.main()
	if !ok {
		return "▼ fails", "worse"
	}
	return p.cellChange(c, e.Verdict)
}

func (p *part) cellChange(c verdict.EventCell, of string) (text, class string) {
	mark, class := "▼", "worse"
	if of == string(verdict.Improved) {
		mark, class = "▲", "better"
	}
	return mark + " " + typeset(answer.Change(asCell(p.workload, "", c))), class
}

var minusForm = regexp.MustCompile(`(^|[ (])-([0-9])`)

var typography = strings.NewReplacer(" %", "\u00a0%", " us/", " µs/")

// typeset is a text with minus signs before numbers, µs, and per cent that stay at their number.
func typeset(text string) string {
	return typography.Replace(minusForm.ReplaceAllString(text, "$1−$2"))
}

// asCell is a cell of a file of verdicts. A margin of the server's own is not in the file.
func asCell(w workload.Workload, server string, c verdict.EventCell) verdict.Cell {
	m, _ := record.FindIn(w.Name, c.Metric)
	criterion := workload.Criterion{Scenario: c.Scenario, Levels: c.Levels, Metric: c.Metric, Absolute: workload.Absolute(c.Metric)}
	for _, of := range w.Criteria {
		if of.Scenario == c.Scenario && of.Metric == c.Metric {
			criterion = of
		}
	}
	return verdict.Cell{
		Server: server, Scenario: c.Scenario, Metric: m, Criterion: criterion,
		Base: c.Base, Head: c.Head, Change: c.Change, Low: c.Low, High: c.High, Rounds: c.Rounds, Verdict: c.Verdict,
	}
}

// eventTable has a row for each event. Its links lead to the history.
func (p *part) eventTable(caption string, events []Event, home string) page.Table {
	t := page.Table{Caption: caption, Head: []page.Head{
		{Label: "change"}, {Label: "of", Words: true}, {Label: "from → to", Note: "95 % interval of the change"}, {Label: "commit", Words: true}, {Label: "state", Words: true},
	}}
	for _, e := range events {
		change, class := p.change(e)
		row := page.Row{ID: "e-" + e.ID, Name: page.Link{Text: change}, Class: class}
		of, figures := page.Cell{Text: e.Server, Class: "words"}, page.Cell{}
		if c, ok := e.main(); ok {
			cell := asCell(p.workload, e.Server, c)
			r := answer.NewRow(cell)
			of.Text = fmt.Sprintf("%s, %s in %s", e.Server, labelOf(cell.Metric), c.Scenario)
			if n := len(e.Cells) - 1; n > 0 {
				of.Note = fmt.Sprintf("and %d more", n)
			}
			figures.Text, figures.Note = r.Base+" → "+r.Head, typeset(r.Interval)
			records := workload.Criterion{Scenario: c.Scenario, Levels: c.Levels}.Records()
			row.Name.Href = fmt.Sprintf("%shistory/?sc=%s&m=%s&sv=%s#chart", home, records[len(records)-1], c.Metric, e.Server)
		}
		row.Cells = []page.Cell{of, figures, p.commitCell(e), p.stateCell(e, p.rootOf(home))}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (p *part) commitCell(e Event) page.Cell {
	cell := page.Cell{Class: "words", Links: []page.Link{{Text: e.Head[:10], Href: commitLink(p.facts.Repository, e.Head)}}}
	if e.Gradual {
		cell.Text = "gradual, up to"
	}
	if e.At != nil && p.places[*e.At].known {
		c := p.places[*e.At].commit
		cell.Note = fmt.Sprintf("“%s” by %s, %s", cut(c.Subject, mostSubject), cut(c.Author, mostSubject), day(&c.Time))
	}
	return cell
}

func (p *part) stateCell(e Event, root string) page.Cell {
	cell := page.Cell{Class: "words"}
	switch {
	case e.Verdict == string(verdict.Improved):
		cell.Text = "improved"
	case e.Fixed != nil:
		cell.Text, cell.Links = "fixed at", []page.Link{{Text: (*e.Fixed)[:10], Href: commitLink(p.facts.Repository, *e.Fixed)}}
	case e.Accepted != nil:
		cell.Text = "accepted by " + e.Accepted.By
		if !e.Accepted.All {
			cell.Text = "partly " + cell.Text
		}
		cell.Note = "“" + e.Accepted.Why + "”"
	case !e.Confirmed:
		cell.Text = "not confirmed by a second comparison"
	default:
		cell.Text = "open"
		if e.Now != nil {
			cell.Text = fmt.Sprintf("open, now %s against before", typeset(fmt.Sprintf("%+.1f %%", 100*e.Now.Change)))
		}
	}
	if e.open() && p.facts.Repository != "" {
		cell.Links = append(cell.Links, page.Link{Text: "accept it", Href: acceptLink(p.facts.Repository, e)})
	}
	cell.Links = append(cell.Links, page.Link{Text: "all cells", Href: root + "events/" + e.Path + ".json"})
	return cell
}
