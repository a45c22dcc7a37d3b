package record

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/testfile"
)

// A real run: one server that is right, and three that fail in their ways.
func mixed(t *testing.T) (Details, []Record) {
	records, all, _, err := FromRaw("testdata/mixed")
	if err != nil {
		t.Fatal(err)
	}
	return NewDetails(all), records
}

func TestOfARun(t *testing.T) {
	d, records := mixed(t)
	var got bytes.Buffer
	if err := WriteDetails(&got, d); err != nil {
		t.Fatal(err)
	}
	testfile.Check(t, "testdata/mixed.details.json", got.Bytes())
	back, err := ReadDetails(&got)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Fit(records); err != nil {
		t.Error(err)
	}
	if err := back.Fit(records[:1]); err == nil {
		t.Error("fits records of another run")
	}
	back.K6Runs = []K6Run{{Scenario: Ranking, Levels: []string{"warm-up", "baseline", "stress-10"}}}
	if err := back.Fit(records); err != nil {
		t.Errorf("a ranking: %v", err)
	}
}

// Only the first round is shown second by second; distributions are of all.
func TestRoundsAreMerged(t *testing.T) {
	var all []K6Details
	for _, round := range []int{2, 1} {
		var c hist.Counts
		c.Merge(hist.Counts{Count: 3, SumUS: 6000, MinUS: 2000, MaxUS: 2000, Buckets: map[int]uint64{hist.Bucket(2000): 3}})
		all = append(all, K6Details{
			Workload: "relay", Scenario: "baseline", Round: round, Slices: []K6Slice{{Level: "", TookMS: 1, Rates: map[string]float64{"a": 1234.5}}},
			Timelines: []K6Timeline{{Process: "a", Second: []int64{1, 3}, CPUPct: []float64{1.4, 2}, RSSBytes: []int64{1024, 2048}}},
			Durations: []Durations{{Target: "a", Scenario: "baseline", Of: map[string]hist.Counts{"stream": c}}},
		})
	}
	var got bytes.Buffer
	if err := WriteDetails(&got, NewDetails(all)); err != nil {
		t.Fatal(err)
	}
	const want = `{"schema":3,"workload":"relay","k6_runs":[{"scenario":"baseline","round":1,"target":"","levels":[""],"targets":["a"],"slices":[[0,0,1,0,1230]],` +
		`"timelines":[{"process":"a","first":1,"cpu_pct":[1,null,2],"rss_kib":[1,null,2]}]}],` +
		`"distributions":[{"target":"a","scenario":"baseline","curves":{"stream":[6,2000,2000,2000]}}]}` + "\n"
	if got.String() != want {
		t.Errorf("%s\nwant\n%s", got.String(), want)
	}
}

// A value and the middle of its bucket are at most 3 % apart, and buckets
// follow each other.
func TestBuckets(t *testing.T) {
	last := -1
	for us := int64(0); us < 1<<20; us += 1 + us>>9 {
		i := Bucket(us)
		if i < last || i > last+1 {
			t.Fatalf("bucket of %d us is %d, after %d", us, i, last)
		}
		last = i
		if low := BucketStart(i); low > us || Bucket(low) != i || Bucket(low-1) != max(0, i-1) {
			t.Fatalf("least of bucket %d, of %d us, is %d", i, us, low)
		}
	}
	if i := Bucket(mostUS); i != buckets-1 {
		t.Errorf("the last bucket is %d, want %d", i, buckets-1)
	}
}

func TestContradictionsAreRefused(t *testing.T) {
	d, _ := mixed(t)
	var whole bytes.Buffer
	if err := WriteDetails(&whole, d); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"schema":         {`"schema":3`, `"schema":4`, "schema 4; this tool reads schema 3"},
		"schema and key": {`"schema":3`, `"schema":4,"mood":"new"`, "details: schema 4; this tool reads schema 3"},
		"workload":       {`"workload":"relay"`, `"workload":"relais"`, `workload "relais": unknown`},
		"unknown key":    {`"round":1`, `"round":1,"html":"<b>"`, `unknown field "html"`},
		"level":          {`"slices":[[0,`, `"slices":[[7,`, "slice 1: level 7"},
		"half a place":   {`"slices":[[0,`, `"slices":[[0.5,`, "slice 1: level 0.5"},
		"lengths":        {`"cpu_pct":[`, `"cpu_pct":[1,`, "values from second"},
		"levels":         {`"stream":[`, `"stream":[1,`, "a bucket for each level of the count"},
		"other unit":     {`"workload":"relay"`, `"workload":"web"`, "distribution 1: 4 curves; want request, ttfb"},
		"other curve":    {`"ttft":`, `"ttfb":`, `distribution 1: no curve "ttft"`},
		"more":           {"\n", "\n{}", "text after the JSON"},
	} {
		text := strings.Replace(whole.String(), c.old, c.new, 1)
		if text == whole.String() {
			t.Errorf("%s: %q is not there", name, c.old)
		}
		if _, err := ReadDetails(strings.NewReader(text)); c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// The buckets of a curve are those of the quantiles of all values.
func TestCurves(t *testing.T) {
	var c hist.Counts
	for i := range int64(1000) {
		us := 20_000 + 10*i
		c.Merge(hist.Counts{Count: 1, SumUS: us, MinUS: us, MaxUS: us, Buckets: map[int]uint64{hist.Bucket(us): 1}})
	}
	curve, at := CurveOf(c), 0
	if err := curve.check(); err != nil || !slices.Equal(curve[:4], Curve{1000, 25_000, 20_000, 30_000}) {
		t.Fatalf("%v: %v", err, curve)
	}
	all := levels(1000)
	if n := len(all); n != 21 || all[0] != 1.25 || all[9] != 10 || all[20] != 200 || len(curve) != 4+n {
		t.Fatalf("levels %v; curve %v", all, curve)
	}
	for i, x := range all {
		at += int(curve[4+i])
		if want := Bucket(int64(c.QuantileUS(1 - 1/x))); at != want {
			t.Errorf("1 of %g is in bucket %d, want %d", x, at, want)
		}
	}
	for name, broken := range map[string]Curve{
		"mean below least": {6, 1, 2, 3, 1}, "descending": {10, 2, 1, 3, 5, 1, -1}, "no bucket": {6, 2, 1, 3, buckets}, "nothing": {0, 0, 0, 0}, "short": {6, 2},
	} {
		if err := broken.check(); err == nil {
			t.Errorf("%s: %v is no error", name, broken)
		}
	}
}

func FuzzReadDetails(f *testing.F) {
	text, err := os.ReadFile("testdata/mixed.details.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"schema":3,"workload":"relay","k6_runs":[{"slices":[[0,0,1]],"levels":[""],"timelines":[{"cpu_pct":[null],"rss_kib":[1]}]}],"distributions":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadDetails(bytes.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteDetails(&out, d); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadDetails(&out); err != nil {
			t.Errorf("what was written cannot be read: %v", err)
		}
	})
}
