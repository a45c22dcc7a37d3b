package site

import (
	"maps"
	"math"
	"slices"

	"fairstream/scripts/internal/judge/noise"
	"fairstream/scripts/internal/judge/record"
)

// A headline's change is to the median of so many points before; its sparkline has
// the newest commits.
const before, sparks = 20, 50

func (b *builder) health() Health {
	h := Health{Schema: Schema, Headlines: []HeadlineHealth{}, Open: []string{}, Missing: []string{}, Failed: []Failure{}, Suspect: []Failure{}}
	for _, f := range b.flags {
		if f.open() {
			h.Open = append(h.Open, f.ID)
		}
	}
	for _, of := range headlines {
		h.Headlines = append(h.Headlines, b.headline(of))
	}
	at := b.latest(len(b.places))
	if at < 0 {
		return h
	}
	newest := b.places[at]
	h.Commit, h.Run = &at, &newest.newest.path
	// Who loads some servers of their own has not lost the others.
	if last := b.latest(at); last >= 0 && newest.local == nil {
		for _, name := range slices.Sorted(maps.Keys(b.places[last].served)) {
			if newest.served[name] == nil {
				h.Missing = append(h.Missing, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest.served)) {
		cells := newest.served[name].cells
		for _, scenario := range slices.SortedFunc(maps.Keys(cells), byLoad) {
			switch f := (Failure{name, scenario, cells[scenario].why}); cells[scenario].status {
			case record.Invalid:
				h.Failed = append(h.Failed, f)
			case record.Suspect:
				h.Suspect = append(h.Suspect, f)
			}
		}
	}
	return h
}

// latest is the last place of health before another; -1: there is none.
func (b *builder) latest(end int) int {
	ofHealth := b.ofHealth()
	for i := end - 1; i >= 0; i-- {
		if ofHealth(i) {
			return i
		}
	}
	return -1
}

// ofHealth says of which places with figures health is: of main's, or of those of
// somebody's own runs where there are no others.
func (b *builder) ofHealth() func(i int) bool {
	main := slices.ContainsFunc(b.places, func(p *place) bool { return p.figures && p.local == nil })
	return func(i int) bool { return b.places[i].figures && (b.places[i].local == nil) == main }
}

func (b *builder) headline(of Headline) HeadlineHealth {
	metric := trendedAt(of.Metric)
	m := trended[metric]
	h := HeadlineHealth{Scenario: of.Scenario, Metric: of.Metric, Quantum: quantum(m), Servers: map[string]Pulse{}}
	ofHealth := b.ofHealth()
	for name, l := range b.lines(of.Scenario, metric) {
		at := len(l.mid) - 1
		for at >= 0 && !(known(l.mid[at]) && ofHealth(at)) {
			at--
		}
		if at < 0 {
			continue
		}
		c, _ := l.column(at, at+1, h.Quantum)
		p := Pulse{At: at, Mid: c.Mid[0], Low: c.Low[0], High: c.High[0], Status: c.Status[0]}
		var past []float64
		for i := at - 1; i >= 0 && len(past) < before; i-- {
			if known(l.mid[i]) && ofHealth(i) && b.epochOf[i] == b.epochOf[at] {
				past = append(past, float64(l.mid[i]))
			}
		}
		p.Of, p.Change = len(past), noise.Change(float64(l.mid[at]), past, absolute(m))
		for _, n := range b.noise(l, absolute(m)) {
			if int(n[0]) == b.epochOf[at] {
				p.Noise = &n[1]
			}
		}
		if p.Change != nil && p.Noise != nil {
			inside := math.Abs(*p.Change) <= *p.Noise
			p.Inside = &inside
		}
		for i := len(l.mid) - 1; i >= 0 && len(p.Spark) < sparks; i-- {
			switch {
			case b.places[i].local != nil && !ofHealth(i):
			case b.epochOf[i] != b.epochOf[at]: // no line goes there
				p.Spark = append(p.Spark, Null)
			default:
				p.Spark = append(p.Spark, quantise(l.mid[i], h.Quantum))
			}
		}
		slices.Reverse(p.Spark)
		h.Servers[name] = p
	}
	return h
}
