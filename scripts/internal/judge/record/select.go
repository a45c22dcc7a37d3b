package record

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/raw"
)

// Filter returns the records for which pass is true.
func Filter(records []Record, pass func(Record) bool) []Record {
	var of []Record
	for _, r := range records {
		if pass(r) {
			of = append(of, r)
		}
	}
	return of
}

// OfScenario returns the records of a scenario.
func OfScenario(records []Record, scenario string) []Record {
	return Filter(records, func(r Record) bool { return r.Scenario == scenario })
}

// OfTarget returns the records of a target.
func OfTarget(records []Record, target string) []Record {
	return Filter(records, func(r Record) bool { return r.Target() == target })
}

// Distinct lists the keys of records, sorted.
func Distinct(records []Record, key func(Record) string) []string {
	var keys []string
	for _, r := range records {
		if k := key(r); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// Scenarios lists the scenarios of records, in order.
func Scenarios(records []Record) (all []string) {
	for _, r := range records {
		if !slices.Contains(all, r.Scenario) {
			all = append(all, r.Scenario)
		}
	}
	return all
}

// Servers lists the targets without direct and references, sorted.
func Servers(records []Record) []string {
	return Distinct(Filter(records, Record.OfServer), Record.Target)
}

// OfServer reports whether the record's target is a server that others are ranked against, and neither direct nor a
// reference.
func (r Record) OfServer() bool { return r.Server.Name != raw.Direct && !r.Server.Reference }

// K6Run identifies the run of k6 that loaded the target. Targets with the same one were loaded in the same
// minutes.
func (r Record) K6Run() string { return fmt.Sprint(r.Round, " ", r.Started.UnixNano()) }
