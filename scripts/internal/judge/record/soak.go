package record

import (
	"fmt"

	"fairstream/scripts/internal/judge/raw"
)

// A Soak is what a loading says of the tokens and of the ruler, beside its records.
type Soak struct {
	Accounts []Account // of the targets that were loaded, as far as known
	Unknown  []string  // the other targets
	// Growth of the ruler's memory with each stream, of all targets; nil: not known.
	K6, Stub *Growth
}

// ReadSoak reads a loading of a directory of raw files: of a scenario of one plateau
// without a name, all targets together.
func ReadSoak(dir string, round int, scenario string) (s Soak, err error) {
	l, ok, err := readLoading(raw.Dir(dir, round, scenario, ""))
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
	streams, _ := m.rulerStreams()
	grown := func(pid int) *Growth {
		if g, ok := m.rssSlope([]int{pid}, streams); ok {
			return &g
		}
		return nil
	}
	s.K6, s.Stub = grown(l.facts.K6PID), grown(l.facts.StubPID)
	return s, nil
}
