package compare

import (
	"strings"
	"testing"

	"fairstream/scripts/record"
)

// A record without a figure that is unfit is of the machine or the ruler: its round
// is measured again, and its server is not dead however often that happens.
func TestWhatTheMachineCouldNotDoIsNoDeath(t *testing.T) {
	const why = "not ready after 5s; this machine is too busy"
	for name, c := range map[string]struct {
		unfit bool
		want  Verdict
	}{"the machine's": {true, Inconclusive}, "its own": {false, Regressed}} {
		p := Pairs(pairRecords(func(r *record.Record) {
			if r.Server.Side == "head" && r.Round > 2 {
				r.Status, r.Why, r.Metrics = record.Invalid, []string{why}, record.Metrics{}
				if c.unfit {
					r.Conditions.Unfit = []string{why}
				}
			}
		}))[0]
		for _, r := range p.Rounds {
			lost := r.Round > 2
			if r.Dead[1] != (lost && !c.unfit) || (len(r.Spoiled) > 0) != (lost && c.unfit) {
				t.Errorf("%s: round %d: dead %v, spoiled %q", name, r.Round, r.Dead, r.Spoiled)
			}
		}
		if a := Judge(p, nil); a.Verdict != c.want {
			t.Errorf("%s: %s %q; want %s", name, a.Verdict, a.Why, c.want)
		} else if c.unfit && !strings.Contains(strings.Join(a.Spoiled, "\n"), why) {
			t.Errorf("%s: told is %q", name, a.Spoiled)
		}
	}
}
