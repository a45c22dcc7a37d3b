package verdict

import (
	"cmp"
	"fmt"
)

// TooManyFailed begins the reason of a comparison that ended because a side failed in too many rounds. They are too
// few for a verdict on that side.
const TooManyFailed = "too many rounds failed"

// OneSideFailed begins the reason of a round that does not count since a side failed in it. The machine did not
// disturb it.
const OneSideFailed = "one side failed, in too few rounds to be a verdict"

// failures says in how many rounds a side failed, and how first. Rounds that the machine disturbed are left out, since
// it may have caused their failures. text is "" without any.
func (p Comparison) failures() (text, first string) {
	var n [2]int
	var firsts [2]string
	for _, r := range p.Rounds {
		for side, fault := range r.Faults {
			if fault != "" && len(r.Discarded) == 0 {
				n[side]++
				firsts[side] = cmp.Or(firsts[side], fault)
			}
		}
	}
	first = cmp.Or(firsts[1], firsts[0])
	switch all := len(p.Rounds); {
	case n == [2]int{}:
		return "", ""
	case n[0] == 0:
		return fmt.Sprintf("head failed in %d of %d rounds", n[1], all), first
	case n[1] == 0:
		return fmt.Sprintf("base failed in %d of %d rounds", n[0], all), first
	default:
		return fmt.Sprintf("base failed in %d and head in %d of %d rounds", n[0], n[1], all), first
	}
}

// uncounted says why too many rounds do not count. It blames the machine alone only when the rounds that the machine
// disturbed are too many by themselves.
func (p Comparison) uncounted() string {
	disturbed := 0
	for _, r := range p.Rounds {
		if len(r.Discarded) > 0 {
			disturbed++
		}
	}
	failed, first := p.failures()
	if failed == "" || disturbed > MostDiscarded(p.Planned) {
		return fmt.Sprintf("%s: it discarded %d of %d rounds", TooNoisy, disturbed, len(p.Rounds))
	}
	if disturbed > 0 {
		failed += fmt.Sprintf(", and the machine disturbed %d others", disturbed)
	}
	return fmt.Sprintf("%s: %s: %s", TooManyFailed, failed, first)
}
