package load

import (
	"fmt"
	"slices"
	"testing"
)

// In two rounds each target comes once before each other target. Which orders these rounds have is random.
func TestOfTwoTargetsEachIsFirstAsOften(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(30) {
		for round := 1; round < 12; round += 2 {
			first, second := order(seed, round, 3), order(seed, round+1, 3)
			seen[fmt.Sprint(first)] = true
			if slices.Reverse(second); !slices.Equal(first, second) {
				t.Errorf("seed %d: round %d has %v, and the next, turned round, %v", seed, round, first, second)
			}
			if slices.Sort(second); !slices.Equal(second, []int{0, 1, 2}) {
				t.Errorf("seed %d, round %d: %v", seed, round, first)
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d orders of three were drawn, of six", len(seen))
	}
}
