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

func TestASummaryWithoutAnyGoodStreamHasNoLatency(t *testing.T) {
	s, err := ParseSummary(testdata(t, "summary-all-failed.json"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Latency != nil || s.Streams != 0 || s.Failed == 0 || s.VUs != 10 {
		t.Errorf("got %+v; want failed streams only, and no latency", s)
	}
}

func TestAStreamThatWasInterruptedHasFailed(t *testing.T) {
	whole, err := ParseSummary(testdata(t, "summary-stress.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ good, failed, begun, want int64 }{
		{10, 0, 10, 0}, {10, 2, 12, 2}, {10, 2, 15, 5}, {10, 0, 13, 3},
		{10, 2, 10, 2}, // fewer begun than ended cannot be, and hides no failure
	} {
		s, err := ParseSummary(edited(t, func(_, metrics map[string]any) {
			metrics["stream_failed"] = map[string]any{"values": map[string]any{"passes": c.failed, "fails": c.good}}
			metrics["stream_begun"] = map[string]any{"values": map[string]any{"count": c.begun}}
		}))
		if err != nil || s.Streams != c.good || s.Failed != c.want || s.Seconds != whole.Seconds {
			t.Errorf("%+v: got %+v, %v", c, s, err)
		}
	}
}

func TestALoadTooShortForASampleHasNoNumberOfVUs(t *testing.T) {
	s, err := ParseSummary(edited(t, func(_, metrics map[string]any) { delete(metrics, "vus_max") }))
	if err != nil || s.VUs != 0 || s.Streams == 0 {
		t.Errorf("got %+v, %v", s, err)
	}
}

// edited is the real summary of stress after a change.
func edited(t *testing.T, edit func(state map[string]any, metrics map[string]any)) []byte {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(testdata(t, "summary-stress.json"), &file); err != nil {
		t.Fatal(err)
	}
	edit(file["state"].(map[string]any), file["metrics"].(map[string]any))
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAMissingValueIsAnErrorWithItsKey(t *testing.T) {
	for _, path := range []string{
		"stream_failed.passes", "stream_failed.fails", "iteration_duration.avg", "stream_begun.count",
		"stream_ms.avg", "stream_ms.med", "stream_ms.p(95)", "stream_ms.p(99)", "stream_ms.max",
	} {
		metric, key, _ := strings.Cut(path, ".")
		want := "metrics." + metric + ".values." + key + " is missing"
		_, err := ParseSummary(edited(t, func(_, metrics map[string]any) {
			delete(metrics[metric].(map[string]any)["values"].(map[string]any), key)
		}))
		if err == nil || err.Error() != want {
			t.Errorf("without %s: got %v, want %s", path, err, want)
		}
	}
}

func TestAMissingMetricIsAnErrorWithItsFirstKey(t *testing.T) {
	for metric, key := range map[string]string{"stream_failed": "passes", "iteration_duration": "avg", "stream_begun": "count", "stream_ms": "avg"} {
		want := "metrics." + metric + ".values." + key + " is missing"
		_, err := ParseSummary(edited(t, func(_, metrics map[string]any) { delete(metrics, metric) }))
		if err == nil || err.Error() != want {
			t.Errorf("without %s: got %v, want %s", metric, err, want)
		}
	}
}

func TestASummaryWithoutADurationIsAnError(t *testing.T) {
	const want = "state.testRunDurationMs is missing or 0; want the duration of the load"
	for name, data := range map[string][]byte{
		"missing":       edited(t, func(state, _ map[string]any) { delete(state, "testRunDurationMs") }),
		"0":             edited(t, func(state, _ map[string]any) { state["testRunDurationMs"] = 0 }),
		"negative":      edited(t, func(state, _ map[string]any) { state["testRunDurationMs"] = -1 }),
		"an empty file": []byte("{}"),
	} {
		if _, err := ParseSummary(data); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

func TestASummaryThatIsNotJSONIsAnError(t *testing.T) {
	whole := testdata(t, "summary-stress.json")
	for _, data := range [][]byte{nil, []byte("level=error"), whole[:len(whole)/2], append(whole, '{')} {
		if s, err := ParseSummary(data); err == nil || !reflect.DeepEqual(s, Summary{}) {
			t.Errorf("%.40q…: got %+v, %v; want an error", data, s, err)
		}
	}
}

func FuzzASummaryHasALatencyIfAStreamWasGood(f *testing.F) {
	f.Add(testdata(f, "summary-stress.json"))
	f.Add(testdata(f, "summary-all-failed.json"))
	f.Add([]byte(`{"state": {"testRunDurationMs": 1}, "metrics": {"vus_max": {"values": {"max": 1e300}}}}`))
	f.Add([]byte(`{"state": {"testRunDurationMs": 1}, "metrics": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSummary(data)
		if err == nil && (s.Seconds <= 0 || (s.Latency != nil) != (s.Streams > 0)) {
			t.Errorf("accepted: %+v", s)
		}
	})
}
