package record

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/load"
	"fairstream/scripts/raw"
	"fairstream/scripts/sample"
)

// FromRaw reads the raw files in dir, ordered by round, scenario and server.
// planned is how many records the run set out to make: an interrupted run has
// fewer, since what it had not finished has no facts.
func FromRaw(dir string) (records []Record, planned int, err error) {
	var run raw.Run
	if err := raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run); err != nil {
		return nil, 0, fmt.Errorf("record: %w", err)
	}
	for _, name := range run.Scenarios {
		if !plain.MatchString(name) {
			return nil, 0, fmt.Errorf("record: %s: scenario %q is no name", dir, name)
		}
	}
	for _, s := range run.Servers {
		if !plain.MatchString(s.Name) {
			return nil, 0, fmt.Errorf("record: %s: server %q is no name", dir, s.Name)
		}
		if s.Side != "" && s.Side != "base" && s.Side != "head" {
			return nil, 0, fmt.Errorf("record: %s: %s: side %q; want base, head or none", dir, s.Name, s.Side)
		}
	}
	servers := slices.SortedFunc(slices.Values(run.Servers), func(a, b raw.Server) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Side, b.Side))
	})
	for round := 1; round <= run.Rounds; round++ {
		for _, scenario := range run.Scenarios {
			for _, server := range servers {
				r, ok, err := fromDir(raw.Dir(dir, round, raw.Target(server.Name, server.Side), scenario))
				if err != nil {
					return nil, 0, fmt.Errorf("record: %w", err)
				}
				if !ok {
					continue
				}
				r.Schema, r.Host, r.Tools, r.Server = Schema, run.Host, run.Tools, server
				r.Run = Run{ID: run.ID, Commit: run.Commit, Dirty: run.Dirty, Quick: run.Quick, Rounds: run.Rounds, Seed: run.Seed}
				records = append(records, r)
			}
		}
	}
	return records, run.Rounds * len(run.Scenarios) * len(servers), nil
}

// plain names can be part of a path without leaving their directory.
var plain = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// fromDir reads one server's directory; ok is false when it was not finished.
func fromDir(dir string) (r Record, ok bool, err error) {
	var m measured
	err = raw.ReadJSON(filepath.Join(dir, raw.FactsFile), &m.facts)
	if errors.Is(err, fs.ErrNotExist) {
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	r = Record{
		Scenario: m.facts.Scenario, Round: m.facts.Round, Position: m.facts.Position, Started: m.facts.Started,
		Metrics: Metrics{},
	}
	for _, metric := range Table {
		r.Metrics[metric.Name] = nil
	}
	if m.facts.Error != "" {
		r.Status, r.Why = Invalid, []string{m.facts.Error}
		return r, true, nil
	}
	if err := m.read(dir); err != nil {
		return r, false, err
	}
	r.Status, r.Why = check(m)
	for _, metric := range Table {
		// An invalid record has no figures, but that streams failed is a fact.
		if r.Status == Invalid && metric.Name != "failed_pct" {
			continue
		}
		if v, ok := metric.value(m); ok {
			r.Metrics.set(metric.Name, v)
		}
	}
	return r, true, nil
}

func (m *measured) read(dir string) error {
	for name, into := range map[string]*load.Summary{raw.SummaryFile: &m.summary, raw.WarmUpFile: &m.warmUp} {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if *into, err = load.ParseSummary(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	f, err := os.Open(filepath.Join(dir, raw.PidstatFile))
	if err != nil {
		return err
	}
	defer f.Close()
	if m.samples, err = sample.ParsePidstat(f); err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return nil
}
