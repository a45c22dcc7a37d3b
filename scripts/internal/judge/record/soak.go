package record

import (
	"fmt"

	"fairstream/scripts/internal/judge/raw"
)

// A Soak is what a k6 run says of the tokens and of the rig, beside its records.
type Soak struct {
	Accounts []Account // of the targets that were loaded, as far as known
	Unknown  []string  // the other targets
	// Growth of the rig's memory with each stream, of all targets; nil: not known.
	K6, Stub *Growth
}

// ReadSoak reads a k6 run of a directory of raw files: of a scenario of one level
// without a name, all targets together.
func ReadSoak(dir string, round int, scenario string) (s Soak, err error) {
	l, ok, err := readK6Run(raw.Dir(dir, round, scenario, ""))
	if err == nil && !ok {
		err = fmt.Errorf("%s, round %d: not finished", scenario, round)
	}
	if err != nil {
		return s, err
	}
	for _, t := range l.facts.Targets {
		if a, known := l.account(t.Name); known {
			s.Accounts = append(s.Accounts, a)
		} else {
			s.Unknown = append(s.Unknown, t.Name)
		}
	}
	m := l.measured(raw.TargetFacts{Name: raw.Direct}, scenario, "", 0)
	streams, _ := m.rigStreams()
	grown := func(pid int) *Growth {
		if g, ok := m.rssSlope([]int{pid}, streams); ok {
			return &g
		}
		return nil
	}
	s.K6, s.Stub = grown(l.facts.K6PID), grown(l.facts.StubPID)
	return s, nil
}
