package record

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

func TestDetailsOfK6Runs(t *testing.T) {
	_, details, _, err := FromRaw("testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	stress := details[1]
	var names []string
	for _, l := range stress.Timelines {
		names = append(names, l.Process)
		if n := len(l.Second); n == 0 || len(l.CPUPct) != n || len(l.RSSBytes) != n || !slices.IsSorted(l.Second) {
			t.Errorf("%s: seconds %v, %d and %d values", l.Process, l.Second, len(l.CPUPct), len(l.RSSBytes))
		}
	}
	if got := strings.Join(names, " "); got != "k6 stub all-fail go-http tenth-fails" {
		t.Errorf("timelines of %s", got)
	}
	if len(stress.Slices) != 16 || stress.Slices[0].Level != raw.WarmUp || stress.Slices[0].BeginMS != 0 || len(stress.Durations) != 12 {
		t.Errorf("%d slices, the first %+v, and %d durations", len(stress.Slices), stress.Slices[0], len(stress.Durations))
	}
}
