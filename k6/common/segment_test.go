package common

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.k6.io/k6/lib"
	"gopkg.in/guregu/null.v3"
)

// segmentOptions are k6's options of an instance; "" means no segment.
func segmentOptions(t *testing.T, segment, sequence string) (o lib.Options) {
	t.Helper()
	o.UserAgent = null.StringFrom("test")
	if segment == "" {
		return o
	}
	var err error
	if o.ExecutionSegment, err = lib.NewExecutionSegmentFromString(segment); err != nil {
		t.Fatal(err)
	}
	all, err := lib.NewExecutionSegmentSequenceFromString(sequence)
	if err != nil {
		t.Fatal(err)
	}
	o.ExecutionSegmentSequence = &all
	return o
}

// sequences are parts of a load that make the whole.
var sequences = map[string][]string{
	"0,1":           {"0:1"},
	"0,1/2,1":       {"0:1/2", "1/2:1"},
	"0,1/3,2/3,1":   {"0:1/3", "1/3:2/3", "2/3:1"},
	"0,1/4,1/2,1":   {"0:1/4", "1/4:1/2", "1/2:1"}, // unequal
	"0,1/7,3/5,6/7": {"0:1/7", "1/7:3/5", "3/5:6/7", "6/7:1"},
}

func segments(t *testing.T, sequence string) (all []Segment) {
	t.Helper()
	for _, part := range sequences[sequence] {
		s, err := newSegment(segmentOptions(t, part, sequence))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// Whatever the numbers: each VU, request and arrival belongs to one instance, and one that has the VUs for it.
func TestSegmentsShareAllAndNothingTwice(t *testing.T) {
	for sequence := range sequences {
		parts := segments(t, sequence)
		for _, vus := range []int64{1, 2, 3, 5, 20, 101} {
			for _, n := range []int64{1, 2, 7, 100, 1001} {
				var numbers, requests []int64
				for _, s := range parts {
					for k := range s.Scale(vus) {
						numbers = append(numbers, s.Nth(k))
					}
					for k := range s.owned(n, vus) {
						requests = append(requests, s.whose(k, vus))
					}
				}
				slices.Sort(numbers)
				slices.Sort(requests)
				if !slices.Equal(numbers, upTo(vus)) || !slices.Equal(requests, upTo(n)) {
					t.Errorf("%s: %d VUs: %v; %d requests: %v; want each number once", sequence, vus, numbers, n, requests)
				}
			}
		}
	}
}

func upTo(n int64) (all []int64) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// Instances have the VUs, the requests and the arrivals of one, each once; and the same numbers.
func TestInstancesAreTogetherAsOne(t *testing.T) {
	s := Schedule{
		Targets: []Target{{"a", ""}, {"b", ""}},
		Slices: []Slice{
			{Level: "few", Targets: []int{0}, VUs: 1, MS: 500, Requests: 5},
			{Level: "many", Targets: []int{1, 0}, VUs: 7, MS: 60_000, Requests: 40},
			{Level: "rate", Targets: []int{1}, VUs: 4, MS: 1000, RatePerS: 41},
		},
	}
	load := func(part Segment) (began map[string]int, vus [3]int, arrivals []time.Duration) {
		s.Segment = part
		r, log := sleepers(t, s)
		running, err := r.slice(2)
		if err != nil {
			t.Fatal(err)
		}
		if of := running.shares[0]; len(of.vus) > 0 {
			of.vus[0].enter(running, 0)
			for k := range of.limit {
				arrivals = append(arrivals, of.vus[0].arrival(k))
			}
			if at := of.vus[0].arrival(of.limit); at != time.Second {
				t.Errorf("the arrival after the last is at %v", at)
			}
		}
		if err := r.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		began = map[string]int{}
		for _, line := range log.lines {
			if f := strings.Fields(line); f[4] == "begin" && f[1] != "rate" {
				began[f[1]+" "+f[2]]++
			}
		}
		for i, slice := range r.report.Slices {
			vus[i] = slice.VUs
		}
		return began, vus, arrivals
	}
	wantBegan, wantVUs, wantArrivals := load(Segment{})
	for sequence := range sequences {
		began, vus, arrivals := map[string]int{}, [3]int{}, []time.Duration(nil)
		for _, part := range segments(t, sequence) {
			b, v, a := load(part)
			for key, n := range b {
				began[key] += n
			}
			for i, n := range v {
				vus[i] += n
			}
			arrivals = append(arrivals, a...)
		}
		slices.Sort(arrivals)
		if fmt.Sprint(began) != fmt.Sprint(wantBegan) || vus != wantVUs || !slices.Equal(arrivals, wantArrivals) {
			t.Errorf("%s: requests %v, VUs %v, arrivals %v; want %v, %v, %v",
				sequence, began, vus, arrivals, wantBegan, wantVUs, wantArrivals)
		}
	}
}

// anInstance is a run of sleepers as one of several instances.
func anInstance(t *testing.T, s Schedule, segment string, now time.Time) *run {
	t.Helper()
	var err error
	if s.Segment, err = newSegment(segmentOptions(t, segment, "0,1/2,1")); err != nil {
		t.Fatal(err)
	}
	r, _ := sleepers(t, s)
	if err := r.begins(now); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestInstancesBeginTogether(t *testing.T) {
	s := Schedule{
		Targets: []Target{{"a", ""}}, DrainMS: 200,
		Slices: []Slice{
			{Level: "x", Targets: []int{0}, VUs: 1, MS: 40},
			{Level: "x", Targets: []int{0}, VUs: 2, MS: 40, Requests: 1},
			{Level: "y", Targets: []int{0}, VUs: 1, MS: 40},
		},
	}
	s.StartAtMS = time.Now().Add(300 * time.Millisecond).UnixMilli()
	for _, part := range []string{"0:1/2", "1/2:1"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			r := anInstance(t, s, part, time.Now())
			if err := r.do(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r.report.Instance.Late != "" || len(r.report.Slices) != 3 {
				t.Fatalf("%d slices; late: %q", len(r.report.Slices), r.report.Instance.Late)
			}
			for i, slice := range r.report.Slices {
				if late := slice.StartedUnixMS - s.StartAtMS - int64(i)*240; late < -1 || late > mostLate.Milliseconds() {
					t.Errorf("slice %d began %d ms after its time", i, late)
				}
			}
		})
	}
}

func TestALaggingInstanceSaysSo(t *testing.T) {
	slice := Slice{Level: "x", Targets: []int{0}, VUs: 1, MS: 20}
	for name, c := range map[string]struct {
		ahead  time.Duration // of the start
		number int           // of the VU, whose requests take as many ms
		slices int
		want   string
	}{
		"the start has passed": {-time.Second, 0, 0, "slice 0 began 1"},
		"a slow request":       {50 * time.Millisecond, 300, 1, "slice 0 ended "},
	} {
		s := Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice, slice}, DrainMS: 100}
		s.StartAtMS = time.Now().Add(c.ahead).UnixMilli()
		r := anInstance(t, s, "0:1/2", time.Now())
		r.vus[0][0].number = c.number
		if err := r.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := r.report.Instance.Late; !strings.HasPrefix(got, c.want) || len(r.report.Slices) != c.slices {
			t.Errorf("%s: %d slices, late: %q; want %d and %q", name, len(r.report.Slices), got, c.slices, c.want)
		}
	}
}

// Without a time, instances that are resumed one after the other begin at the same whole time.
func TestAResumedInstanceBeginsSoon(t *testing.T) {
	s := Schedule{Targets: []Target{{"a", ""}}, DrainMS: 1}
	s.Slices = []Slice{{Level: "x", Targets: []int{0}, VUs: 1, MS: 1}}
	for at, want := range map[string]string{"12:00:00": "12:00:10", "12:00:08.9": "12:00:10", "12:00:09.1": "12:00:20"} {
		now, err := time.Parse("2006-01-02 15:04:05", "2026-01-02 "+at)
		if err != nil {
			t.Fatal(err)
		}
		r := anInstance(t, s, "1/2:1", now)
		if got := time.UnixMilli(r.report.Instance.StartUnixMS).UTC().Format(time.TimeOnly); got != want {
			t.Errorf("resumed at %s, begins at %s; want %s", at, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := anInstance(t, s, "1/2:1", time.Now())
	if err := r.do(ctx); err != nil || len(r.report.Slices) != 0 || r.report.Instance.Late != "" {
		t.Errorf("the end of the run does not end the wait: %v, %+v", err, r.report)
	}
	s.DrainMS = 0
	r, _ = sleepers(t, s)
	if err := r.begins(time.Now()); err == nil || !strings.Contains(err.Error(), "drain_ms 0: want time") {
		t.Error(err)
	}
}

// What k6 runs without a segment has no sign of one.
func TestOneK6IsNoInstance(t *testing.T) {
	s, err := newSegment(segmentOptions(t, "", ""))
	if err != nil || !s.Whole() || s.Scale(7) != 7 || s.Nth(7) != 7 || s.owned(7, 3) != 7 || s.whose(7, 3) != 7 {
		t.Errorf("%+v, %v", s, err)
	}
	slice := Slice{Level: "x", Targets: []int{0}, VUs: 1, MS: 1}
	_, report := deal(t, Schedule{Targets: []Target{{"a", ""}}, Slices: []Slice{slice}})
	if report.Instance != nil {
		t.Errorf("%+v", report.Instance)
	}
}
