package session

import (
	"fmt"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// Scenarios of a workload share one script, and so one life of the processes. Soak and compare have their own.
func TestScenariosShareAScript(t *testing.T) {
	for list, want := range map[string]string{
		"":                           "[ranking] [baseline steady stress]",
		"stress-200, steady, stress": "[ranking] [stress steady]",
		"soak,steady":                "[soak ranking] [steady]",
		"compare":                    "[compare] []",
	} {
		s, err := New("", workload.All[0], Options{Scenarios: list, Asked: raw.Asked{Rounds: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if scripts, ranked := s.scripts(); fmt.Sprint(scripts, ranked) != want {
			t.Errorf("%q: %q of %q; want %s", list, scripts, ranked, want)
		}
	}
}
