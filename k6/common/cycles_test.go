package common

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/k6/shared/hist"
)

// inCycles has a warm-up, level x in three cycles, and level y in one. In the last cycle of x only b has a slice.
func inCycles(repeats int) Schedule {
	slice := func(level string, target, cycle int) Slice {
		return Slice{Level: level, Targets: []int{target}, VUs: 1, MS: 60_000, Requests: 1, Cycle: cycle, Repeats: repeats}
	}
	y := slice("y", 0, 1)
	y.Repeats = min(repeats, 1)
	return Schedule{Targets: []Target{{"a", ""}, {"b", ""}}, Slices: []Slice{
		{Level: "warm-up", Targets: []int{0, 1}, VUs: 1, MS: 60_000, Requests: 1},
		slice("x", 0, 1), slice("x", 1, 1), slice("x", 1, 2), slice("x", 0, 2), slice("x", 1, 3), y,
	}}
}

// A neighbour takes all of the machine in slices, by number, and the more the higher its value.
type neighbour struct {
	busy, steal map[int]int
	unknown     bool
	reads       int
	now         machine
}

// read is called at the begin and at the end of each slice. 1000 hours are more than any test takes.
func (n *neighbour) read([]int) *machine {
	slice, ends := n.reads/2, n.reads%2 == 1
	n.reads++
	if ends {
		n.now.busy += time.Duration(n.busy[slice]) * 1000 * time.Hour
		n.now.steal += time.Duration(n.steal[slice]) * 1000 * time.Hour
	}
	if n.unknown {
		return nil
	}
	return new(machine{n.now.busy, n.now.steal, 2})
}

// disturbed loads a schedule beside a neighbour, and returns a line of each slice's report.
func disturbed(t *testing.T, s Schedule, n *neighbour) (reports, requests []string, all hist.Slices) {
	t.Helper()
	r, log := sleepers(t, s)
	r.watch.read = n.read
	if err := r.do(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, of := range r.report.Slices {
		if of.Slice != i {
			t.Errorf("report %d is of slice %d", i, of.Slice)
		}
		line := fmt.Sprintf("%s%d %s", of.Level, of.Cycle, strings.Join(of.Targets, " "))
		if of.Discarded {
			line += " discarded"
		}
		reports = append(reports, line)
	}
	for _, line := range log.lines {
		if f := strings.Fields(line); f[4] == "begin" && !slices.Contains(requests, f[0]+" "+f[1]+" "+f[2]) {
			requests = append(requests, f[0]+" "+f[1]+" "+f[2])
		}
	}
	return reports, requests, r.report
}

func TestADisturbedCycleIsLoadedAgain(t *testing.T) {
	const (
		x    = "warm-up0 a b, x1 a, x1 b, "
		once = x + "x2 b, x2 a, x3 b, y1 a"
		// The first cycle of x is loaded again, and that of y.
		firsts = "warm-up0 a b, x1 a discarded, x1 b discarded, x2 b, x2 a, x3 b, x1 a, x1 b, y1 a discarded, y1 a"
	)
	in := func(of ...int) map[int]int {
		all := map[int]int{}
		for _, slice := range of {
			all[slice] = 1
		}
		return all
	}
	for name, c := range map[string]struct {
		repeats int
		beside  neighbour
		want    string
	}{
		"nobody":               {3, neighbour{}, once},
		"in cycle 2":           {3, neighbour{busy: in(3)}, x + "x2 b discarded, x2 a discarded, x3 b, x2 b, x2 a, y1 a"},
		"the host, in cycle 3": {3, neighbour{steal: in(5)}, x + "x2 b, x2 a, x3 b discarded, x3 b, y1 a"},
		"in cycle 2, and again": {3, neighbour{busy: map[int]int{4: 1000, 6: 1}},
			x + "x2 b discarded, x2 a discarded, x3 b, x2 b discarded, x2 a discarded, x2 b, x2 a, y1 a"},
		"in cycle 2, and worse again": {1, neighbour{busy: map[int]int{4: 1, 6: 1000}},
			x + "x2 b, x2 a, x3 b, x2 b discarded, x2 a discarded, y1 a"},
		"no repeats":     {0, neighbour{busy: in(3)}, once},
		"in the warm-up": {3, neighbour{busy: in(0)}, once},
		"on both levels": {1, neighbour{busy: in(1, 8)}, firsts},
		"all the time, but one repeat": {1, neighbour{busy: map[int]int{1: 1000, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}},
			firsts},
		"most in cycle 3": {1, neighbour{busy: map[int]int{1: 1, 5: 1000}}, x + "x2 b, x2 a, x3 b discarded, x3 b, y1 a"},
		"unknown":         {3, neighbour{busy: in(3), unknown: true}, once},
	} {
		t.Run(name, func(t *testing.T) {
			reports, requests, all := disturbed(t, inCycles(c.repeats), &c.beside)
			if got := strings.Join(reports, ", "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if all.Planned != len(reports) {
				t.Errorf("%d slices planned, and %d loaded", all.Planned, len(reports))
			}
			var want []string // each slice has its own series
			for i, of := range all.Slices {
				for _, target := range of.Targets {
					want = append(want, fmt.Sprint(i, " ", of.Level, " ", target))
				}
			}
			slices.Sort(want)
			slices.Sort(requests)
			if !slices.Equal(requests, want) {
				t.Errorf("requests of %q, want %q", requests, want)
			}
		})
	}
}

// However long a neighbour stays, a level repeats this number of cycles.
func TestRepeatsHaveALimit(t *testing.T) {
	beside := neighbour{busy: map[int]int{}}
	for slice := range 100 {
		beside.busy[slice] = 1
	}
	reports, _, all := disturbed(t, inCycles(3), &beside)
	counts, again := map[string]int{}, 0
	for _, of := range reports {
		if strings.HasSuffix(of, " discarded") {
			again++
		} else {
			counts[of]++
		}
	}
	for of, n := range counts {
		if n != 1 {
			t.Errorf("%s counts %d times; want once", of, n)
		}
	}
	// Each cycle of x once more, and the one of y.
	if len(counts) != 7 || again != 6 || all.Planned != 13 {
		t.Errorf("%d slices count, %d do not, of %d; want 7, 6, 13: %q", len(counts), again, all.Planned, reports)
	}
}

// A cycle counts until its repeat is over.
func TestACycleCountsUntilItsRepeatIsOver(t *testing.T) {
	r, _ := sleepers(t, inCycles(3))
	ctx, cancel := context.WithCancel(t.Context())
	beside := neighbour{busy: map[int]int{3: 1}}
	r.watch.read = func(cores []int) *machine {
		if beside.reads == 2*7 { // slice 6 is the first of the repeat, and has ended
			cancel()
		}
		return beside.read(cores)
	}
	if err := r.do(ctx); err != nil {
		t.Fatal(err)
	}
	discarded := slices.ContainsFunc(r.report.Slices, func(of hist.Slice) bool { return of.Discarded })
	if len(r.report.Slices) != 7 || r.report.Planned != 9 || discarded {
		t.Errorf("%d of %d slices, discarded: %v; want 7 of 9, which count", len(r.report.Slices), r.report.Planned, discarded)
	}
}

// Instances have a timetable, and see other machines. So none of them repeats a cycle.
func TestInstancesRepeatNothing(t *testing.T) {
	s := inCycles(3)
	s.DrainMS = 200
	r := anInstance(t, s, "0:1/2", time.Now())
	r.watch.machine = &machine{cores: 2}
	for i, of := range s.Slices {
		r.report.Slices = append(r.report.Slices, hist.Slice{
			Slice: i, Level: of.Level, Cycle: of.Cycle, TookMS: 1, MachineBusyMS: new(2.), MachineStealMS: new(0.),
		})
		r.repeat(i)
	}
	if len(r.Slices) != 7 || r.report.Planned != 7 {
		t.Errorf("%d slices, %d planned; want 7", len(r.Slices), r.report.Planned)
	}
	r.report.Instance = nil
	if r.repeat(6); len(r.Slices) != 8 || r.report.Planned != 8 {
		t.Errorf("without instances: %d slices, %d planned; want 8", len(r.Slices), r.report.Planned)
	}
}

func TestCyclesThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		change func(all []Slice)
		want   string
	}{
		"below 0":            {func(all []Slice) { all[1].Cycle = -1 }, "slice 1: cycle -1, 1 repeats"},
		"repeats below 0":    {func(all []Slice) { all[1].Repeats = -1 }, "slice 1: cycle 1, -1 repeats"},
		"no cycle to repeat": {func(all []Slice) { all[0].Repeats = 1 }, "slice 0: cycle 0, 1 repeats"},
		"not from 1 on":      {func(all []Slice) { all[1].Cycle, all[2].Cycle = 2, 2 }, `level "x": cycle 2 after 0`},
		"left out":           {func(all []Slice) { all[5].Cycle = 4 }, `level "x": cycle 4 after 2`},
		"none among them":    {func(all []Slice) { all[4].Cycle, all[4].Repeats = 0, 0 }, `level "x": 1 and 0 repeats`},
		"a target twice":     {func(all []Slice) { all[2].Targets = []int{0} }, `level "x": cycle 1 has target a twice`},
		"in two places":      {func(all []Slice) { all[6].Level, all[4].Level = "x", "y" }, `level "y": cycle 2 after 0`},
		"more than cycles":   {func(all []Slice) { all[6].Repeats = 2 }, `level "y": 2 repeats of 1 cycles`},
		"not everywhere":     {func(all []Slice) { all[3].Repeats = 0 }, `level "x": 1 and 0 repeats`},
	} {
		s := inCycles(1)
		c.change(s.Slices)
		if err := s.check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// The repeats are a part of the limit of series.
func TestRepeatsCountAsSeries(t *testing.T) {
	s := Schedule{Targets: []Target{{"a", ""}}}
	for cycle := range MaxSeries - 9 {
		s.Slices = append(s.Slices, Slice{Level: "x", Targets: []int{0}, VUs: 1, MS: 1, Cycle: cycle + 1, Repeats: 9})
	}
	if err := s.check(); err != nil {
		t.Error(err)
	}
	for i := range s.Slices {
		s.Slices[i].Repeats = 10
	}
	const want = "2001 slices of targets; want at most 2000 with all repeats"
	if err := s.check(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}
