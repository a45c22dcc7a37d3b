package record

import (
	"fmt"
	"path/filepath"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// A Soak holds the tokens or rows, and the rig's memory, of a k6 run. Its records leave them out.
type Soak struct {
	Accounts []Account // tokens of the loaded targets, as far as known
	Rows     []Rows    // messages of the loaded targets, as far as known
	Unknown  []string  // targets without an account
	// Memory growth of the rig with each request of all targets; nil is unknown.
	K6, Stub *Growth
}

// ReadSoak reads a k6 run from a directory of raw files. The scenario must load all targets together, on one
// level without a name.
func ReadSoak(dir string, round int, scenario string) (s Soak, err error) {
	var run raw.Run
	if err := raw.ReadJSON(filepath.Join(dir, raw.RunFile), &run); err != nil {
		return s, err
	}
	l, ok, err := readK6Run(raw.Dir(dir, round, scenario, ""), run.Workload)
	if err == nil && !ok {
		err = fmt.Errorf("%s, round %d: not finished", scenario, round)
	}
	if err != nil {
		return s, err
	}
	for _, t := range l.facts.Targets {
		known := true
		switch {
		case l.workload.Unit == workload.Stream:
			var a Account
			if a, known = l.account(t.Name); known {
				s.Accounts = append(s.Accounts, a)
			}
		case l.workload.Database && t.Name != raw.Direct:
			var r Rows
			if r, known = l.rows(t); known {
				s.Rows = append(s.Rows, r)
			}
		}
		if !known {
			s.Unknown = append(s.Unknown, t.Name)
		}
	}
	m := l.measured(raw.TargetFacts{Name: raw.Direct}, scenario, "", 0)
	requests, _ := m.rigRequests()
	grown := func(pid int) *Growth {
		if g, ok := m.rssSlope([]int{pid}, requests); ok {
			return &g
		}
		return nil
	}
	s.K6, s.Stub = grown(l.facts.K6PID), grown(l.facts.StubPID)
	return s, nil
}
