package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// A k6Run holds the raw files of one run of k6.
type k6Run struct {
	workload workload.Workload
	facts    raw.Facts
	summary  raw.Summary
	samples  []raw.Sample
	logs     string // directory of its logs; "" is unknown
}

// readK6Run reads the directory of a k6 run of a workload. ok is false for an unfinished one.
func readK6Run(dir, of string) (l k6Run, ok bool, err error) {
	l.workload = workload.Named(of)
	err = raw.ReadJSON(filepath.Join(dir, raw.FactsFile), &l.facts)
	if errors.Is(err, fs.ErrNotExist) {
		return l, false, nil
	}
	l.logs = dir
	if err != nil || l.facts.K6PID == 0 { // nothing was loaded
		return l, err == nil, err
	}
	if l.summary, err = raw.ReadSummary(filepath.Join(dir, raw.SummaryFile)); err != nil {
		return l, false, err
	}
	if unit := l.summary.Unit; unit != l.workload.Unit {
		return l, false, fmt.Errorf("%s: it has %ss; workload %s has %ss", raw.SummaryFile, unit, of, l.workload.Unit)
	}
	if l.facts.Unsampled {
		return l, true, nil
	}
	if l.samples, err = readSamples(filepath.Join(dir, raw.PidstatFile)); err != nil {
		// This gives a warning, as too few samples do. No verdict depends on samples.
		l.facts.Pidstat = fmt.Sprintf("%s: %v", raw.PidstatFile, err)
	}
	return l, true, nil
}

func readSamples(path string) ([]raw.Sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return raw.ParsePidstat(f)
}

// brokenK6Run stands for a k6 run with unreadable files. Only its plan is known. It must not affect other k6
// runs.
func brokenK6Run(run raw.Run, round int, scenario raw.Scenario, target string, why error) (l k6Run) {
	l.workload = workload.Named(run.Workload)
	l.facts = raw.Facts{Round: round, Scenario: scenario.Name, Started: run.Started}
	for _, s := range run.Servers {
		if target == "" || target == s.Target() {
			l.facts.Targets = append(l.facts.Targets, raw.TargetFacts{Name: s.Target(), Error: "raw files: " + why.Error(), Disturbed: true})
		}
	}
	return l
}
