package raw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What k6 wrote in a real run with direct, a good server, one whose every tenth
// stream fails and one that fails all.
const (
	timeSlices = "../record/testdata/mixed/1/stress/k6.json"
	paced      = "../record/testdata/mixed/1/baseline/k6.json"
	atRate     = "../record/testdata/web/2/rate/k6.json" // of requests
)

func TestASummaryOfK6IsReadAsItsGoldenFileSays(t *testing.T) {
	var got bytes.Buffer
	for _, name := range []string{paced, timeSlices, atRate} {
		s, err := ParseSummary(testdata(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Loads { // the counts themselves are hist's matter
			s.Loads[i].Counts = Counts{}
		}
		enc := json.NewEncoder(&got)
		enc.SetIndent("", "  ")
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
	}
	testfile.Check(t, "testdata/summary.golden", got.Bytes())
}

func TestATargetWithoutAnyGoodStreamHasNoTimes(t *testing.T) {
	s, err := ParseSummary(testdata(t, timeSlices))
	if err != nil {
		t.Fatal(err)
	}
	l, ok := s.Load("all-fail", "100")
	if !ok || l.Request != nil || l.TTFT != nil || l.Itl != nil || l.TokenDelay != nil || l.Requests != 0 || l.Failed == 0 || l.VUs != 100 {
		t.Errorf("got %+v; want failed streams only, and no times", l)
	}
	if _, ok := s.Load("mute", "100"); ok {
		t.Error("a target that was not loaded has a load")
	}
}

// A file of one slice of 2 VUs, and what may be wrong with it.
func small(edits ...string) []byte {
	const counts = `{"count":4,"sum_us":4000,"min_us":1000,"max_us":1000,"buckets":{"1000":4}}`
	text := `{"slices":{"planned":1,"given_up":{},"slices":[
		{"slice":0,"level":"10","targets":["a"],"vus":2,"started_unix_ms":1,"planned_ms":10,"took_ms":11,"busy_ms":{"a":20},
		 "cpu_ms":{"a":5,"k6":1},"peak_rss_bytes":{"a":4096},"lost":[],"k6_wait_ms":3,"machine_busy_ms":20,"machine_steal_ms":1}]},
		"histograms":{"layout":"log-linear-512","series":[{"target":"a","level":"10","slice":"0","started":4,"ok":4,"failed":{},"token_delay_negative":0,
		 "stream_us":C,"ttft_us":C,"ttfe_us":C,"itl_us":C,"token_delay_us":C,"connect_us":C}]}}`
	text = strings.ReplaceAll(text, "C,", counts+",")
	text = strings.ReplaceAll(text, "C}", counts+"}")
	return []byte(strings.NewReplacer(edits...).Replace(text))
}

// A slice that lasted too long is an overrun of those whose streams made it so.
func TestAnOverrunCountsForItsTargetOnly(t *testing.T) {
	const hung = `"took_ms":30`
	for name, c := range map[string]struct {
		edits []string
		want  float64
	}{
		"alone":                           {[]string{`"took_ms":11`, hung}, 3},
		"beside one that hung":            {[]string{`"took_ms":11`, hung, `"targets":["a"]`, `"targets":["a","b"]`}, 1.1},
		"beside another, and slow":        {[]string{`"took_ms":11`, hung, `"targets":["a"]`, `"targets":["a","b"]`, `"max_us":1000`, `"max_us":6000`}, 1.6},
		"beside another, and all is well": {[]string{`"targets":["a"]`, `"targets":["a","b"]`}, 1.1},
	} {
		s, err := ParseSummary(small(c.edits...))
		if err != nil {
			t.Fatal(name, err)
		}
		if l, _ := s.Load("a", "10"); math.Abs(l.Overrun()-c.want) > 1e-9 {
			t.Errorf("%s: %g times as long as planned, want %g", name, l.Overrun(), c.want)
		}
	}
}

func TestRetriesOfSlicesAreAdded(t *testing.T) {
	c := Counts{Failed: map[string]int64{}}
	for _, text := range []string{`"failed":{}`, `"failed":{},"retried":2`, `"failed":{},"retried":3`} {
		s, err := ParseSummary(small(`"failed":{}`, text))
		if err != nil {
			t.Fatal(err)
		}
		l, _ := s.Load("a", "10")
		c.merge(l.Counts)
	}
	if c.Retried != 5 {
		t.Errorf("%d requests were sent twice; want 5", c.Retried)
	}
}

func TestSlicesOfATargetAreOneLoad(t *testing.T) {
	const second = `{"slice":1,"level":"10","targets":["a"],"vus":2,"started_unix_ms":20,"planned_ms":10,"took_ms":19,"busy_ms":{"a":30},
		 "cpu_ms":{"a":7,"k6":2},"peak_rss_bytes":{"a":8192},"lost":[],"k6_wait_ms":4,"machine_busy_ms":30,"machine_steal_ms":2}]}`
	s, err := ParseSummary(small(`"machine_steal_ms":1}]}`, `"machine_steal_ms":1},`+second))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := s.Load("a", "10")
	got := map[string]float64{
		"slices": float64(l.Slices), "planned": l.PlannedSeconds, "own": l.OwnSeconds, "s": l.Seconds, "busy": l.BusySeconds, "cpu": l.CPUSeconds["a"],
		"k6": l.CPUSeconds["k6"], "peak": float64(l.PeakRSSBytes["a"]), "wait": *l.K6WaitSeconds, "rate": s.Rates[0]["a"],
		"machine": *l.MachineBusySeconds, "steal": *l.MachineStealSeconds,
	}
	want := map[string]float64{
		"slices": 2, "planned": 0.02, "own": 0.03, "s": 0.03, "busy": 0.05, "cpu": 0.012, "k6": 0.003, "peak": 8192, "wait": 0.007, "rate": 400,
		"machine": 0.05, "steal": 0.003,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestIncompleteStreamsHaveFailed(t *testing.T) {
	for _, c := range []struct {
		failed  string
		started string
		want    int64
		broken  []string
	}{
		{`{}`, "4", 0, nil},
		{`{"status":2,"cut":1}`, "7", 3, []string{"1 x cut", "2 x status"}},
		{`{"status":2}`, "9", 5, []string{"2 x status", "3 x no end"}},
		{`{"status":2}`, "4", 2, []string{"2 x status"}}, // fewer started than ended cannot be, and hides no failure
	} {
		s, err := ParseSummary(small(`"failed":{}`, `"failed":`+c.failed, `"started":4`, `"started":`+c.started))
		if err != nil {
			t.Fatal(err)
		}
		if l := s.Loads[0]; l.Requests != 4 || l.Failed != c.want || !reflect.DeepEqual(l.Broken, c.broken) {
			t.Errorf("%+v: got %+v", c, l)
		}
	}
}

// The first text of each kind is kept, and is harmless in a terminal.
func TestTheReasonOfAFailedStreamIsKept(t *testing.T) {
	for failed, want := range map[string][]string{
		`{"cut":1},"reasons":{"cut":"closed after 7 tokens\n\u001b[31m"}`:    {"1 x cut (closed after 7 tokens ?[31m)"},
		`{"cut":2,"status":1},"reasons":{"cut":"closed","status":"500: no"}`: {"2 x cut (first: closed)", "1 x status (500: no)"},
	} {
		s, err := ParseSummary(small(`"failed":{}`, `"failed":`+failed, `"started":4`, `"started":7`))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Loads[0].Broken; !reflect.DeepEqual(got[:len(want)], want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	s, err := ParseSummary(small(`"token_delay_negative":0`, `"token_delay_negative":1`, `"k6_wait_ms":3`, `"k6_wait_ms":null`, `"machine_busy_ms":20`, `"machine_busy_ms":null`, `"a":5,`, "", `{"a":4096}`, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	l := s.Loads[0]
	_, cpu := l.CPUSeconds["a"]
	_, peak := l.PeakRSSBytes["a"]
	if l.TokenDelay != nil || l.TTFT == nil || l.K6WaitSeconds != nil || l.MachineBusySeconds != nil || l.MachineStealSeconds == nil || cpu || peak {
		t.Errorf("a clock that was set back, a process that ended: %+v", l)
	}
	if s, err = ParseSummary([]byte(`{"histograms":{"layout":"log-linear-512","series":[]}}`)); err != nil || len(s.Loads) != 0 {
		t.Errorf("no slice: %+v, %v", s, err)
	}
}

// A slice without a stream has no series, since it had no token. If one target's tokens were not counted, the
// sum is unknown.
func TestTokensAreThoseOfAllSlices(t *testing.T) {
	two := func(tokens string) []byte {
		first := `{"slice":0,"level":"10","targets":["a"],"vus":2,"started_unix_ms":1,"planned_ms":10,"took_ms":11,"busy_ms":{},"cpu_ms":{},"peak_rss_bytes":{},"lost":[],"k6_wait_ms":3,"machine_busy_ms":20,"machine_steal_ms":1},`
		return small(`"slices":[`, `"slices":[`+first, `{"slice":0,"level":"10"`, `{"slice":7,"level":"10"`, `"token_delay_negative":0`, tokens+`"token_delay_negative":0`)
	}
	for tokens, want := range map[string]string{
		`"tokens":80,"tokens_doubled":3,`: "80 3", `"tokens":0,"tokens_doubled":0,`: "0 0", "": "unknown",
	} {
		s, err := ParseSummary([]byte(strings.Replace(string(two(tokens)), `"slice":"0"`, `"slice":"7"`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		got := "unknown"
		if c := s.Loads[0].Counts; c.Tokens != nil {
			got = fmt.Sprint(*c.Tokens, c.Doubled)
		}
		if got != want || s.Loads[0].Slices != 2 {
			t.Errorf("%s: %s in %d slices, want %s in 2", tokens, got, s.Loads[0].Slices, want)
		}
	}
}

func TestSummariesThatCannotBe(t *testing.T) {
	whole := small()
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":         {nil, "EOF"},
		"a log":         {[]byte("level=error"), "invalid character"},
		"half":          {whole[:len(whole)/2], "unexpected EOF"},
		"and more":      {append(small(), '{'), "text after the JSON"},
		"no unit":       {[]byte(`{"slices":{"planned":0,"slices":[],"given_up":{}}}`), "want one of the keys histograms, requests and iterations"},
		"both units":    {small(`"histograms":`, `"requests":{"layout":"log-linear-512","series":[]},"histograms":`), "want one of the keys histograms, requests and iterations"},
		"lost requests": {requests(`"ok":4`, `"ok":7`), "a, slice 0: 7 requests were complete, and 4 have a time"},
		"no time":       {small(`"took_ms":11`, `"took_ms":0`), "slice 0: 2 VUs, 10 ms planned, 0 ms taken; want some of each"},
		"no VUs":        {small(`"vus":2`, `"vus":0`), "slice 0: 0 VUs"},
		"other layout":  {small("log-linear-512", "hdr"), `layout is "hdr"; want log-linear-512`},
		"unknown key":   {small(`"planned":1`, `"planed":1`), `unknown field "planed"`},
		"lost times":    {small(`"ok":4`, `"ok":7`), "a, slice 0: 7 streams were complete, and 4 have a time"},
		"broken counts": {small(`"1000":4`, `"1000":5`), "histogram: count is 4"},
	} {
		if s, err := ParseSummary(c.data); err == nil || !strings.Contains(err.Error(), c.want) || !reflect.DeepEqual(s, Summary{}) {
			t.Errorf("%s: got %+v, %v; want %q", name, s, err, c.want)
		}
	}
}

func FuzzALoadHasTimesIfAStreamWasWhole(f *testing.F) {
	f.Add(small())
	f.Add(small(`"failed":{}`, `"failed":{"cut":-1}`))
	f.Add(cycles("-+"))
	f.Add([]byte(`{"histograms":{"layout":"log-linear-512","series":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSummary(data)
		if err != nil {
			return
		}
		for _, l := range s.Loads {
			if l.Seconds <= 0 || (l.Request != nil) != (l.Requests > 0) {
				t.Errorf("accepted: %+v", l)
			}
		}
	})
}
