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
func TestTurnsInAScript(t *testing.T) {
	v := testVU(t)
	v.state.VUID = 1
	text, err := v.rt.RunString(`
		sse.schedule('{"targets":[{"name":"a","url":"http://127.0.0.1:1/chat"}],"turns":[{"plateau":"10","targets":[0],"vus":1,"ms":50}]}');
		let turns = [], t;
		while ((t = sse.turn()) !== null) turns.push(t);
		let first = turns[0], report = sse.turns();
		[first.target, first.url, first.plateau, first.slice, report.planned, report.turns.length, report.turns[0].targets[0], report.turns[0].cpu_ms.k6 >= 0].join(' ')`)
	if err != nil {
		t.Fatal(err)
	}
	if got := text.String(); got != "a http://127.0.0.1:1/chat 10 0 1 1 a true" {
		t.Errorf("%s", got)
	}
}

// The example in a real k6: each turn loads its targets alone, whole streams
// only, and the CPU time of what is watched is known for each.
func TestTheExampleOfTurnsRunsInK6(t *testing.T) {
	data := runExample(t, "turns.js", fmt.Sprintf("PID=%d", os.Getpid()))
	var got struct {
		Turns      hist.Turns
		Histograms hist.Report
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	var series []string
	for _, s := range got.Histograms.Series {
		series = append(series, s.Target+" "+s.Plateau+" "+s.Slice)
		if s.OK == 0 || s.Begun != s.OK {
			t.Errorf("%s %s %s: %d of %d streams were whole", s.Target, s.Plateau, s.Slice, s.OK, s.Begun)
		}
	}
	if want := []string{"one 2 1", "one beside 2", "other 2 0", "other beside 2"}; !slices.Equal(series, want) {
		t.Errorf("series %q, want %q", series, want)
	}
	if got.Turns.Planned != 3 || len(got.Turns.Turns) != 3 {
		t.Fatalf("%+v; want three turns", got.Turns)
	}
	for i, r := range got.Turns.Turns {
		_, known := r.CPUMS["server"]
		if r.TookMS < 200 || !known || r.CPUMS["k6"] <= 0 || len(r.Lost) > 0 {
			t.Errorf("turn %d: %+v", i, r)
		}
		if i > 0 && r.BegunUnixMS < got.Turns.Turns[i-1].BegunUnixMS+200 {
			t.Errorf("turn %d began before the one before it was over", i)
		}
	}
}
