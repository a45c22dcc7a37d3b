package sse

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairstream/k6/sse/hist"
)

// A log is what VUs did, in the order in which they did it.
type turnLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *turnLog) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// deal runs VUs through a schedule; a stream takes some milliseconds.
func deal(t *testing.T, vus int, s schedule) ([]string, []turnReport) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var root rootModule
	var log turnLog
	var all sync.WaitGroup
	if err := root.dealer.set(string(text)); err != nil {
		t.Fatal(err)
	}
	for vu := range vus {
		all.Go(func() {
			for dealt := false; ; {
				at, plateau, slice, ok := root.dealer.next(t.Context(), vu, dealt)
				if dealt = ok; !ok {
					return
				}
				log.add(fmt.Sprintf("%s %s %s %d begin", slice, plateau, at.Name, vu))
				time.Sleep(time.Duration(2+vu) * time.Millisecond)
				log.add(fmt.Sprintf("%s %s %s %d end", slice, plateau, at.Name, vu))
			}
		})
	}
	all.Wait()
	return log.lines, root.dealer.done
}

func TestTurnsFollowEachOtherAndDoNotOverlap(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	s := schedule{
		Targets: []targetURL{{"a", ""}, {"b", ""}, {"c", ""}},
		Watched: map[string][]int{"a": {os.Getpid()}, "gone": {ended.Process.Pid}},
		Turns: []turn{
			{"small", []int{1}, 2, 20}, {"small", []int{0}, 2, 20}, // by turns
			{"large", []int{0, 2}, 3, 30}, // side by side
		},
	}
	lines, done := deal(t, 6, s)
	open, last := map[string]int{}, 0
	vus := map[string][]string{}
	for _, line := range lines {
		f := strings.Fields(line)
		slice := int(f[0][0] - '0')
		if slice < last {
			t.Fatalf("%q after a stream of turn %d", line, last)
		}
		if f[4] == "end" {
			open[f[0]]--
			continue
		}
		if slice > last && open[fmt.Sprint(last)] > 0 {
			t.Fatalf("%q while %d streams of turn %d are open", line, open[fmt.Sprint(last)], last)
		}
		last = slice
		open[f[0]]++
		if who := f[2] + f[3]; !slices.Contains(vus[f[0]], who) {
			vus[f[0]] = append(vus[f[0]], who)
		}
	}
	for slice, want := range map[string]string{"0": "[b0 b1]", "1": "[a0 a1]", "2": "[a0 a2 a4 c1 c3 c5]"} {
		slices.Sort(vus[slice])
		if got := fmt.Sprint(vus[slice]); got != want {
			t.Errorf("turn %s: VUs %s, want %s", slice, got, want)
		}
	}
	if len(done) != 3 {
		t.Fatalf("%d reports, want 3", len(done))
	}
	for i, r := range done {
		if r.Turn != i || r.TookMS < float64(r.PlannedMS) || r.PlannedMS != s.Turns[i].MS || r.BegunUnixMS == 0 {
			t.Errorf("turn %d: %+v", i, r)
		}
		if used, known := r.CPUMS["a"]; !known || used < 0 || used > 1000*r.TookMS {
			t.Errorf("turn %d: CPU time %v", i, r.CPUMS)
		}
		if _, known := r.CPUMS["gone"]; known || !slices.Equal(r.Lost, []string{"gone"}) {
			t.Errorf("turn %d: a process that is not there: %v, lost %v", i, r.CPUMS, r.Lost)
		}
	}
	if got := fmt.Sprint(done[2].Targets); got != "[a c]" || done[2].Plateau != "large" {
		t.Errorf("turn 2: %s", got)
	}
}

// CPU time is that of the watched process in that turn alone.
func TestCPUTimeOfATurn(t *testing.T) {
	before, err := cpuTime([]int{os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	for ownCPUTime() < before+50*time.Millisecond { // burns
	}
	after, err := cpuTime([]int{os.Getpid(), os.Getpid()})
	if err != nil || after < 2*before+100*time.Millisecond {
		t.Errorf("%v, %v; want at least 50 ms more than %v, twice", after, err, before)
	}
}

func TestSchedulesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		`{`:  "unexpected end of JSON",
		`{}`: "0 targets, 0 turns",
		`{"targets":[{"name":"a"}],"turns":[{"targets":[0],"vus":1}]}`:                                      "turn 0: 1 targets, 1 VUs, 0 ms",
		`{"targets":[{"name":"a"}],"turns":[{"targets":[1],"vus":1,"ms":1}]}`:                               "turn 0: target 1 of 1",
		`{"targets":[{"name":"a"}],"turns":[{"targets":[0],"vus":1,"ms":1},{"targets":[],"vus":1,"ms":1}]}`: "turn 1: 0 targets",
	} {
		var d dealer
		if err := d.set(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	var far dealer
	if err := far.set(`{"targets":[{"name":"a"}],"turns":[{"targets":[0],"vus":1,"ms":1}],"watched":{"x":[5000000]}}`); err == nil || !strings.Contains(err.Error(), `watched "x": process 5000000`) {
		t.Error(err)
	}
	var d dealer
	good := `{"targets":[{"name":"a"}],"turns":[{"targets":[0],"vus":1,"ms":1}]}`
	if err := d.set(good); err != nil {
		t.Error(err)
	}
	if err := d.set(good); err != nil { // the next VU
		t.Error(err)
	}
	if err := d.set(good + " "); err == nil {
		t.Error("a second plan is taken")
	}
}

// In a script, with VUs of k6.
func TestTurnsInAScript(t *testing.T) {
	v := testVU(t)
	v.state.VUID = 1
	text, err := v.rt.RunString(`
		sse.schedule('{"targets":[{"name":"a","url":"http://127.0.0.1:1/chat"}],"turns":[{"plateau":"10","targets":[0],"vus":1,"ms":1}]}');
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
		Turns struct {
			Planned int
			Turns   []turnReport
		}
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
