package raw

import (
	"fmt"

	"fairstream/k6/shared/hist"
)

// checkCycles refuses a discarded slice without another in its place, and two slices of a target in a cycle that both
// count. k6 may have ended within a repeat; then both count, and the slices are not whole.
func checkCycles(all []hist.Slice, whole bool) error {
	type place struct {
		level  string
		cycle  int
		target string
	}
	counting := map[place]int{}
	for _, s := range all {
		for _, target := range s.Targets {
			if !s.Discarded {
				counting[place{s.Level, s.Cycle, target}]++
			}
		}
	}
	for _, s := range all {
		if s.Discarded && s.Cycle < 1 {
			return fmt.Errorf("slice %d: it does not count, and is in no cycle", s.Slice)
		}
		for _, target := range s.Targets {
			n := counting[place{s.Level, s.Cycle, target}]
			if s.Discarded && n == 0 || s.Cycle > 0 && n > 1 && whole {
				return fmt.Errorf("slice %d: %d slices of %s in cycle %d of level %q count; want one",
					s.Slice, n, target, s.Cycle, s.Level)
			}
		}
	}
	return nil
}
