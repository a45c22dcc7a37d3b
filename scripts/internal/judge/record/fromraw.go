package record

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// FromRaw reads the raw files in dir. It returns records by round, scenario, level and target, and the
// details of each k6 run. planned is the number of records that the run planned. An interrupted run has
// fewer, since its last k6 run has no facts. A k6 run with unreadable files gives invalid, disturbed records.
// Only an unreadable run.json is an error.
func FromRaw(dir string) (records []Record, details []K6Details, planned int, err error) {
	var run raw.Run
	if err := raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run); err != nil {
		return nil, nil, 0, fmt.Errorf("record: %w", err)
	}
	if err := named(run); err != nil {
		return nil, nil, 0, fmt.Errorf("record: %s: %w", dir, err)
	}
	for i := range run.Servers {
		run.Servers[i].MissingChecks = append([]string{}, run.Servers[i].MissingChecks...) // JSON then has a list, not null
	}
	slices.SortFunc(run.Servers, func(a, b raw.Server) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Side, b.Side))
	})
	alone := []string{""}
	if run.Solo {
		alone = nil
		for _, s := range run.Servers {
			alone = append(alone, s.Target())
		}
	}
	rounds, err := started(dir)
	if err != nil {
		return nil, nil, 0, fmt.Errorf("record: %w", err)
	}
	for _, scenario := range run.Scenarios {
		planned += cmp.Or(run.Ended, run.Rounds) * len(scenario.Levels) * len(run.Servers)
	}
	for _, round := range rounds {
		for _, scenario := range run.Scenarios {
			var all []Record
			for _, target := range alone {
				l, ok, err := readK6Run(raw.Dir(dir, round, scenario.Name, target), run.Workload)
				if err != nil {
					l = brokenK6Run(run, round, scenario, target, err)
					all = append(all, l.records(run, scenario)...)
					continue
				}
				if !ok {
					continue
				}
				all = append(all, l.records(run, scenario)...)
				details = append(details, l.details(run, scenario, target))
			}
			slices.SortStableFunc(all, func(a, b Record) int { return cmp.Compare(place(run, scenario, a), place(run, scenario, b)) })
			records = append(records, all...)
		}
	}
	return records, details, planned, nil
}

// started returns the rounds that have a directory. A decided comparison or an interrupted run has fewer than
// planned. Discarded rounds make more. A run.json with absurd numbers therefore costs no time.
func started(dir string) (rounds []int, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil && n > 0 && strconv.Itoa(n) == e.Name() {
			rounds = append(rounds, n)
		}
	}
	slices.Sort(rounds)
	return rounds, err
}

// place orders the records of a round and scenario by level, then by server.
func place(run raw.Run, scenario raw.Scenario, r Record) int {
	level := slices.IndexFunc(scenario.Levels, func(p string) bool { return Scenario(scenario.Name, p) == r.Scenario })
	server := slices.IndexFunc(run.Servers, func(s raw.Server) bool { return s.Target() == r.Target() })
	return level*len(run.Servers) + server
}

// plain matches names that stay in their directory as part of a path.
var plain = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// named refuses names that are unsafe in a path, and two records that would get the same name.
func named(run raw.Run) error {
	seen := map[string]string{}
	for _, s := range run.Scenarios {
		if !plain.MatchString(s.Name) || strings.Contains(s.Name, "-") {
			return fmt.Errorf("scenario %q is not a name; want small letters and digits", s.Name)
		}
		for _, p := range s.Levels {
			if p != "" && !plain.MatchString(p) {
				return fmt.Errorf("scenario %s: level %q is not a name; want small letters and digits, joined by hyphens", s.Name, p)
			}
			name := Scenario(s.Name, p)
			if other := seen[name]; other != "" {
				return fmt.Errorf("records of the scenarios %s and %s would both be called %s", other, s.Name, name)
			}
			seen[name] = s.Name
		}
	}
	if err := workload.Check(run.Workload); err != nil {
		return err
	}
	for _, s := range run.Servers {
		if !plain.MatchString(s.Name) {
			return fmt.Errorf("server %q is not a name; want small letters and digits, joined by hyphens", s.Name)
		}
		if s.Side != "" && s.Side != "base" && s.Side != "head" {
			return fmt.Errorf("%s: side %q; want base, head or none", s.Name, s.Side)
		}
	}
	return nil
}

// records makes a record of each target and level of a k6 run.
func (l k6Run) records(run raw.Run, scenario raw.Scenario) (records []Record) {
	for _, facts := range l.facts.Targets {
		i := slices.IndexFunc(run.Servers, func(s raw.Server) bool { return s.Target() == facts.Name })
		if i < 0 {
			continue // the run does not list it
		}
		for _, level := range scenario.Levels {
			r := Record{
				Schema: Schema, Workload: run.Workload, Host: run.Host, Tools: run.Tools, Server: run.Servers[i],
				Run:      Run{ID: run.ID, Commit: run.Commit, Dirty: run.Dirty, Asked: run.Asked, Placement: run.Placement, Rig: run.Rig},
				Scenario: Scenario(scenario.Name, level), Round: l.facts.Round, Started: l.facts.Started, Metrics: Metrics{},
			}
			m := l.measured(facts, scenario.Name, level, run.Host.AllCores())
			r.Conditions, r.Retried = m.conditions(), m.load.Counts.Retried
			r.Status, r.Why, r.Conditions.Disturbed = check(m)
			for _, metric := range Table(run.Workload) {
				r.Metrics[metric.Name] = nil
				// An invalid record keeps one figure: the share of failed requests.
				if r.Status == Invalid && metric.Name != "failed_pct" {
					continue
				}
				if v, ok := metric.value(m); ok {
					r.Metrics.set(metric.Name, v)
				}
			}
			r.Requests, r.Outcomes = m.named(r.Status), m.outcomes()
			records = append(records, r)
		}
	}
	return records
}
