package branch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Points returns a run's chart points: those where bigger is better, and those where smaller is better. It
// wants the records of trend runs. A value is that of package rank; an unknown value has no point. Values are
// ratios, differences or memory, because the speed of a shared machine varies more than most changes do.
func Points(records []record.Record) (bigger, smaller []Bench) {
	for _, server := range servers(records) {
		for _, s := range workload.Named(server.Workload).Charts {
			of := pick(records, server, s.Scenario)
			f := rank.NewFigure(of, s.Metric)
			if f.Rounds == 0 {
				continue
			}
			unit, scale := shown(server.Workload, s)
			name := fmt.Sprintf("%s %s %s, epoch %s", server, s.Scenario, s.Label, record.Epoch(of[0]))
			point := Bench{Name: name, Unit: unit, Value: round(f.Mid * scale)}
			if of[0].Run.Quick {
				point.Name += " (quick)"
			}
			if f.Rounds > 1 {
				point.Range = short(round(f.Low*scale)) + " to " + short(round(f.High*scale))
			}
			point.Extra = warnings(of, f.Rounds)
			if m, _ := record.FindIn(server.Workload, s.Metric); m.Better == "higher" {
				bigger = append(bigger, point)
			} else {
				smaller = append(smaller, point)
			}
		}
	}
	return bigger, smaller
}

// shown returns the unit of a chart and the factor of its values.
func shown(of string, c workload.Chart) (unit string, scale float64) {
	if m, _ := record.FindIn(of, c.Metric); m.Unit != "bytes" {
		return m.Unit, 1
	}
	return "MB", 1e-6
}

// servers lists the servers of records, in order, without direct and references.
func servers(records []record.Record) (all []workload.Server) {
	for _, r := range records {
		if s := r.ID(); r.OfServer() && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

func pick(records []record.Record, server workload.Server, scenario string) (of []record.Record) {
	for _, r := range records {
		if r.ID() == server && r.Scenario == scenario {
			of = append(of, r)
		}
	}
	return of
}

// warnings notes why a figure may be unreliable; "" without a reason.
func warnings(records []record.Record, used int) string {
	var parts []string
	if used < len(records) {
		parts = append(parts, fmt.Sprintf("%d of %d rounds", used, len(records)))
	}
	if n := count(rank.CountedRecords(records), record.Warning); n > 0 {
		parts = append(parts, fmt.Sprintf("%d with a warning", n))
	}
	return strings.Join(parts, ", ")
}

// round keeps five digits, which is within 0.01 %, since a chart has thousands of points.
func round(v float64) float64 { return record.LimitDigits(v, 5) }

func short(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func count(records []record.Record, status record.Status) (n int) {
	for _, r := range records {
		if r.Status == status {
			n++
		}
	}
	return n
}

// alertFloorMS is the lowest overhead that github-action-benchmark sees. That tool divides a value
// by the one before, and overheads are near 0: 0.2 ms after 0.1 ms would be twice as bad. 5 ms is a
// tenth of the time between two tokens in baseline; nobody sees a smaller difference.
const alertFloorMS = 5

// Alert raises points to the floor for github-action-benchmark. The history keeps the original
// values.
func Alert(points []Bench) []Bench {
	shown := make([]Bench, len(points))
	for i, p := range points {
		if p.Unit == record.MSOverhead && p.Value < alertFloorMS {
			p.Extra, p.Value = "raised to "+short(alertFloorMS)+", the floor; it was "+short(p.Value), alertFloorMS
		}
		shown[i] = p
	}
	return shown
}

// AlertChart does the same for a chart.
func AlertChart(c Chart) Chart {
	shown := c
	shown.Entries = map[string][]Entry{}
	for suite, entries := range c.Entries {
		for _, e := range entries {
			e.Benches = Alert(e.Benches)
			shown.Entries[suite] = append(shown.Entries[suite], e)
		}
	}
	return shown
}
