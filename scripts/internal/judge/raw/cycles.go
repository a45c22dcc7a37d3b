package raw

import (
	"fmt"

	"fairstream/k6/shared/hist"
)

// checkCycles refuses a repeated slice without another in its place, and two slices of a target in a cycle that both
// count. k6 may have ended within a repeat; then both count, and the slices are not whole.
func checkCycles(of []hist.Slice, whole bool) error {
	type place struct {
		level  string
		cycle  int
		target string
	}
	counts := map[place]bool{} // by a later slice
	for i := len(of) - 1; i >= 0; i-- {
		s := of[i]
		if s.Repeated && s.Cycle < 1 {
			return fmt.Errorf("slice %d: it does not count, and is in no cycle", s.Slice)
		}
		for _, target := range s.Targets {
			at := place{s.Level, s.Cycle, target}
			if s.Repeated && !counts[at] {
				return fmt.Errorf("slice %d: it does not count, and no later slice of %s in cycle %d of level %q does",
					s.Slice, target, s.Cycle, s.Level)
			}
			if !s.Repeated && s.Cycle > 0 && counts[at] && whole {
				return fmt.Errorf("slice %d: a later slice of %s in cycle %d of level %q counts too",
					s.Slice, target, s.Cycle, s.Level)
			}
			counts[at] = true
		}
	}
	return nil
}
