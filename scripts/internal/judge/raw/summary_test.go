package raw

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/k6/common/hist"
)

var update = flag.Bool("update", false, "write the golden files")

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
	turns  = "../record/testdata/mixed/1/stress/k6.json"
	paced  = "../record/testdata/mixed/1/baseline/k6.json"
	golden = "testdata/summary.golden"
)

func TestASummaryOfK6IsReadAsItsGoldenFileSays(t *testing.T) {
	var got bytes.Buffer
	for _, name := range []string{paced, turns} {
		s, err := ParseSummary(testdata(t, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Loads { // the counts themselves are hist's matter
			s.Loads[i].Counts = hist.Series{}
		}
		enc := json.NewEncoder(&got)
		enc.SetIndent("", "  ")
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := testdata(t, golden); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
	}
}

func TestATargetWithoutAnyGoodStreamHasNoTimes(t *testing.T) {
	s, err := ParseSummary(testdata(t, turns))
	if err != nil {
		t.Fatal(err)
	}
	l, ok := s.Load("all-fail", "100")
	if !ok || l.Stream != nil || l.TTFT != nil || l.Gap != nil || l.Transit != nil || l.Streams != 0 || l.Failed == 0 || l.VUs != 100 {
		t.Errorf("got %+v; want failed streams only, and no times", l)
	}
	if _, ok := s.Load("mute", "100"); ok {
		t.Error("a target that was not loaded has a load")
	}
}

// A file of one turn of 2 VUs, and what may be wrong with it.
func small(edits ...string) []byte {
	const counts = `{"count":4,"sum_us":4000,"min_us":1000,"max_us":1000,"buckets":{"1000":4}}`
	text := `{"turns":{"planned":1,"given_up":{},"turns":[
		{"turn":0,"plateau":"10","targets":["a"],"vus":2,"begun_unix_ms":1,"planned_ms":10,"took_ms":11,"busy_ms":{"a":20},
		 "cpu_ms":{"a":5,"k6":1},"peak_rss_bytes":{"a":4096},"lost":[],"k6_wait_ms":3,"machine_busy_ms":20,"machine_steal_ms":1}]},
		"histograms":{"layout":"log-linear-512","series":[{"target":"a","plateau":"10","slice":"0","begun":4,"ok":4,"failed":{},"transit_negative":0,
		 "stream_us":C,"ttft_us":C,"ttfe_us":C,"gap_us":C,"transit_us":C,"connect_us":C}]}}`
	text = strings.ReplaceAll(text, "C,", counts+",")
	text = strings.ReplaceAll(text, "C}", counts+"}")
	return []byte(strings.NewReplacer(edits...).Replace(text))
}

// A turn that lasted too long is an overrun of those whose streams made it so.
func TestAnOverrunIsOfWhoBroughtIt(t *testing.T) {
	const hung = `"took_ms":30`
	for name, c := range map[string]struct {
		edits []string
		want  int
	}{
		"alone":                           {[]string{`"took_ms":11`, hung}, 1},
		"beside one that hung":            {[]string{`"took_ms":11`, hung, `"targets":["a"]`, `"targets":["a","b"]`}, 0},
		"beside another, and slow":        {[]string{`"took_ms":11`, hung, `"targets":["a"]`, `"targets":["a","b"]`, `"max_us":1000`, `"max_us":6000`}, 1},
		"beside another, and all is well": {[]string{`"targets":["a"]`, `"targets":["a","b"]`}, 0},
	} {
		s, err := ParseSummary(small(c.edits...))
		if err != nil {
			t.Fatal(name, err)
		}
		if l, _ := s.Load("a", "10"); l.Overruns != c.want {
			t.Errorf("%s: %d overruns, want %d", name, l.Overruns, c.want)
		}
	}
}

func TestTurnsOfATargetAreOneLoad(t *testing.T) {
	const second = `{"turn":1,"plateau":"10","targets":["a"],"vus":2,"begun_unix_ms":20,"planned_ms":10,"took_ms":19,"busy_ms":{"a":30},
		 "cpu_ms":{"a":7,"k6":2},"peak_rss_bytes":{"a":8192},"lost":[],"k6_wait_ms":4,"machine_busy_ms":30,"machine_steal_ms":2}]}`
	s, err := ParseSummary(small(`"machine_steal_ms":1}]}`, `"machine_steal_ms":1},`+second))
	if err != nil {
		t.Fatal(err)
	}
	l, _ := s.Load("a", "10")
	got := map[string]float64{
		"turns": float64(l.Turns), "overruns": float64(l.Overruns), "s": l.Seconds, "busy": l.BusySeconds, "cpu": l.CPUSeconds["a"],
		"k6": l.CPUSeconds["k6"], "peak": float64(l.PeakRSSBytes["a"]), "wait": *l.K6WaitSeconds, "rate": s.Rates[0]["a"],
		"machine": *l.MachineBusySeconds, "steal": *l.MachineStealSeconds,
	}
	want := map[string]float64{
		"turns": 2, "overruns": 1, "s": 0.03, "busy": 0.05, "cpu": 0.012, "k6": 0.003, "peak": 8192, "wait": 0.007, "rate": 400,
		"machine": 0.05, "steal": 0.003,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWhatIsNotWholeHasFailed(t *testing.T) {
	for _, c := range []struct {
		failed string
		begun  string
		want   int64
		broken []string
	}{
		{`{}`, "4", 0, nil},
		{`{"status":2,"cut":1}`, "7", 3, []string{`1 times "cut"`, `2 times "status"`}},
		{`{"status":2}`, "9", 5, []string{`2 times "status"`, "3 times no end"}},
		{`{"status":2}`, "4", 2, []string{`2 times "status"`}}, // fewer begun than ended cannot be, and hides no failure
	} {
		s, err := ParseSummary(small(`"failed":{}`, `"failed":`+c.failed, `"begun":4`, `"begun":`+c.begun))
		if err != nil {
			t.Fatal(err)
		}
		if l := s.Loads[0]; l.Streams != 4 || l.Failed != c.want || !reflect.DeepEqual(l.Broken, c.broken) {
			t.Errorf("%+v: got %+v", c, l)
		}
	}
}

func TestWhatIsUnknownIsNotZero(t *testing.T) {
	s, err := ParseSummary(small(`"transit_negative":0`, `"transit_negative":1`, `"k6_wait_ms":3`, `"k6_wait_ms":null`, `"machine_busy_ms":20`, `"machine_busy_ms":null`, `"a":5,`, "", `{"a":4096}`, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	l := s.Loads[0]
	_, cpu := l.CPUSeconds["a"]
	_, peak := l.PeakRSSBytes["a"]
	if l.Transit != nil || l.TTFT == nil || l.K6WaitSeconds != nil || l.MachineBusySeconds != nil || l.MachineStealSeconds == nil || cpu || peak {
		t.Errorf("a clock that was set back, a process that ended: %+v", l)
	}
	if s, err = ParseSummary([]byte(`{"histograms":{"layout":"log-linear-512","series":[]}}`)); err != nil || len(s.Loads) != 0 {
		t.Errorf("no turn: %+v, %v", s, err)
	}
}

// A turn without a stream has no series: no token came in it. Of one whose tokens were
// not counted, nobody knows the sum.
func TestTokensAreThoseOfAllTurns(t *testing.T) {
	two := func(tokens string) []byte {
		first := `{"turn":0,"plateau":"10","targets":["a"],"vus":2,"begun_unix_ms":1,"planned_ms":10,"took_ms":11,"busy_ms":{},"cpu_ms":{},"peak_rss_bytes":{},"lost":[],"k6_wait_ms":3,"machine_busy_ms":20,"machine_steal_ms":1},`
		return small(`"turns":[`, `"turns":[`+first, `{"turn":0,"plateau":"10"`, `{"turn":7,"plateau":"10"`, `"transit_negative":0`, tokens+`"transit_negative":0`)
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
		if got != want || s.Loads[0].Turns != 2 {
			t.Errorf("%s: %s in %d turns, want %s in 2", tokens, got, s.Loads[0].Turns, want)
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
		"no time":       {small(`"took_ms":11`, `"took_ms":0`), "turn 0: 2 VUs, 10 ms planned, 0 ms taken; want some of each"},
		"no VUs":        {small(`"vus":2`, `"vus":0`), "turn 0: 0 VUs"},
		"other layout":  {small("log-linear-512", "hdr"), `layout is "hdr"; want log-linear-512`},
		"unknown key":   {small(`"planned":1`, `"planed":1`), `unknown field "planed"`},
		"lost times":    {small(`"ok":4`, `"ok":7`), "a, slice 0: 7 streams were whole, and 4 have a time"},
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
	f.Add([]byte(`{"histograms":{"layout":"log-linear-512","series":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSummary(data)
		if err != nil {
			return
		}
		for _, l := range s.Loads {
			if l.Seconds <= 0 || (l.Stream != nil) != (l.Streams > 0) {
				t.Errorf("accepted: %+v", l)
			}
		}
	})
}
