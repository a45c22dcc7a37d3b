package common

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// VUs take their places in a slice's spread one after the other, whichever
// comes first. A stall may hide it, five hardly; without a spread it is never so.
func TestVUsOfASliceDoNotBeginAtOnce(t *testing.T) {
	said := ""
	for range 5 {
		if said = spreadOf(t); said == "" {
			return
		}
	}
	t.Error(said)
}

// spreadOf says how VUs of a slice began otherwise than one after the other.
func spreadOf(t *testing.T) string {
	lines, _ := deal(t, Schedule{
		Targets: []Target{{"a", ""}, {"b", ""}},
		Slices:  []Slice{{Level: "x", Targets: []int{0, 1}, VUs: 2, MS: 400, SpreadMS: 400}},
	})
	var first []string
	before := map[string]int{} // requests of VU 0 before the first of each
	of0 := 0
	for _, line := range lines {
		f := strings.Fields(line)
		if f[4] != "begin" {
			continue
		}
		if f[3] == "0" {
			of0++
		}
		if !slices.Contains(first, f[3]) {
			first = append(first, f[3])
			before[f[3]] = of0
		}
	}
	// VU 0 has a request in 2 ms, and each other VU begins 100 ms after the one before.
	if got := fmt.Sprint(first); got != "[0 1 2 3]" || before["3"] < before["1"]+2 || before["1"] < 2 {
		return fmt.Sprintf("VUs began in the order %s, after %v requests of VU 0", got, before)
	}
	return ""
}

// Before each request a VU waits, each time for another part of the pause.
func TestVUsPauseByLot(t *testing.T) {
	slice := Slice{Level: "x", Targets: []int{0}, VUs: 2, MS: 60_000, Requests: 20, SpreadMS: 1000, PauseMS: 100}
	s := Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice}}
	r, _ := sleepers(t, s)
	running, err := r.slice(0)
	if err != nil {
		t.Fatal(err)
	}
	running.started = time.Now().Add(-time.Minute)
	vu := r.vus[0][1] // the second of two
	vu.enter(running, 0)
	now, begins := vu.Loop().Now(), vu.start+500*time.Millisecond
	least, most := time.Hour, -time.Hour
	for range 200 {
		late := vu.nextDue(now) - begins
		least, most = min(least, late), max(most, late)
	}
	if least < 0 || least > 25*time.Millisecond || most < 75*time.Millisecond || most > 100*time.Millisecond {
		t.Errorf("of 200 begins the first was %v late and the last %v; want from 0 to 100 ms", least, most)
	}
	// Its next request is due after the last, and not when the slice was started.
	vu.fresh = false
	if late := vu.nextDue(now) - now; late < 0 || late > 100*time.Millisecond {
		t.Errorf("the next request is due %v after the last", late)
	}
	// Without a pause it is due at once: no VU under stress is to wait on a timer.
	running.PauseMS = 0
	if late := vu.nextDue(now) - now; late != 0 {
		t.Errorf("without a pause the next request is due %v after the last", late)
	}
	s.Slices[0].SpreadMS, s.Slices[0].VUs = 0, 1
	start := time.Now()
	deal(t, s)
	// Twenty pauses of 50 ms in the mean are hardly ever half a second together.
	if took := time.Since(start); took < 500*time.Millisecond {
		t.Errorf("20 requests with pauses took %v; want a second or so", took)
	}
}

// Arrivals are at the rate, and each is somewhere in an interval of its own.
func TestArrivalsKeepTheRate(t *testing.T) {
	slice := Slice{Level: "x", Targets: []int{0, 1}, VUs: 1, MS: 10_000, RatePerS: 100}
	r, _ := sleepers(t, Schedule{Targets: []Target{{"a", ""}, {"b", ""}}, Slices: []Slice{slice}})
	running, err := r.slice(0)
	if err != nil {
		t.Fatal(err)
	}
	if n := running.planned(); n != 1000 {
		t.Errorf("%d arrivals in 10 s at 100 a second", n)
	}
	first := 0
	for n := range int64(1000) {
		var at [2]time.Duration
		for i := range at {
			vu := r.vus[i][0]
			vu.enter(running, i)
			at[i] = vu.arrival(n)
			if least := time.Duration(n) * 10 * time.Millisecond; at[i] < least || at[i] > least+10*time.Millisecond {
				t.Fatalf("arrival %d at %v", n, at[i])
			}
		}
		if at[0] < at[1] {
			first++
		}
	}
	if first < 400 || first > 600 {
		t.Errorf("one target is first in %d of 1000 intervals", first)
	}
	if at := r.vus[0][0].arrival(1000); at != 10*time.Second {
		t.Errorf("an arrival after the end, at %v", at)
	}
}

// A slice with a rate begins its requests in time while there are VUs, and counts those that it
// could not begin. Here a request takes 2 ms, and one VU has time for 500 of 2000 at most.
func TestAnOpenModelCountsWhatCannotBeSent(t *testing.T) {
	for _, c := range []struct {
		vus         int
		rate        float64
		least, most int64 // unsent
	}{{1, 2000, 1500, 2000}, {20, 50, 0, 10}} {
		slice := Slice{Level: "x", Targets: []int{0}, VUs: c.vus, MS: 1000, RatePerS: c.rate}
		lines, report := deal(t, Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice}})
		begun := int64(0)
		for _, line := range lines {
			if strings.HasSuffix(line, "begin") {
				begun++
			}
		}
		unsent := report.Slices[0].Unsent["a"]
		if unsent < c.least || unsent > c.most || begun+unsent != int64(c.rate) || report.Slices[0].TookMS < 1000 {
			t.Errorf("%d VUs: %d begun, %d unsent of %v", c.vus, begun, unsent, c.rate)
		}
	}
}

// A slice ends with its time, though VUs pause beyond it.
func TestASliceDoesNotWaitForPauses(t *testing.T) {
	for _, slice := range []Slice{
		{Level: "x", Targets: []int{0}, VUs: 3, MS: 100, PauseMS: 600_000},
		{Level: "x", Targets: []int{0}, VUs: 3, MS: 100, RatePerS: 0.01},
	} {
		start := time.Now()
		if _, report := deal(t, Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice}}); report.Slices[0].TookMS < 100 || time.Since(start) > time.Minute {
			t.Errorf("the slice took %v ms", report.Slices[0].TookMS)
		}
	}
}
