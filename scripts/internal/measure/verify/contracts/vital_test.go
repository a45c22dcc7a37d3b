package contracts

import (
	"slices"
	"testing"

	"fairstream/scripts/internal/workload"
)

// Each vital check of a workload is one of its contract, and required.
func TestVitalChecksAreOfTheContract(t *testing.T) {
	for _, w := range workload.All {
		if len(w.Vital) == 0 {
			t.Errorf("%s: no vital checks", w.Name)
		}
		for _, vital := range w.Vital {
			found := false
			for _, c := range Of(w.Name) {
				found = found || c.Must && slices.Contains([]string{c.Clause, c.Clause + " " + c.Name}, vital)
			}
			if !found {
				t.Errorf("%s: %q is no required check", w.Name, vital)
			}
		}
	}
}
