// Package collect turns the accepted records of main into chart points and a
// summary for people. It is pure: what to accept is package artifact's, where
// to keep it package history's.
package collect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Points are a run's chart points: those where bigger is better, and those
// where smaller is. A value is that of
// package leaderboard; one that is not known has no point. Values are ratios, differences or
// memory, because the speed of a shared machine moves more between two commits than
// most changes do. The records are those of trend runs: what was loaded together with others is no trend.
func Points(records []record.Record) (bigger, smaller []history.Bench) {
	for _, server := range servers(records) {
		for _, s := range rank.WorkloadOf(records).Charts {
			of := pick(records, server, s.Scenario)
			f := rank.NewFigure(of, s.Metric)
			if f.Rounds == 0 {
				continue
			}
			unit, scale := shown(s)
			name := fmt.Sprintf("%s %s %s, epoch %s", server, s.Scenario, s.Label, record.Epoch(of[0]))
			point := history.Bench{Name: name, Unit: unit, Value: round(f.Mid * scale)}
			if of[0].Run.Quick {
				point.Name += " (quick)"
			}
			if f.Rounds > 1 {
				point.Range = short(round(f.Low*scale)) + " to " + short(round(f.High*scale))
			}
			point.Extra = warnings(of, f.Rounds)
			if m, _ := record.Find(s.Metric); m.Better == "higher" {
				bigger = append(bigger, point)
			} else {
				smaller = append(smaller, point)
			}
		}
	}
	return bigger, smaller
}

// shown is the unit of a chart, and by what its values are multiplied.
func shown(c workload.Chart) (unit string, scale float64) {
	if m, _ := record.Find(c.Metric); m.Unit != "bytes" {
		return m.Unit, 1
	}
	return "MB", 1e-6
}

// servers are those that records are of, but direct, in their order.
func servers(records []record.Record) (all []workload.Server) {
	for _, r := range records {
		if s := r.ID(); s.Name != raw.Direct && !slices.Contains(all, s) {
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

// warnings says how a median is less than it seems; "" when it is not.
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

// round keeps five digits: less than 0.01 % off, and short in a file of
// thousands of points.
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
