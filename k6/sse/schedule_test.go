package sse

import (
	"slices"
	"testing"
	"time"
)

// Tokens of all VUs come evenly over a gap, in the order of places, and the
// streams of each target begin all over the spread.
func TestNoTwoVUsHaveTheirTokensAtOnce(t *testing.T) {
	for _, c := range []struct {
		targets, vus int
		spreadMS     int64
		gapMS        float64
	}{
		{1, 10, 20, 1}, {1, 200, 20, 1}, {2, 30, 200, 10}, {3, 40, 1000, 50}, {3, 30, 200, 10}, {9, 10, 1000, 50}, {9, 30, 200, 10}, {10, 10, 1000, 50},
		{20, 30, 200, 10}, {3, 40, 400, 50}, // a turn that is shorter than a stream
	} {
		turn := turn{Targets: make([]int, c.targets), VUs: c.vus, SpreadMS: c.spreadMS, GapMS: c.gapMS}
		all := c.targets * c.vus
		spread, gap := time.Duration(c.spreadMS)*time.Millisecond, time.Duration(c.gapMS*float64(time.Millisecond))
		begun := make([][]time.Duration, c.targets)
		for vu := range all {
			at := turn.begins(vu)
			if want := gap * time.Duration(vu) / time.Duration(all); at%gap != want || at >= spread {
				t.Errorf("%+v: VU %d begins after %v, its tokens come %v after the gap; want %v, within %v", c, vu, at, at%gap, want, spread)
			}
			begun[turn.at(vu)] = append(begun[turn.at(vu)], at)
		}
		for target, at := range begun {
			slices.Sort(at)
			hole := at[0] + spread - at[len(at)-1]
			for i := 1; i < len(at); i++ {
				hole = max(hole, at[i]-at[i-1])
			}
			if most := 3 * max(gap, spread/time.Duration(c.vus)); hole > most {
				t.Errorf("%+v: no stream of target %d begins for %v; want at most %v", c, target, hole, most)
			}
		}
	}
}

// A spread within a gap has all VUs one after the other.
func TestASpreadIsKept(t *testing.T) {
	turn := turn{Targets: []int{0}, VUs: 4, SpreadMS: 20, GapMS: 50}
	for vu := range 4 {
		if got, want := turn.begins(vu), time.Duration(vu)*5*time.Millisecond; got != want {
			t.Errorf("VU %d begins after %v, want %v", vu, got, want)
		}
	}
	if turn.SpreadMS = 0; turn.begins(3) != 0 {
		t.Error("without a spread a VU waits")
	}
}
