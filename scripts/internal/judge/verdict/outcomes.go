package verdict

import (
	"maps"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// An Outcome is a check or a threshold of a script, or whether the requests of one name fail. It says in how many rounds it failed
// on each side, of those that count.
type Outcome struct {
	Name       string
	Base, Head int // rounds
	Rounds     int
}

// HeadAlone reports whether it fails in each round at head, and in none at base. Chance does not explain that.
func (o Outcome) HeadAlone() bool { return o.Rounds > 1 && o.Head == o.Rounds && o.Base == 0 }

// Fails reports whether it fails in some round.
func (o Outcome) Fails() bool { return o.Base+o.Head > 0 }

// noteOutcomes notes what failed on each side.
func (r *Round) noteOutcomes(base, head record.Record) {
	for side, of := range []record.Record{base, head} {
		note := func(name string, failed bool) {
			if r.Outcomes == nil {
				r.Outcomes = map[string][2]bool{}
			}
			at := r.Outcomes[name]
			at[side] = at[side] || failed
			r.Outcomes[name] = at
		}
		for _, o := range of.Outcomes {
			kind := "check"
			if o.Threshold {
				kind = "threshold"
			}
			note(kind+" "+o.Name, o.Failed > 0)
		}
		for _, q := range of.Requests {
			if workload.Named(of.Workload).Scripted { // elsewhere the record itself fails
				note("request "+q.Name, q.Failed > 0)
			}
		}
	}
}

// outcomes counts over rounds, in the order of the names. Those of head alone come first.
func outcomes(rounds []Round) (all []Outcome) {
	names := map[string]bool{}
	for _, r := range rounds {
		for name := range r.Outcomes {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		o := Outcome{Name: name, Rounds: len(rounds)}
		for _, r := range rounds {
			if at := r.Outcomes[name]; at[0] {
				o.Base++
			}
			if at := r.Outcomes[name]; at[1] {
				o.Head++
			}
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b Outcome) int { return order(a) - order(b) })
	return all
}

// order puts what fails at head alone first, and what never fails last.
func order(o Outcome) int {
	switch {
	case o.HeadAlone():
		return 0
	case o.Fails():
		return 1
	}
	return 2
}

// HeadAlone names what fails at head alone.
func (a Answer) HeadAlone() (names []string) {
	for _, o := range a.Outcomes {
		if o.HeadAlone() {
			names = append(names, o.Name)
		}
	}
	return names
}
