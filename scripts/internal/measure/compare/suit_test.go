package compare

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// uses makes a paced record as of targets that would use pct of the machine with all VUs.
func uses(pct float64) func(*record.Record, raw.LoadChange) {
	return func(r *record.Record, load raw.LoadChange) {
		used := pct / float64(max(1, load.VUDivisor))
		r.Metrics["machine_cpu_pct"] = &used
	}
}

func judged(t *testing.T, f *fakeLoader, dir string) ([]verdict.Answer, []record.Record) {
	t.Helper()
	c := &Comparison{Loader: f, Base: session.Side{Name: "base", Ref: "base"}, Head: session.Side{Name: "head", Ref: "head"}, Dir: dir, Seed: 1, Rounds: 12}
	targets, _, err := f.Checkout(t.Context(), []workload.Server{{Workload: "relay", Name: "go-http"}}, []session.Side{c.Base, c.Head})
	if err != nil {
		t.Fatal(err)
	}
	answers, records, runErr, err := c.judge(t.Context(), targets)
	if runErr != nil || err != nil {
		t.Fatal(runErr, err)
	}
	return answers, records
}

// A slow server gets a load that suits it, before a round counts; any other keeps the scenario's.
func TestASlowServerGetsALoadThatSuitsIt(t *testing.T) {
	for name, c := range map[string]struct {
		slow  func(*record.Record, raw.LoadChange)
		loads int
		want  raw.LoadChange
		says  string
	}{
		"as fast as those of the tree": {uses(45), 1, raw.LoadChange{}, ""},
		"three quarters":               {uses(75), 2, raw.LoadChange{VUDivisor: 2}, "1/2 of the usual VUs where load is paced"},
		"more than the machine":        {uses(170), 3, raw.LoadChange{VUDivisor: 4}, "1/4 of the usual VUs where load is paced"},
		"no load suits":                {uses(900), 4, raw.LoadChange{VUDivisor: 8}, "1/8 of the usual VUs where load is paced"},
	} {
		t.Run(name, func(t *testing.T) {
			f, dir := newFake(t, "head"), filepath.Join(t.TempDir(), "out")
			f.slow = c.slow
			answers, records := judged(t, f, dir)
			if len(f.jobs) != c.loads || len(answers) != 1 || answers[0].Load != c.says {
				t.Errorf("jobs %q, %d answers, load %q; want %d jobs, load %q", f.jobs, len(answers), answers[0].Load, c.loads, c.says)
			}
			if got := recorded(raw.LoadChange{}, dir); got != c.want {
				t.Errorf("run.json has %+v, want %+v", got, c.want)
			}
			for _, r := range records {
				if r.Run.VUDivisor != c.want.VUDivisor || record.Epoch(r) != record.Epoch(records[0]) {
					t.Fatalf("round %d has divisor %d, epoch %s", r.Round, r.Run.VUDivisor, record.Epoch(r))
				}
			}
			tried, _ := filepath.Glob(filepath.Join(dir, session.TriedPrefix+"*", raw.RunFile))
			if len(tried) != c.loads-1 {
				t.Errorf("set aside %q, want %d", tried, c.loads-1)
			}
		})
	}
}

// A comparison that goes on keeps its load, and so does the one that confirms it.
func TestALoadStaysWhenAComparisonGoesOn(t *testing.T) {
	f, dir := newFake(t, "head"), filepath.Join(t.TempDir(), "out")
	f.slow, f.factor["head"] = uses(75), 1.3
	first := &Comparison{Loader: f, Base: session.Side{Name: "base", Ref: "base"}, Head: session.Side{Name: "head", Ref: "head"},
		Dir: dir, Seed: 1, Rounds: 12, Confirm: true}
	targets, _, err := f.Checkout(t.Context(), []workload.Server{{Workload: "relay", Name: "go-http"}}, []session.Side{first.Base, first.Head})
	if err != nil {
		t.Fatal(err)
	}
	answers, _, _, err := first.judge(t.Context(), targets) // a fake load never ends early
	if err != nil {
		t.Fatal(err)
	}
	f.jobs = nil
	if _, err := first.confirm(t.Context(), slices.Clone(targets), answers); err != nil {
		t.Fatal(err)
	}
	_, again := judged(t, f, dir)
	if len(f.jobs) != 2 || again[0].Run.VUDivisor != 2 {
		t.Errorf("jobs %q, divisor %d; want one that confirms, and one that goes on, of half of the VUs", f.jobs, again[0].Run.VUDivisor)
	}
}

// Other programs make streams slow as well, so a round that they disturbed changes no slice; and after a round
// that counts the load stays.
func TestANoisyOrLaterRoundKeepsTheLoad(t *testing.T) {
	of := func(round int, others float64, disturbed ...string) record.Record {
		p50, p95 := 500.0, 600.0
		r := record.Record{Round: round, Scenario: "stress-200", Metrics: record.Metrics{"stream_p50_ms": &p50, "stream_p95_ms": &p95}}
		r.Server.Name, r.Server.Side, r.Conditions.OthersPct, r.Conditions.Disturbed = "a", "base", &others, disturbed
		return r
	}
	for name, c := range map[string]struct {
		records []record.Record
		changes bool
	}{
		"noisy":                     {[]record.Record{of(1, 65, "other programs")}, false},
		"noisy, then quiet":         {[]record.Record{of(1, 65, "other programs"), of(2, 0)}, true},
		"after a round that counts": {[]record.Record{of(1, 0), of(2, 0)}, false},
	} {
		if _, why := suited(raw.LoadChange{}, c.records); (len(why) > 0) != c.changes {
			t.Errorf("%s: %q; want a change: %t", name, why, c.changes)
		}
	}
}

// A server that cannot keep up with 500 connections gets longer slices beside other programs too. Else each of the
// many short ones would wait for all 500 answers, round after round.
func TestASlowServerIsSlowOnANoisyMachineToo(t *testing.T) {
	of := func(p50, others float64) []record.Record {
		r := record.Record{Workload: "http", Round: 1, Scenario: "stress-500", Metrics: record.Metrics{"request_p50_ms": &p50, "request_p95_ms": &p50}}
		r.Server.Name, r.Server.Side, r.Conditions.OthersPct = "a", "head", &others
		return []record.Record{r}
	}
	for _, c := range []struct {
		p50, others float64
		want        time.Duration
	}{{1000, 0, 4 * time.Second}, {1000, 60, 4 * time.Second}, {2000, 60, 5 * time.Second}, {450, 60, 0}, {190, 0, 0}, {5000, 100, 0}} {
		if got, _ := suited(raw.LoadChange{}, of(c.p50, c.others)); got.SliceMS != c.want.Milliseconds() {
			t.Errorf("%v ms, others use %v %%: slices of %v, want %v", c.p50, c.others, got.SliceMS, c.want)
		}
	}
}

// Slices last four streams of the slowest side, at most 5 s; direct alone never changes them.
func TestSlicesSuitASlowStream(t *testing.T) {
	of := func(side, scenario string, p50, p95 float64) record.Record {
		r := record.Record{Scenario: scenario, Metrics: record.Metrics{"stream_p50_ms": &p50, "stream_p95_ms": &p95}}
		r.Server.Name, r.Server.Side = "a", side
		return r
	}
	for name, c := range map[string]struct {
		records []record.Record
		want    time.Duration
	}{
		"fast":              {[]record.Record{of("base", "stress-100", 30, 60), of("head", "stress-200", 60, 400)}, 0},
		"slow":              {[]record.Record{of("base", "stress-200", 1050, 1210), of("head", "stress-100", 500, 520)}, 4900 * time.Millisecond},
		"slow direct":       {[]record.Record{of("", "stress-200", 900, 900)}, 0},
		"slow where paced":  {[]record.Record{of("base", "steady", 900, 900)}, 0},
		"as long as can be": {[]record.Record{of("head", "stress-200", 15000, 19000)}, 5 * time.Second},
	} {
		got, why := suited(raw.LoadChange{}, c.records)
		if got != (raw.LoadChange{SliceMS: c.want.Milliseconds()}) || (len(why) > 0) != (c.want > 0) {
			t.Errorf("%s: %+v, %q; want slices of %v", name, got, why, c.want)
		}
		if again, why := suited(got, c.records); again != got || why != nil {
			t.Errorf("%s: then %+v, %q; want the same", name, again, why)
		}
	}
}

// The limits leave the servers of the tree the load of the scenario. A request takes at most as long as two slices.
func TestServersOfTheTreeKeepTheirLoad(t *testing.T) {
	sliceMS := regexp.MustCompile(`slice_ms: (\d+)`)
	for _, w := range workload.All {
		if w.Scripted {
			continue // it has the script's own load
		}
		name := filepath.Join("../../../../k6", w.Name, "compare.js")
		text, err := os.ReadFile(name)
		found := sliceMS.FindAllStringSubmatch(string(text), -1)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v; want a slice_ms", name, err)
		}
		for _, slice := range found {
			if ms, err := strconv.Atoi(slice[1]); err != nil || 2*ms < record.MostRequestMS {
				t.Errorf("%s: slices of %s ms; want at least half of %d ms", name, slice[1], record.MostRequestMS)
			}
		}
	}
	records := testfile.Read(t, mixed, record.Read)
	if load, why := suited(raw.LoadChange{}, records); load != (raw.LoadChange{}) {
		t.Errorf("%+v, %q", load, why)
	}
}
