package answer

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
)

// A Warning is a reason why records are not ok, reported once for all of them.
type Warning struct {
	status record.Status
	why    string   // of the first record
	of     []string // names of the records
	count  int
	like   bool // the other reasons differ in figures or names
}

var digits = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// Warnings folds the reasons of records. Reasons that differ only in figures or in the
// server's name are one.
func Warnings(records []record.Record) []Warning {
	var all []Warning
	keys := map[string]int{}
	for _, r := range records {
		for _, why := range r.Why {
			key := string(r.Status) + digits.ReplaceAllString(strings.ReplaceAll(why, r.Server.Name, "@"), "#")
			i, known := keys[key]
			if !known {
				i = len(all)
				keys[key] = i
				all = append(all, Warning{status: r.Status, why: why})
			}
			d := &all[i]
			d.count++
			d.like = d.like || why != d.why
			d.of = append(d.of, name(r))
		}
	}
	return all
}

// where names the records of a warning: scenarios, targets, and rounds unless all are meant.
func (d Warning) where(records []record.Record) string {
	var parts []string
	in := map[string][]string{} // scenarios, by the targets whose records are meant
	for _, scenario := range record.Scenarios(records) {
		of := record.OfScenario(records, scenario)
		byRounds := map[string][]string{} // " (round 2)": which targets
		for _, target := range record.Distinct(of, record.Record.Target) {
			if rounds, any := d.rounds(record.OfTarget(of, target)); any {
				byRounds[rounds] = append(byRounds[rounds], target)
			}
		}
		for _, rounds := range slices.Sorted(maps.Keys(byRounds)) {
			whose := group(byRounds[rounds], of) + rounds
			if in[whose] == nil {
				parts = append(parts, whose)
			}
			in[whose] = append(in[whose], scenario)
		}
	}
	for i, whose := range parts {
		parts[i] = strings.Join(in[whose], ", ") + ": " + whose
	}
	return strings.Join(parts, "; ")
}

// group names targets: "all" and "all servers" where that fits.
func group(targets []string, of []record.Record) string {
	switch {
	case len(targets) > 1 && slices.Equal(targets, record.Distinct(of, record.Record.Target)):
		return "all"
	case len(targets) > 1 && slices.Equal(targets, record.Servers(of)):
		return "all servers"
	}
	return strings.Join(targets, ", ")
}

// rounds names the rounds of a target with this warning; "" when all have it.
func (d Warning) rounds(records []record.Record) (text string, any bool) {
	var of []string
	for _, r := range records {
		if slices.Contains(d.of, name(r)) {
			of = append(of, fmt.Sprint(r.Round))
		}
	}
	if len(of) == len(records) {
		return "", true
	}
	return " (round " + strings.Join(of, ", ") + ")", len(of) > 0
}

// name identifies a record within a run.
func name(r record.Record) string { return fmt.Sprint(r.Target(), "\x00", r.Scenario, "\x00", r.Round) }

// MostFrequent is the reason that most records have; "" without any.
func MostFrequent(all []Warning) string {
	if len(all) == 0 {
		return ""
	}
	return slices.MaxFunc(all, func(a, b Warning) int { return cmp.Compare(a.count, b.count) }).why
}

// Line is the reason, with its records.
func (d Warning) Line(records []record.Record) string {
	line := fmt.Sprintf("%s: %s", d.status, d.why)
	if d.count > 1 {
		line += fmt.Sprintf(". It is in %d records", d.count)
		if d.like {
			line += "; the others differ in figures or names"
		}
	}
	return line + ". Where: " + d.where(records)
}
