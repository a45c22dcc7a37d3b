package raw

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/k6/shared/hist"
)

// Two processes: one works from 1000 to 2000 at half a core, the other ends at 1500.
func clocksOfTest() Clocks {
	c := Clocks{AheadMS: 100, Names: []string{"a", "b"}, CPUMS: [][]float64{nil, nil}}
	for at := 0.; at <= 3000; at += 10 {
		c.AtMS = append(c.AtMS, at)
		c.CPUMS[0] = append(c.CPUMS[0], max(0, min(500, (at-1000)/2)))
		if at <= 1500 {
			c.CPUMS[1] = append(c.CPUMS[1], 7)
		}
	}
	for at := 0.; at <= 3000; at += 100 {
		peak := int64(1000)
		if at == 1600 {
			peak = 9000
		}
		c.Machine = append(c.Machine, Reading{AtMS: at, BusyMS: new(at * 1.5), StealMS: new(0.), PeakRSSBytes: []int64{peak, 5}, SentBytes: int64(at * 1000), ReceivedBytes: int64(at)})
	}
	return c
}

func TestClocksAreAddedToTheSlicesOfTheOtherMachine(t *testing.T) {
	c := clocksOfTest()
	if err := c.check(); err != nil {
		t.Fatal(err)
	}
	slice := func(number int, level string, at int64, took float64) hist.Slice {
		return hist.Slice{Slice: number, Level: level, Targets: []string{"a"}, VUs: 3, StartedUnixMS: at, PlannedMS: 500, TookMS: took, BusyMS: map[string]float64{"a": 1},
			CPUMS: map[string]float64{"k6": 20, "stub": 10}, PeakRSSBytes: map[string]int64{}, K6WaitMS: new(1.), MachineBusyMS: new(50.), MachineStealMS: new(2.)}
	}
	all := []hist.Slice{slice(0, "warm-up", 600, 400), slice(1, "steady", 1100, 400), slice(2, "steady", 1600, 500), slice(3, "steady", 3600, 500)}
	c.addTo(all)
	first, second, third, outside := all[0], all[1], all[2], all[3]
	if first.CPUMS["a"] != 0 || first.CPUMS["b"] != 0 || first.PeakRSSBytes["a"] != 1000 || len(first.Lost) != 0 {
		t.Errorf("%+v", first)
	}
	if second.StartedUnixMS != 1000 || second.CPUMS["a"] != 200 || second.CPUMS["k6"] != 20 || second.CPUMS["stub"] != 10 || second.VUs != 3 {
		t.Errorf("%+v", second)
	}
	if *second.MachineBusyMS != 50+600 || *second.MachineStealMS != 2 || *second.K6WaitMS != 1 {
		t.Errorf("busy %g, steal %g, waited %g", *second.MachineBusyMS, *second.MachineStealMS, *second.K6WaitMS)
	}
	if third.CPUMS["a"] != 250 || third.PeakRSSBytes["a"] != 9000 || strings.Join(third.Lost, " ") != "b" {
		t.Errorf("%+v", third)
	}
	if strings.Join(outside.Lost, " ") != "a b" || outside.MachineBusyMS != nil {
		t.Errorf("%+v", outside)
	}
	if level, rate := c.BusiestLink(all[:3]); level != "warm-up" || rate != 8e6 {
		t.Errorf("%s, %g bit/s", level, rate)
	}
}

func TestClocksThatContradictThemselves(t *testing.T) {
	for text, edit := range map[string]func(*Clocks){
		"the clocks of 1 processes": func(c *Clocks) { c.CPUMS = c.CPUMS[:1] },
		"times go back":             func(c *Clocks) { c.AtMS[3] = 0 },
		"the memory of 1 processes": func(c *Clocks) { c.Machine[2].PeakRSSBytes = []int64{1} },
	} {
		c := clocksOfTest()
		edit(&c)
		dir := t.TempDir()
		if err := WriteJSON(filepath.Join(dir, ClocksFile), c); err != nil {
			t.Fatal(err)
		}
		data := `{"slices": {"planned": 0, "slices": [], "given_up": {}}, "requests": {"layout": "log-linear-512", "series": []}}`
		if err := os.WriteFile(filepath.Join(dir, SummaryFile), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSummary(filepath.Join(dir, SummaryFile)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v; want %q", err, text)
		}
	}
}
