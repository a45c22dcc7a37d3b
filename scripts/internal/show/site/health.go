package site

import (
	"maps"
	"math"
	"slices"

	"fairstream/scripts/internal/judge/record"
)

// A headline's change refers to the median of this many earlier points. Its sparkline has the newest commits.
const before, sparks = 20, 50

func healthOf(h history, events []Event) Health {
	health := Health{Schema: Schema, Headlines: []HeadlineHealth{}, Open: []string{}, Missing: []string{}, Failed: []Failure{}, Warning: []Failure{}}
	for _, f := range events {
		if f.open() {
			health.Open = append(health.Open, f.ID)
		}
	}
	for _, of := range headlinesOf(h.workload) {
		health.Headlines = append(health.Headlines, headlineOf(h, of))
	}
	at := h.latest(len(h.places))
	if at < 0 {
		return health
	}
	newest := h.places[at]
	health.Commit, health.Run = &at, &newest.newest.path
	// Who loads some servers of their own has not lost the others.
	if last := h.latest(at); last >= 0 && newest.local == nil {
		for _, name := range slices.Sorted(maps.Keys(h.places[last].served)) {
			if newest.served[name] == nil {
				health.Missing = append(health.Missing, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest.served)) {
		cells := newest.served[name].cells
		for _, scenario := range slices.SortedFunc(maps.Keys(cells), byLoad(h.workload)) {
			switch f := (Failure{name, scenario, cells[scenario].why}); cells[scenario].status {
			case record.Invalid:
				health.Failed = append(health.Failed, f)
			case record.Warning:
				health.Warning = append(health.Warning, f)
			}
		}
	}
	return health
}

func headlineOf(h history, of Headline) HeadlineHealth {
	metric := trendedAt(h.workload.Name, of.Metric)
	m := trended[h.workload.Name][metric]
	health := HeadlineHealth{Scenario: of.Scenario, Metric: of.Metric, Servers: map[string]Pulse{}}
	for name, c := range h.columns(of.Scenario, metric) {
		at := len(c.Mid) - 1
		for at >= 0 && !(c.Mid[at] != nil && h.ofHealth[at]) {
			at--
		}
		if at < 0 {
			continue
		}
		p := Pulse{At: at, Mid: *c.Mid[at], Low: *c.Low[at], High: *c.High[at], Status: c.Status[at]}
		var earlier []float64
		for i := at - 1; i >= 0 && len(earlier) < before; i-- {
			if c.Mid[i] != nil && h.ofHealth[i] && h.epochs.of[i] == h.epochs.of[at] {
				earlier = append(earlier, *c.Mid[i])
			}
		}
		p.Of, p.Change = len(earlier), medianChange(p.Mid, earlier, record.Absolute(m.Name))
		for _, n := range noiseOf(c, h.epochs.of, record.Absolute(m.Name)) {
			if int(n[0]) == h.epochs.of[at] {
				p.Noise = &n[1]
			}
		}
		if p.Change != nil && p.Noise != nil {
			inside := math.Abs(*p.Change) <= *p.Noise
			p.Inside = &inside
		}
		for i := len(c.Mid) - 1; i >= 0 && len(p.Spark) < sparks; i-- {
			switch {
			case h.places[i].local != nil && !h.ofHealth[i]:
			case h.epochs.of[i] != h.epochs.of[at]: // the line has a gap there
				p.Spark = append(p.Spark, nil)
			default:
				p.Spark = append(p.Spark, c.Mid[i])
			}
		}
		slices.Reverse(p.Spark)
		health.Servers[name] = p
	}
	return health
}
