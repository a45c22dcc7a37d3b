package load

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestASummaryOfK6IsReadAsItsGoldenFileSays(t *testing.T) {
	for _, name := range []string{"summary-stress", "summary-all-failed"} {
		t.Run(name, func(t *testing.T) {
			s, err := ParseSummary(testdata(t, name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(s, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			if *update {
				if err := os.WriteFile(filepath.Join("testdata", name+".golden"), got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := testdata(t, name+".golden"); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestASummaryWithoutAnyGoodStreamHasNoTimes(t *testing.T) {
	s, err := ParseSummary(testdata(t, "summary-all-failed.json"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Stream != nil || s.TTFT != nil || s.Gap != nil || s.Transit != nil || s.Streams != 0 || s.Failed == 0 || s.VUs != 10 {
		t.Errorf("got %+v; want failed streams only, and no times", s)
	}
}

// edited is the real summary of stress after a change of the file and of its series.
func edited(t *testing.T, edit func(file, series map[string]any)) []byte {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(testdata(t, "summary-stress.json"), &file); err != nil {
		t.Fatal(err)
	}
	edit(file, file["series"].([]any)[0].(map[string]any))
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWhatIsNotWholeHasFailed(t *testing.T) {
	whole, err := ParseSummary(testdata(t, "summary-stress.json"))
	if err != nil {
		t.Fatal(err)
	}
	n := whole.Streams
	for _, c := range []struct {
		failed map[string]any
		begun  int64
		want   int64
		broken []string
	}{
		{map[string]any{}, n, 0, nil},
		{map[string]any{"status": 2, "cut": 1}, n + 3, 3, []string{`1 times "cut"`, `2 times "status"`}},
		{map[string]any{"status": 2}, n + 5, 5, []string{`2 times "status"`, "3 times no end"}},
		{map[string]any{"status": 2}, n, 2, []string{`2 times "status"`}}, // fewer begun than ended cannot be, and hides no failure
	} {
		s, err := ParseSummary(edited(t, func(_, series map[string]any) { series["failed"], series["begun"] = c.failed, c.begun }))
		if err != nil || s.Streams != n || s.Failed != c.want || !reflect.DeepEqual(s.Broken, c.broken) {
			t.Errorf("%+v: got %+v, %v", c, s, err)
		}
	}
}

func TestWhatIsUnknownIsNotZero(t *testing.T) {
	s, err := ParseSummary(edited(t, func(file, series map[string]any) { file["vus_max"], series["transit_negative"] = nil, 1 }))
	if err != nil || s.VUs != 0 || s.Transit != nil || s.TTFT == nil {
		t.Errorf("a load too short for a sample, with a clock that was set back: %+v, %v", s, err)
	}
	s, err = ParseSummary(edited(t, func(file, _ map[string]any) { file["series"], file["iteration_mean_ms"] = []any{}, nil }))
	if err != nil || s.Streams != 0 || s.Failed != 0 || s.Stream != nil {
		t.Errorf("no stream: %+v, %v", s, err)
	}
}

func TestSummariesThatCannotBe(t *testing.T) {
	whole := testdata(t, "summary-stress.json")
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":         {nil, "EOF"},
		"a log":         {[]byte("level=error"), "invalid character"},
		"half":          {whole[:len(whole)/2], "unexpected EOF"},
		"and more":      {append(whole, '{'), "text after the JSON"},
		"no duration":   {edited(t, func(file, _ map[string]any) { delete(file, "duration_ms") }), "duration_ms is missing or 0"},
		"0 seconds":     {edited(t, func(file, _ map[string]any) { file["duration_ms"] = 0 }), "duration_ms is missing or 0"},
		"other layout":  {edited(t, func(file, _ map[string]any) { file["layout"] = "hdr" }), `layout is "hdr"; want log-linear-512`},
		"two series":    {edited(t, func(file, series map[string]any) { file["series"] = []any{series, series} }), "2 series; want one"},
		"no iterations": {edited(t, func(file, _ map[string]any) { file["iteration_mean_ms"] = nil }), "iteration_mean_ms is null"},
		"unknown key":   {edited(t, func(file, _ map[string]any) { file["more"] = 1 }), `unknown field "more"`},
		"lost times":    {edited(t, func(_, series map[string]any) { series["ok"] = 7 }), "7 streams were whole, and"},
		"broken counts": {edited(t, func(_, series map[string]any) { series["gap_us"].(map[string]any)["count"] = 1 }), "histogram: count is 1"},
	} {
		if s, err := ParseSummary(c.data); err == nil || !strings.Contains(err.Error(), c.want) || !reflect.DeepEqual(s, Summary{}) {
			t.Errorf("%s: got %+v, %v; want %q", name, s, err, c.want)
		}
	}
}

func FuzzASummaryHasTimesIfAStreamWasWhole(f *testing.F) {
	f.Add(testdata(f, "summary-all-failed.json"))
	f.Add([]byte(`{"duration_ms": 1, "layout": "log-linear-512", "series": []}`))
	f.Add([]byte(`{"duration_ms": 1, "layout": "log-linear-512", "vus_max": 1e300, "iteration_mean_ms": 1, "series": [{"begun": 1, "ok": 1, "stream_us": {"count": 1, "sum_us": 5, "min_us": 5, "max_us": 5, "buckets": {"5": 1}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSummary(data)
		if err == nil && (s.Seconds <= 0 || (s.Stream != nil) != (s.Streams > 0)) {
			t.Errorf("accepted: %+v", s)
		}
	})
}
