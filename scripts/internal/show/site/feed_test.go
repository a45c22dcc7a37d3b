package site_test

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/show/site"
)

// A change of whatever size is told without an exponent, as verdicts are.
func TestFeedOfLargeChanges(t *testing.T) {
	facts := simulated(t, long, 3)
	s, m := build(t, facts)
	path := get[site.Flags](t, s, m.Flags).Flags[0].Path
	for change, want := range map[float64]string{129.5: "MB x130 [x130 to x132]", 12_899: "MB x12900 [x12900 to x12900]"} {
		s, _ := build(t, flagsWith(t, facts, path, func(f *archive.Flag) {
			f.Cells[0].Change, f.Cells[0].Low, f.Cells[0].High = change, change-1, change+1
		}))
		if feed := string(s["regressions.xml"]); !strings.Contains(feed, want) {
			t.Errorf("%v: want %q in %s", change, want, feed)
		}
	}
}
