package common

import (
	"context"
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

	"fairstream/k6/common/http1"
	"fairstream/k6/shared/hist"
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

// hangs is a target whose requests all hang.
const hangs = "hangs"

// A sleeper is a user whose requests take some milliseconds, and go nowhere.
type sleeper struct {
	*VU
	log  *sliceLog
	name string
	key  Key
}

func (s *sleeper) Enter(k Key) error          { s.key = k; return nil }
func (s *sleeper) Head(*http1.Head)           {}
func (s *sleeper) Body([]byte) error          { return nil }
func (s *sleeper) Enough() bool               { return false }
func (s *sleeper) End(failure *http1.Failure) {}

func (s *sleeper) Send() {
	vu := s.VU.number*len(s.Targets) + s.at
	line := fmt.Sprintf("%s %s %s %d ", s.key.Slice, s.key.Level, s.key.Target, vu)
	s.log.add(line + "begin")
	s.Call(s.Loop().Now()+time.Duration(2+vu)*time.Millisecond, func() {
		s.log.add(line + "end")
		kind := ""
		if s.key.Target == hangs {
			kind = http1.TimedOut
		}
		s.Done(kind)
	})
}

// sleepers makes a run of sleepers.
func sleepers(t *testing.T, s Schedule) (*run, *sliceLog) {
	t.Helper()
	if err := s.check(); err != nil {
		t.Fatal(err)
	}
	for i := range s.Targets {
		s.Targets[i].URL = "http://127.0.0.1:1/"
	}
	log := new(sliceLog)
	r, err := newRun(s, "stream", 2, func(_ int, vu *VU) User { return &sleeper{VU: vu, log: log} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	return r, log
}

// deal runs VUs through a schedule; a request takes some milliseconds.
func deal(t *testing.T, s Schedule) ([]string, hist.Slices) {
	t.Helper()
	r, log := sleepers(t, s)
	if err := r.do(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.lines, r.report
}

func TestSlicesFollowEachOtherAndDoNotOverlap(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	s := Schedule{
		Targets: []Target{{"a", ""}, {"b", ""}, {"c", ""}},
		Watched: map[string][]int{"a": {os.Getpid()}, "gone": {ended.Process.Pid}},
		Slices: []Slice{
			{Level: "small", Targets: []int{1}, VUs: 2, MS: 500}, // by slices, each long enough for all VUs
			{Level: "small", Targets: []int{0}, VUs: 2, MS: 500},
			{Level: "large", Targets: []int{0, 2}, VUs: 3, MS: 500}, // side by side
		},
	}
	lines, report := deal(t, s)
	done := report.Slices
	open, last := map[string]int{}, 0
	vus := map[string][]string{}
	for _, line := range lines {
		f := strings.Fields(line)
		slice := int(f[0][0] - '0')
		if slice < last {
			t.Fatalf("%q after a request of slice %d", line, last)
		}
		if f[4] == "end" {
			open[f[0]]--
			continue
		}
		if slice > last && open[fmt.Sprint(last)] > 0 {
			t.Fatalf("%q while %d requests of slice %d are open", line, open[fmt.Sprint(last)], last)
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

// A slice with a number of requests ends with that number, each target's own.
func TestASliceOfSomeRequests(t *testing.T) {
	lines, report := deal(t, Schedule{
		Targets: []Target{{"a", ""}, {"b", ""}},
		Slices: []Slice{
			{Level: "warm-up", Targets: []int{0, 1}, VUs: 3, MS: 60_000, Requests: 10},
			{Level: "10", Targets: []int{1, 0}, VUs: 1, MS: 20},
		},
	})
	started := map[string]int{}
	for _, line := range lines {
		if f := strings.Fields(line); f[4] == "begin" && f[1] == "warm-up" {
			started[f[2]]++
		}
	}
	if started["a"] != 10 || started["b"] != 10 || len(report.Slices) != 2 {
		t.Errorf("%v requests in %d slices; want 10 of each in 2", started, len(report.Slices))
	}
	if took := report.Slices[0].TookMS; took > 30_000 {
		t.Errorf("the slice waited %.0f ms", took)
	}
}

// Many short slices with one VU: the end of a slice's time may fall anywhere
// between two questions, and must never leave the VU waiting for itself.
func TestNoSliceIsWaitedForByItsOnlyVU(t *testing.T) {
	s := Schedule{Targets: []Target{{"a", ""}}}
	for range 300 {
		s.Slices = append(s.Slices, Slice{Level: "x", Targets: []int{0}, VUs: 1, MS: 1})
	}
	r, _ := sleepers(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := r.do(ctx); err != nil || len(r.report.Slices) != len(s.Slices) {
		t.Errorf("%d of %d slices were over in a minute: %v", len(r.report.Slices), len(s.Slices), err)
	}
}

// A target that hangs is given up after its slice, and the others are not.
func TestATargetThatHangsIsGivenUp(t *testing.T) {
	lines, report := deal(t, Schedule{
		Targets: []Target{{"a", ""}, {hangs, ""}},
		Slices: []Slice{
			{Level: "x", Targets: []int{0}, VUs: 2, MS: 500},
			{Level: "x", Targets: []int{1}, VUs: 2, MS: 60_000},
			{Level: "x", Targets: []int{1}, VUs: 2, MS: 60_000},
			{Level: "x", Targets: []int{0}, VUs: 2, MS: 500},
			{Level: "x", Targets: []int{0, 1}, VUs: 2, MS: 500},
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

// VUs are busy while they have a request, and the peak is that of the level.
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
	slice := Slice{Level: "x", Targets: []int{0}, VUs: 2, MS: 500}
	_, report := deal(t, Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice}})
	got := report.Slices[0]
	if busy := got.BusyMS["a"]; busy < 900 || busy > 2*got.TookMS || got.VUs != 2 {
		t.Errorf("2 VUs were busy for %.1f ms in %.1f", busy, got.TookMS)
	}
	if peak, known := got.PeakRSSBytes[itself]; !known || peak > before-32<<20 {
		t.Errorf("peak %d, %v; it was %d before 64 MiB were freed", peak, known, before)
	}
}

// The end of the run ends what VUs wait for: a pause, their place in the spread, an arrival.
func TestTheEndOfTheRunEndsASlice(t *testing.T) {
	for name, slice := range map[string]Slice{
		"requests": {Level: "x", Targets: []int{0}, VUs: 3, MS: 600_000},
		"pause":    {Level: "x", Targets: []int{0}, VUs: 3, MS: 600_000, PauseMS: 600_000},
		"spread":   {Level: "x", Targets: []int{0}, VUs: 3, MS: 600_000, SpreadMS: 600_000},
		"rate":     {Level: "x", Targets: []int{0}, VUs: 3, MS: 600_000, RatePerS: 0.01},
	} {
		r, _ := sleepers(t, Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice, slice}})
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		start := time.Now()
		if err := r.do(ctx); err != nil || len(r.report.Slices) != 0 {
			t.Errorf("%s: %v, %d slices are over", name, err, len(r.report.Slices))
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: the end took %v", name, took)
		}
		cancel()
	}
}

// 200 VUs for each of two targets: a slice ends only when all their requests have ended.
func TestManyVUsEndEachSliceTogether(t *testing.T) {
	slice := Slice{Level: "x", Targets: []int{0, 1}, VUs: 200, MS: 100, SpreadMS: 50}
	lines, report := deal(t, Schedule{Targets: []Target{{"a", ""}, {"b", ""}}, Slices: []Slice{slice, slice, slice}})
	open, now := map[string]bool{}, "0"
	begun := map[string]bool{}
	for _, line := range lines {
		f := strings.Fields(line)
		vu := f[2] + f[3]
		if f[0] != now {
			if len(open) > 0 || f[0] < now {
				t.Fatalf("slice %s began while %d requests of slice %s were open", f[0], len(open), now)
			}
			now = f[0]
		}
		if f[4] == "end" {
			delete(open, vu)
			continue
		}
		if open[vu] {
			t.Fatalf("VU %s has two requests at a time", vu)
		}
		open[vu], begun[f[0]+vu] = true, true
	}
	if len(open) > 0 || len(begun) != 3*400 || len(report.Slices) != 3 {
		t.Errorf("%d requests did not end; %d VUs began, %d slices", len(open), len(begun), len(report.Slices))
	}
}
