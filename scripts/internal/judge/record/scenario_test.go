package record

import (
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// Records of a ranking or comparison are called as those of the scenarios that it has levels of,
// and the name says whether load was paced.
func TestNamesOfRecords(t *testing.T) {
	for _, c := range []struct {
		scenario, level, name string
		paced                 bool
	}{
		{"baseline", "", "baseline", true}, {"stress", "100", "stress-100", false},
		{Compare, "baseline", "baseline", true}, {Compare, "stress-200", "stress-200", false},
		{Ranking, "steady", "steady", true}, {Ranking, "stress-8k-50", "stress-8k-50", false},
	} {
		if got := Scenario(c.scenario, c.level); got != c.name {
			t.Errorf("%s on %q is %q, want %q", c.scenario, c.level, got, c.name)
		}
		if _, level := Level(c.name); (level == "") != c.paced {
			t.Errorf("%s has the level %q", c.name, level)
		}
		if m := (k6Run{}).measured(raw.TargetFacts{}, c.scenario, c.level, 2); m.paced != c.paced {
			t.Errorf("%s on %q: paced %v", c.scenario, c.level, m.paced)
		}
	}
}

// Two k6 runs of one run cannot give records of one name.
func TestScenariosWhoseRecordsHaveOneNameAreRefused(t *testing.T) {
	of := func(name string, levels ...string) raw.Scenario {
		return raw.Scenario{Name: name, Levels: levels}
	}
	if err := named(raw.Run{Workload: "relay", Scenarios: []raw.Scenario{of("soak", ""), of(Compare, "steady", "stress-100")}}); err != nil {
		t.Error(err)
	}
	err := named(raw.Run{Workload: "relay", Scenarios: []raw.Scenario{of("stress", "100"), of(Compare, "steady", "stress-100")}})
	if want := "records of the scenarios stress and compare would both be called stress-100"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The mean memory of a level is that of its seconds, since its peak is. A second counts on both levels that share it.
func TestMeanMemoryIsThatOfTheLevel(t *testing.T) {
	var m measured
	m.target.PIDs = []int{7}
	for i := range 8 {
		m.samples = append(m.samples, raw.Sample{Time: 101 + int64(i), PID: 7, RSSBytes: int64(i)})
	}
	for i, level := range []string{raw.WarmUp, "steady", "stress-10", "stress-10"} {
		m.summary.Slices = append(m.summary.Slices, hist.Slice{Level: level, StartedUnixMS: 100_000 + 1500*int64(i), TookMS: 1400})
	}
	for level, want := range map[string]float64{"steady": 1.5, "stress-10": 4} {
		m.load.Level = level
		if got, ok := m.meanRSS(); !ok || got != want {
			t.Errorf("%s: %g, %v; want %g", level, got, ok, want)
		}
	}
	m.load.Level = "stress-100"
	if got, ok := m.meanRSS(); ok {
		t.Errorf("a level without a slice: %g", got)
	}
}

// What memory grew by on one level is held on the next.
func TestNoSlopeOfAK6RunOfSeveralLevels(t *testing.T) {
	m := soaked(func(s int64) int64 { return 10 << 20 })
	m.summary.Slices = append([]hist.Slice{{Level: raw.WarmUp}}, m.summary.Slices...)
	if _, ok := m.rssSlope(m.target.PIDs, 1); !ok {
		t.Error("a warm-up takes the slope away")
	}
	m.summary.Slices = append(m.summary.Slices, hist.Slice{Level: "stress-100"})
	if s, ok := m.rssSlope(m.target.PIDs, 1); ok {
		t.Errorf("two levels give %+v", s)
	}
}
