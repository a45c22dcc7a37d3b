package site

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

// mostEntries are in the feed.
const mostEntries = 100

type (
	feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Base    string   `xml:"xml:base,attr,omitempty"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Links   []link   `xml:"link"`
		Author  string   `xml:"author>name"`
		Entries []entry  `xml:"entry"`
	}
	entry struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Link    link   `xml:"link"`
		Summary string `xml:"summary"`
	}
	link struct {
		Href string `xml:"href,attr"`
		Rel  string `xml:"rel,attr,omitempty"`
	}
)

// writeFeed writes the confirmed regressions as an Atom feed. Its ids never change. Links
// are whole where the site's address is known: many readers resolve no others.
func (b *builder) writeFeed(m Manifest) error {
	f := feed{ID: "urn:fairstream:regressions:" + cmp.Or(b.facts.Repository, "local"), Title: "Fairstream: regressions", Author: "Fairstream", Updated: stamp(m.Newest)}
	site := b.facts.Site
	if site != "" {
		f.Base, f.Links = site, []link{{site + "regressions.xml", "self"}, {site + "regressions/", "alternate"}}
	}
	for _, flag := range b.flags {
		if flag.Verdict != string(verdict.Regressed) || !flag.Confirmed || len(f.Entries) == mostEntries {
			continue
		}
		f.Entries = append(f.Entries, entry{
			ID: "urn:fairstream:flag:" + flag.ID, Title: title(flag), Updated: stamp(flag.Time),
			Link: link{Href: site + "regressions/?id=" + flag.ID}, Summary: summary(flag),
		})
	}
	data, err := xml.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return b.out("regressions.xml", append([]byte(xml.Header), append(data, '\n')...))
}

// stamp is a time; Atom has no word for one that is unknown.
func stamp(at *time.Time) string {
	if at == nil {
		at = &time.Time{}
	}
	return at.UTC().Format(time.RFC3339)
}

func title(f Flag) string {
	what := "fails"
	for _, c := range f.Cells {
		if string(c.Verdict) == f.Verdict {
			what = f.Verdict + ": " + cellText(c)
			break
		}
	}
	return f.Server + " " + what
}

func summary(f Flag) string {
	parts := []string{fmt.Sprintf("%.10s against %.10s, %s", f.Head, f.Base, Many(f.Rounds, "round"))}
	for _, c := range f.Cells {
		parts = append(parts, string(c.Verdict)+": "+cellText(c))
	}
	if f.Acknowledged != nil {
		parts = append(parts, "acknowledged by "+f.Acknowledged.By+": "+f.Acknowledged.Why)
	}
	if f.Fixed != nil {
		parts = append(parts, fmt.Sprintf("regained by %.10s", *f.Fixed))
	}
	return strings.Join(parts, "; ")
}

// cellText is a cell's change with its 95 % interval, in the report's words.
func cellText(c archive.FlagCell) string {
	m, ok := record.Find(c.Metric)
	if !ok {
		m.Label = c.Metric
	}
	cell := verdict.Cell{Metric: m, Judged: verdict.Judged{Absolute: verdict.Absolute(c.Metric)}, Change: c.Change, Low: c.Low, High: c.High}
	return fmt.Sprintf("%s %s %s [%s]", c.Scenario, labelOf(m), report.Change(cell), report.Interval(cell))
}
