package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/svg"
	"fairstream/scripts/internal/workload"
)

// A trend is a series with all that its pictures show.
type trend struct {
	*part
	scenario string
	metric   record.Metric
	columns  map[string]Column
	noise    map[string][][3]float64
}

// newTrend reads a series; ok is false when nothing of it was measured.
func (p *part) newTrend(scenario string, metric int) (t trend, ok bool) {
	t = trend{p, scenario, trended[p.workload.Name][metric], p.columns(scenario, metric), map[string][][3]float64{}}
	for name, c := range t.columns {
		t.noise[name] = noiseOf(c, p.epochs.of, record.Absolute(t.metric.Name))
	}
	return t, len(t.columns) > 0
}

// write writes the figures of a series, and a picture for each server. Their names never change, so that others can
// show them.
func (t trend) write(out Out) error {
	dir := t.dir + "history/" + t.scenario + "/" + t.metric.Name
	data, err := json.Marshal(Series{Schema, t.scenario + "/" + t.metric.Name, t.columns, t.noise})
	if err != nil {
		return err
	}
	if err := out(dir+".json", data); err != nil {
		return err
	}
	tracks := t.tracks()
	for name := range t.columns {
		if err := out(dir+"/"+name+".svg", []byte(t.picture(name, tracks).Alone(svg.Auto))); err != nil {
			return err
		}
	}
	return nil
}

// tracks are the histories of all servers.
func (t trend) tracks() map[string]svg.Track {
	all := map[string]svg.Track{}
	for name := range t.columns {
		all[name] = t.track(name)
	}
	return all
}

// picture draws one server among the others.
func (t trend) picture(server string, tracks map[string]svg.Track) svg.Picture {
	var others []svg.Track
	for _, name := range sortedKeys(tracks, strings.Compare) {
		if name != server {
			others = append(others, tracks[name])
		}
	}
	label := fmt.Sprintf("%s of %s in %s, %s", labelOf(t.metric), server, t.scenario, Many(len(t.places), "commit"))
	return svg.History(label, len(t.places), tracks[server], others, t.flags(server), t.ticks(), func(v float64) string { return answer.Spelt(v, 4) })
}

// track is the history of a server, in the unit of the label.
func (t trend) track(server string) svg.Track {
	by := scale(t.metric)
	column := t.columns[server]
	track := svg.Track{Name: server, Hue: svg.Hue(t.languageOf(server))}
	for i, v := range column.Mid {
		if v != nil {
			track.Points = append(track.Points, svg.Point{At: i, Y: *v * by})
		}
	}
	begins := []int{0}
	for _, c := range t.part.epochs.cuts {
		begins = append(begins, c[0])
	}
	for _, e := range t.eventsOf(server) {
		begins = append(begins, *e.At)
	}
	slices.Sort(begins)
	begins = append(slices.Compact(begins), len(t.places))
	for i, from := range begins[:len(begins)-1] {
		if l, ok := t.level(server, from, begins[i+1]); ok {
			track.Levels = append(track.Levels, l)
			track.Text = l.Text
		}
	}
	return track
}

// level is the median of the points from a place until before another, with the noise of their epoch.
func (t trend) level(server string, from, to int) (l svg.Level, ok bool) {
	by := scale(t.metric)
	var values []float64
	l.From = -1
	for i, v := range t.columns[server].Mid[from:to] {
		if v != nil {
			values = append(values, *v*by)
			if l.To = from + i; l.From < 0 {
				l.From = from + i
			}
		}
	}
	if values == nil {
		return l, false
	}
	l.Mid = median(values)
	l.Low, l.High, l.Text = l.Mid, l.Mid, answer.Spelt(l.Mid, 4)
	for _, n := range t.noise[server] {
		switch {
		case int(n[0]) != t.part.epochs.of[from]:
		case record.Absolute(t.metric.Name):
			l.Low, l.High = l.Mid-n[1]*by, l.Mid+n[1]*by
		default:
			l.Low, l.High = l.Mid/(1+n[1]/100), l.Mid*(1+n[1]/100)
		}
	}
	return l, true
}

func (p *part) languageOf(server string) string {
	for _, s := range p.servers {
		if s.Name == server {
			return s.Language
		}
	}
	return ""
}

// eventsOf are the events of a server that are about the series.
func (t trend) eventsOf(server string) (all []Event) {
	for _, e := range t.verdicts.events {
		if e.Server == server && e.At != nil && slices.ContainsFunc(e.Cells, t.isAbout) {
			all = append(all, e)
		}
	}
	return all
}

// isAbout reports whether a cell is about the series, alone or with other levels.
func (t trend) isAbout(c verdict.EventCell) bool {
	return c.Metric == t.metric.Name && slices.Contains(workload.Criterion{Scenario: c.Scenario, Levels: c.Levels}.Records(), t.scenario)
}

func (t trend) flags(server string) []svg.Flag {
	flags := t.cuts()
	for _, e := range t.eventsOf(server) {
		cell := e.Cells[slices.IndexFunc(e.Cells, t.isAbout)]
		text, class := t.cellChange(cell, string(cell.Verdict))
		flags = append(flags, svg.Flag{At: *e.At, Text: text, Note: e.Head[:10], Class: class})
	}
	slices.SortStableFunc(flags, func(a, b svg.Flag) int { return cmp.Compare(a.At, b.At) })
	return flags
}

// ticks are the dates of some places: days, or in a long history months.
func (p *part) ticks() (ticks []svg.Tick) {
	const most = 6
	n := len(p.places)
	step := max(1, (n+most-1)/most)
	layout := "2 Jan"
	if n > 0 {
		first, last := p.places[0].time(), p.places[n-1].time()
		if first == nil || last == nil || *last-*first > 300*24*60*60 {
			layout = "Jan 2006"
		}
	}
	for at := 0; at < n; at += step {
		if when := p.places[at].time(); when != nil {
			ticks = append(ticks, svg.Tick{At: at, Text: time.Unix(*when, 0).UTC().Format(layout)})
		}
	}
	return ticks
}

// cuts are the places where another epoch begins.
func (p *part) cuts() (flags []svg.Flag) {
	for i, c := range p.epochs.cuts {
		if i > 0 {
			what, detail := differs(p.epochs.all[p.epochs.cuts[i-1][1]], p.epochs.all[c[1]])
			flags = append(flags, svg.Flag{At: c[0], Text: what, Note: detail, Class: "quiet"})
		}
	}
	return flags
}

// differs says what of machine and rig changed from one epoch to the next, and how.
func differs(a, b Epoch) (what, detail string) {
	switch {
	case a.machine != b.machine:
		return "new machine", b.machine
	case a.system != b.system:
		return "new system", a.system + " → " + b.system
	case a.kernel != b.kernel:
		return "new kernel", a.kernel + " → " + b.kernel
	case a.Rig != b.Rig:
		return "new rig", b.Rig
	case a.Placement != b.Placement:
		return "new placement", b.Placement
	}
	return "new form of records", ""
}

// A chosenTrend is a trend with the server in focus.
type chosenTrend struct {
	trend
	server string
}

// firstTrend is that of the newest event, or of the first headline.
func (p *part) firstTrend() (chosenTrend, bool) {
	try := func(scenario, metric, server string) (chosenTrend, bool) {
		at := trendedAt(p.workload.Name, metric)
		if at < 0 {
			return chosenTrend{}, false
		}
		t, ok := p.newTrend(scenario, at)
		if !ok {
			return chosenTrend{}, false
		}
		if _, has := t.columns[server]; !has {
			server = t.best()
		}
		return chosenTrend{t, server}, true
	}
	for _, e := range p.verdicts.events {
		if c, ok := e.main(); ok && e.At != nil {
			records := workload.Criterion{Scenario: c.Scenario, Levels: c.Levels}.Records()
			if t, ok := try(records[len(records)-1], c.Metric, e.Server); ok {
				return t, true
			}
		}
	}
	for _, c := range p.workload.Charts {
		if t, ok := try(c.Scenario, c.Metric, ""); ok {
			return t, true
		}
	}
	for _, scenario := range sortedKeys(p.series, byLoad(p.workload)) {
		if t, ok := try(scenario, p.series[scenario][0], ""); ok {
			return t, true
		}
	}
	return chosenTrend{}, false
}

// best is the server with the best newest figure.
func (t trend) best() (server string) {
	best := math.NaN()
	for _, name := range sortedKeys(t.columns, strings.Compare) {
		for _, v := range slices.Backward(t.columns[name].Mid) {
			if v == nil {
				continue
			}
			if math.IsNaN(best) || (*v < best) == (t.metric.Better == "lower") {
				best, server = *v, name
			}
			break
		}
	}
	return server
}
