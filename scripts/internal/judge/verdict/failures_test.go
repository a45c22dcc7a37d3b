package verdict

import (
	"fmt"
	"strings"
	"testing"
)

// roundsOf makes a comparison of one round for each letter: n counts, m is disturbed by the machine, b and h failed
// at base and head.
func roundsOf(planned int, letters string) Comparison {
	p := comparisonIn("http", len(letters), 0.002, nil)
	p.Planned = planned
	for i, letter := range letters {
		r := &p.Rounds[i]
		switch letter {
		case 'm':
			r.Discarded = []string{"direct was slow"}
		case 'b':
			r.Faults[0] = fmt.Sprintf("mixed: %d of 3000 requests failed", r.Round)
		case 'h':
			r.Faults[1] = fmt.Sprintf("mixed: %d of 3000 requests failed", r.Round)
		case 'x': // the machine may have caused it
			r.Discarded, r.Faults[1] = []string{"direct was slow"}, "mixed: 900 of 3000 requests failed"
		}
	}
	return p
}

// The machine is too noisy only when the rounds that it disturbed are too many. Else the failures are named, with
// their side, their number and the first of them.
func TestFailuresAreNotBlamedOnTheMachine(t *testing.T) {
	for _, c := range []struct {
		planned           int
		letters           string
		why, failed, said string
	}{
		{3, "mhm", "too many rounds failed: head failed in 1 of 3 rounds, and the machine disturbed 2 others: mixed: 2 of 3000 requests failed", "head failed in 1 of 3 rounds", ""},
		{12, "nmbmhhmnm", "too many rounds failed: base failed in 1 and head in 2 of 9 rounds, and the machine disturbed 4 others: mixed: 5 of 3000 requests failed", "base failed in 1 and head in 2 of 9 rounds", ""},
		{12, "nmmmmmmm", "the machine is too noisy: it discarded 7 of 8 rounds", "", ""},
		{12, "nmmmmmxxh", "the machine is too noisy: it discarded 7 of 9 rounds", "head failed in 1 of 9 rounds", ""},
		{12, "nnhnnbnnnnnnnn", "", "base failed in 1 and head in 1 of 14 rounds", "unchanged"},
		{12, "nnnnnnxnnnnnn", "", "", "unchanged"},
	} {
		a := Judge(roundsOf(c.planned, c.letters))
		if a.Why != c.why || a.Failed != c.failed || c.said != "" && string(a.Verdict) != c.said {
			t.Errorf("%s: %s, %q, failed %q\nwant %q, failed %q", c.letters, a.Verdict, a.Why, a.Failed, c.why, c.failed)
		}
	}
	a := Judge(roundsOf(12, "nnnhnnnnnnnnn"))
	if len(a.Discarded) != 1 || !strings.HasPrefix(a.Discarded[0], "round 4: "+OneSideFailed+": mixed: 4 of 3000") {
		t.Errorf("%q", a.Discarded)
	}
}
