package record

import (
	"cmp"
	"fmt"
	"slices"

	"fairstream/k6/shared/hist"
)

// An Outcome is what a script says of a server by itself: a check, with how often it passed and failed, or a threshold. It covers
// the whole k6 run.
type Outcome struct {
	Name      string `json:"name"` // of the check, or metric and text of the threshold
	Threshold bool   `json:"threshold,omitempty"`
	Passed    int64  `json:"passed"` // a threshold passed once, or failed once
	Failed    int64  `json:"failed"`
}

// mostOutcomes is how many a record has.
const mostOutcomes = 64

// outcomes are those of the target's script.
func (m measured) outcomes() (all []Outcome) {
	script := m.summary.Scripts[m.target.Name]
	add := func(o Outcome) {
		if o.Name = requestName(o.Name); len(all) < mostOutcomes {
			all = append(all, o)
		}
	}
	for _, t := range script.Thresholds {
		o := Outcome{Name: t.Metric + " " + t.Text, Threshold: true, Passed: 1}
		if t.Crossed {
			o.Passed, o.Failed = 0, 1
		}
		add(o)
	}
	failedFirst := func(a, b hist.Check) int { return cmp.Compare(min(1, b.Failed), min(1, a.Failed)) } // one that failed is never left out
	for _, c := range slices.SortedStableFunc(slices.Values(script.Checks), failedFirst) {
		add(Outcome{Name: c.Name, Passed: c.Passed, Failed: c.Failed})
	}
	return all
}

// checkOutcomes refuses outcomes that no record has.
func (r Record) checkOutcomes() error {
	if len(r.Outcomes) > mostOutcomes {
		return fmt.Errorf("outcomes: %d; want at most %d", len(r.Outcomes), mostOutcomes)
	}
	for _, o := range r.Outcomes {
		most := limits["requests"].most
		if n := len([]rune(o.Name)); n == 0 || n > mostName || o.Passed < 0 || o.Failed < 0 || float64(max(o.Passed, o.Failed)) > most {
			return fmt.Errorf("outcomes: %.40q: passed %d times, failed %d times; want a name of 1 to %d characters, and 0 to %g", o.Name, o.Passed, o.Failed, mostName, most)
		}
	}
	return nil
}
