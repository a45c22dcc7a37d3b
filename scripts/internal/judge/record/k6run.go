package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/judge/raw"
)

// A k6 run is what the raw files of one run of k6 say.
type k6Run struct {
	facts   raw.Facts
	summary raw.Summary
	samples []raw.Sample
	logs    string // the directory of its logs; "" is unknown
}

// readK6Run reads a k6 run's directory; ok is false when it was not finished.
func readK6Run(dir string) (l k6Run, ok bool, err error) {
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
	if l.samples, err = readSamples(filepath.Join(dir, raw.PidstatFile)); err != nil {
		// A warning, as too few samples are: no verdict rests on them.
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

// brokenK6Run is one whose files cannot be read: all that is known of it is that
// it was planned. A k6 run that went wrong must not cost those beside it.
func brokenK6Run(run raw.Run, round int, scenario raw.Scenario, target string, why error) (l k6Run) {
	l.facts = raw.Facts{Round: round, Scenario: scenario.Name, Started: run.Started}
	for _, s := range run.Servers {
		if target == "" || target == s.Target() {
			l.facts.Targets = append(l.facts.Targets, raw.TargetFacts{Name: s.Target(), Error: "raw files: " + why.Error(), Disturbed: true})
		}
	}
	return l
}
