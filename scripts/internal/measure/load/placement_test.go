package load

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestSplitGivesEveryCoreToOneSide(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("one core cannot be split")
	}
	lower, upper := strings.Split(Split.rig(), ","), strings.Split(Split.server(), ",")
	both := slices.Concat(lower, upper)
	slices.Sort(both)
	if len(slices.Compact(both)) != runtime.NumCPU() || len(lower) == 0 || len(upper) < len(lower) {
		t.Errorf("rig %v, servers %v of %d cores", lower, upper, runtime.NumCPU())
	}
	if Shared.rig() != "" || Shared.server() != "" {
		t.Errorf("shared: %q, %q", Shared.rig(), Shared.server())
	}
}

func TestThePlacementIsThatOfTheMachineUnlessSomebodySaysOtherwise(t *testing.T) {
	own, both := Shared, split(os.DirFS("/"))
	if runtime.NumCPU() >= 4 {
		own = both
	}
	for text, want := range map[string]Placement{"": own, "shared": Shared, "split": both} {
		if got, err := ParsePlacement(text); err != nil && runtime.NumCPU() > 1 || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := ParsePlacement("pinned"); err == nil || err.Error() != `placement "pinned": want shared or split` {
		t.Error(err)
	}
}

func TestTheListOfCoresIsInOrder(t *testing.T) {
	if got := list([]int{11, 2, 3}); got != "2,3,11" {
		t.Errorf("got %s", got)
	}
}
