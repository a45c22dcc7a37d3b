package sse

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"fairstream/k6/shared/hist"
)

// The example in a real k6: each slice loads only its targets, has complete streams only, and knows the CPU
// time of each watched process.
func TestTheExampleRunsInK6(t *testing.T) {
	data := runExample(t, "example.js", fmt.Sprintf("PID=%d", os.Getpid()))
	var got struct {
		Summary    map[string]struct{ Values map[string]float64 }
		Slices     hist.Slices
		Histograms hist.Report
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var series []string
	var streams, itls hist.Counts
	for _, s := range got.Histograms.Series {
		streams.Merge(s.Stream)
		itls.Merge(s.Itl)
		series = append(series, s.Target+" "+s.Level+" "+s.Slice)
		if s.OK == 0 || s.Started != s.OK {
			t.Errorf("%s %s %s: %d of %d streams were whole", s.Target, s.Level, s.Slice, s.OK, s.Started)
		}
	}
	if want := []string{"one 2 1", "one beside 2", "other 2 0", "other beside 2"}; !slices.Equal(series, want) {
		t.Errorf("series %q, want %q", series, want)
	}
	if itls.Count != 19*streams.Count || streams.MinUS < 40_000 {
		t.Errorf("%d streams from %d us on, %d itls", streams.Count, streams.MinUS, itls.Count)
	}
	if v := got.Summary["data_received"].Values["count"]; v < float64(streams.Count)*20*200 {
		t.Errorf("k6 counts %v bytes received in %d streams", v, streams.Count)
	}
	if got.Slices.Planned != 3 || len(got.Slices.Slices) != 3 {
		t.Fatalf("%+v; want three slices", got.Slices)
	}
	for i, r := range got.Slices.Slices {
		_, known := r.CPUMS["server"]
		if r.TookMS < 200 || !known || r.CPUMS["k6"] <= 0 || len(r.Lost) > 0 {
			t.Errorf("slice %d: %+v", i, r)
		}
		if i > 0 && r.StartedUnixMS < got.Slices.Slices[i-1].StartedUnixMS+200 {
			t.Errorf("slice %d began before the one before it was over", i)
		}
	}
}
