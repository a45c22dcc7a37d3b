package common

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/k6/common/hist"
)

// A log is what VUs did, in the order in which they did it.
type sliceLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *sliceLog) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// hangs is a target whose streams all hang.
const hangs = "hangs"

// deal runs VUs through a schedule; a stream takes some milliseconds.
func deal(t *testing.T, vus int, s schedule) ([]string, hist.Slices) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var d Dealer
	var log sliceLog
	var all sync.WaitGroup
	if err := d.set(string(text)); err != nil {
		t.Fatal(err)
	}
	for vu := range vus {
		all.Go(func() {
			var last *share
			for hung := false; ; {
				s, ok := d.next(t.Context(), vu, last, hung)
				if !ok {
					return
				}
				last = &s
				log.add(fmt.Sprintf("%s %s %s %d begin", s.sliceTag, s.level, s.Name, vu))
				time.Sleep(time.Duration(2+vu) * time.Millisecond)
				hung = s.Name == hangs
				log.add(fmt.Sprintf("%s %s %s %d end", s.sliceTag, s.level, s.Name, vu))
			}
		})
	}
	all.Wait()
	return log.lines, d.report
}

func TestSlicesFollowEachOtherAndDoNotOverlap(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	s := schedule{
		Targets: []targetURL{{"a", ""}, {"b", ""}, {"c", ""}},
		Watched: map[string][]int{"a": {os.Getpid()}, "gone": {ended.Process.Pid}},
		Slices: []slice{
			{"small", []int{1}, 2, 500, 0, 0, 0}, {"small", []int{0}, 2, 500, 0, 0, 0}, // by slices, each long enough for all VUs
			{"large", []int{0, 2}, 3, 500, 0, 0, 0}, // side by side
		},
	}
	lines, report := deal(t, 6, s)
	done := report.Slices
	open, last := map[string]int{}, 0
	vus := map[string][]string{}
	for _, line := range lines {
		f := strings.Fields(line)
		slice := int(f[0][0] - '0')
		if slice < last {
			t.Fatalf("%q after a stream of slice %d", line, last)
		}
		if f[4] == "end" {
			open[f[0]]--
			continue
		}
		if slice > last && open[fmt.Sprint(last)] > 0 {
			t.Fatalf("%q while %d streams of slice %d are open", line, open[fmt.Sprint(last)], last)
		}
		last = slice
		open[f[0]]++
		if who := f[2] + f[3]; !slices.Contains(vus[f[0]], who) {
			vus[f[0]] = append(vus[f[0]], who)
		}
	}
	for slice, want := range map[string]string{"0": "[b0 b1]", "1": "[a0 a1]", "2": "[a0 a2 a4 c1 c3 c5]"} {
		slices.Sort(vus[slice])
		if got := fmt.Sprint(vus[slice]); got != want {
			t.Errorf("slice %s: VUs %s, want %s", slice, got, want)
		}
	}
	if len(done) != 3 {
		t.Fatalf("%d reports, want 3", len(done))
	}
	for i, r := range done {
		if r.Slice != i || r.TookMS < float64(r.PlannedMS) || r.PlannedMS != s.Slices[i].MS || r.StartedUnixMS == 0 {
			t.Errorf("slice %d: %+v", i, r)
		}
		if used, known := r.CPUMS["a"]; !known || used < 0 || used > float64(runtime.NumCPU())*r.TookMS+10 {
			t.Errorf("slice %d: CPU time %v", i, r.CPUMS)
		}
		if _, known := r.CPUMS["gone"]; known || !slices.Equal(r.Lost, []string{"gone"}) {
			t.Errorf("slice %d: a process that is not there: %v, lost %v", i, r.CPUMS, r.Lost)
		}
	}
	if got := fmt.Sprint(done[2].Targets); got != "[a c]" || done[2].Level != "large" {
		t.Errorf("slice 2: %s", got)
	}
}

// A slice with a number of streams ends with that number, each target's own.
func TestASliceOfSomeStreams(t *testing.T) {
	lines, report := deal(t, 6, schedule{
		Targets: []targetURL{{"a", ""}, {"b", ""}},
		Slices:  []slice{{"warm-up", []int{0, 1}, 3, 60_000, 10, 0, 0}, {"10", []int{1, 0}, 1, 20, 0, 0, 0}},
	})
	started := map[string]int{}
	for _, line := range lines {
		if f := strings.Fields(line); f[4] == "begin" && f[1] == "warm-up" {
			started[f[2]]++
		}
	}
	if started["a"] != 10 || started["b"] != 10 || len(report.Slices) != 2 {
		t.Errorf("%v streams in %d slices; want 10 of each in 2", started, len(report.Slices))
	}
	if took := report.Slices[0].TookMS; took > 30_000 {
		t.Errorf("the slice waited %.0f ms", took)
	}
}

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
	lines, _ := deal(t, 4, schedule{
		Targets: []targetURL{{"a", ""}, {"b", ""}},
		Slices:  []slice{{"x", []int{0, 1}, 2, 400, 0, 400, 0}},
	})
	var first []string
	before := map[string]int{} // streams of VU 0 before the first of each
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
	// VU 0 has a stream in 2 ms, and each other VU begins 100 ms after the one before.
	if got := fmt.Sprint(first); got != "[0 1 2 3]" || before["3"] < before["1"]+2 || before["1"] < 2 {
		return fmt.Sprintf("VUs began in the order %s, after %v streams of VU 0", got, before)
	}
	return ""
}

// Before each stream a VU waits, each time for another part of the pause.
func TestVUsPauseByLot(t *testing.T) {
	s := schedule{Targets: []targetURL{{"a", ""}}, Slices: []slice{{"x", []int{0}, 2, 60_000, 20, 1000, 100}}}
	d := Dealer{plan: s, started: time.Now().Add(-time.Minute)}
	now, begins := time.Now(), d.started.Add(500*time.Millisecond) // of the second of two VUs
	least, most := time.Hour, -time.Hour
	for range 200 {
		late := d.due(1, nil, now).Sub(begins)
		least, most = min(least, late), max(most, late)
	}
	if least < 0 || least > 25*time.Millisecond || most < 75*time.Millisecond || most > 100*time.Millisecond {
		t.Errorf("of 200 begins the first was %v late and the last %v; want from 0 to 100 ms", least, most)
	}
	// Its next stream is due after the last, and not when the slice was started.
	if late := d.due(1, &share{}, now).Sub(now); late < 0 || late > 100*time.Millisecond {
		t.Errorf("the next stream is due %v after the last", late)
	}
	// Without a pause it is due at once: no VU under stress is to wait on a timer.
	d.plan.Slices = []slice{{"x", []int{0}, 2, 60_000, 20, 1000, 0}}
	if late := d.due(1, &share{}, now).Sub(now); late != 0 {
		t.Errorf("without a pause the next stream is due %v after the last", late)
	}
	s.Slices[0].SpreadMS = 0
	start := time.Now()
	deal(t, 1, s)
	// Twenty pauses of 50 ms in the mean are hardly ever half a second together.
	if took := time.Since(start); took < 500*time.Millisecond {
		t.Errorf("20 streams with pauses took %v; want a second or so", took)
	}
}

// Many short slices with one VU: the end of a slice's time may fall anywhere
// between two questions, and must never leave the VU waiting for itself.
func TestNoSliceIsWaitedForByItsOnlyVU(t *testing.T) {
	s := schedule{Targets: []targetURL{{"a", ""}}}
	for range 300 {
		s.Slices = append(s.Slices, slice{"x", []int{0}, 1, 1, 0, 0, 0})
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var d Dealer
	if err := d.set(string(text)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var last *share
	for {
		s, ok := d.next(ctx, 0, last, false)
		if !ok {
			break
		}
		last = &s
	}
	if len(d.report.Slices) != len(s.Slices) {
		t.Errorf("%d of %d slices were over in a minute", len(d.report.Slices), len(s.Slices))
	}
}

// A target that hangs is given up after its slice, and the others are not.
func TestATargetThatHangsIsGivenUp(t *testing.T) {
	lines, report := deal(t, 4, schedule{
		Targets: []targetURL{{"a", ""}, {hangs, ""}},
		Slices: []slice{
			{"x", []int{0}, 2, 500, 0, 0, 0}, {"x", []int{1}, 2, 60_000, 0, 0, 0}, {"x", []int{1}, 2, 60_000, 0, 0, 0}, {"x", []int{0}, 2, 500, 0, 0, 0}, {"x", []int{0, 1}, 2, 500, 0, 0, 0},
		},
	})
	seen := map[string]bool{}
	for _, line := range lines {
		f := strings.Fields(line)
		seen[f[0]+f[2]] = true
	}
	want := map[string]bool{"0a": true, "1" + hangs: true, "3a": true, "4a": true}
	if !maps.Equal(seen, want) || len(report.Slices) != 5 {
		t.Errorf("loaded %v in %d slices, want %v", seen, len(report.Slices), want)
	}
	if why := report.GivenUp[hangs]; why != "a stream hung in slice 1" || len(report.GivenUp) != 1 {
		t.Errorf("given up: %q", report.GivenUp)
	}
}

// VUs are busy while they have a stream, and the peak is that of the level.
func TestWhatASliceTook(t *testing.T) {
	memory := make([]byte, 64<<20)
	for i := range memory {
		memory[i] = 1
	}
	before, err := peakRSS([]int{os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(memory)
	memory = nil
	debug.FreeOSMemory()
	_, report := deal(t, 2, schedule{Targets: []targetURL{{"a", ""}}, Slices: []slice{{"x", []int{0}, 2, 500, 0, 0, 0}}})
	got := report.Slices[0]
	if busy := got.BusyMS["a"]; busy < 900 || busy > 2*got.TookMS || got.VUs != 2 {
		t.Errorf("2 VUs were busy for %.1f ms in %.1f", busy, got.TookMS)
	}
	if peak, known := got.PeakRSSBytes[itself]; !known || peak > before-32<<20 {
		t.Errorf("peak %d, %v; it was %d before 64 MiB were freed", peak, known, before)
	}
}

func TestSchedulesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		`{`:  "unexpected end of JSON",
		`{}`: "0 targets, 0 slices",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1}]}`:                                      "slice 0: 1 targets, 1 VUs, 0 ms",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":5,"spread_ms":6}]}`:                 "slice 0: 1 targets, 1 VUs, 5 ms, 0 streams, spread over 6 ms",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":5,"pause_ms":-1}]}`:                 "spread over 0 ms, pauses of -1 ms",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[1],"vus":1,"ms":1}]}`:                               "slice 0: target 1 of 1",
		`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1},{"targets":[],"vus":1,"ms":1}]}`: "slice 1: 0 targets",
	} {
		var d Dealer
		if err := d.set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var far Dealer
	if err := far.set(`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1}],"watched":{"x":[5000000]}}`); err == nil || !strings.Contains(err.Error(), `watched "x": process 5000000`) {
		t.Error(err)
	}
	var twice Dealer
	if err := twice.set(`{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1}],"cores":[1,1]}`); err == nil || !strings.Contains(err.Error(), "core 1: want numbers from 0 on, each once") {
		t.Error(err)
	}
	var many Dealer
	timeSlices := strings.Repeat(`{"targets":[0],"vus":1,"ms":1},`, MaxSeries)
	if err := many.set(`{"targets":[{"name":"a"}],"slices":[` + timeSlices + `{"targets":[0],"vus":1,"ms":1}]}`); err == nil || !strings.Contains(err.Error(), "2001 slices of targets; want at most 2000") {
		t.Error(err)
	}
	var d Dealer
	good := `{"targets":[{"name":"a"}],"slices":[{"targets":[0],"vus":1,"ms":1}]}`
	if err := d.set(good); err != nil {
		t.Error(err)
	}
	if err := d.set(good); err != nil { // the next VU
		t.Error(err)
	}
	if err := d.set(good + " "); err == nil {
		t.Error("a second plan is taken")
	}
}
