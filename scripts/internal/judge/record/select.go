package record

import (
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/raw"
)

// Filter keeps the records that pass.
func Filter(records []Record, pass func(Record) bool) []Record {
	var of []Record
	for _, r := range records {
		if pass(r) {
			of = append(of, r)
		}
	}
	return of
}

// OfScenario are the records of a scenario.
func OfScenario(records []Record, scenario string) []Record {
	return Filter(records, func(r Record) bool { return r.Scenario == scenario })
}

// OfTarget are the records of a target.
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

// Scenarios are those of records, in their order.
func Scenarios(records []Record) (all []string) {
	for _, r := range records {
		if !slices.Contains(all, r.Scenario) {
			all = append(all, r.Scenario)
		}
	}
	return all
}

// Servers are the targets but direct, sorted; direct is the rig's own.
func Servers(records []Record) []string {
	return Distinct(Filter(records, Record.OfServer), Record.Target)
}

// OfServer says that the record's target is a server, and not direct.
func (r Record) OfServer() bool { return r.Server.Name != raw.Direct }

// K6 run names the run of k6 that loaded the target: targets that share it were
// loaded in the same minute.
func (r Record) K6Run() string { return fmt.Sprint(r.Round, " ", r.Started.UnixNano()) }
