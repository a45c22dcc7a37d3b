package sse

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"fairstream/k6/common/hist"
)

// In a script, with VUs of k6.
func TestSlicesInAScript(t *testing.T) {
	v := testVU(t)
	v.state.VUID = 1
	text, err := v.rt.RunString(`
		sse.schedule('{"targets":[{"name":"a","url":"http://127.0.0.1:1/chat"}],"slices":[{"level":"10","targets":[0],"vus":1,"ms":50}]}');
		let slices = [], t;
		while ((t = sse.slice()) !== null) slices.push(t);
		let first = slices[0], report = sse.slices();
		[first.target, first.url, first.level, first.slice, report.planned, report.slices.length, report.slices[0].targets[0], report.slices[0].cpu_ms.k6 >= 0].join(' ')`)
	if err != nil {
		t.Fatal(err)
	}
	if got := text.String(); got != "a http://127.0.0.1:1/chat 10 0 1 1 a true" {
		t.Errorf("%s", got)
	}
}

// The example in a real k6: each slice loads only its targets, has complete streams only, and knows the CPU
// time of each watched process.
func TestTheExampleOfSlicesRunsInK6(t *testing.T) {
	data := runExample(t, "slices.js", fmt.Sprintf("PID=%d", os.Getpid()))
	var got struct {
		Slices     hist.Slices
		Histograms hist.Report
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var series []string
	for _, s := range got.Histograms.Series {
		series = append(series, s.Target+" "+s.Level+" "+s.Slice)
		if s.OK == 0 || s.Started != s.OK {
			t.Errorf("%s %s %s: %d of %d streams were whole", s.Target, s.Level, s.Slice, s.OK, s.Started)
		}
	}
	if want := []string{"one 2 1", "one beside 2", "other 2 0", "other beside 2"}; !slices.Equal(series, want) {
		t.Errorf("series %q, want %q", series, want)
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
