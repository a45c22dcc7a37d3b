package record

import (
	"testing"

	"fairstream/k6/common/hist"
	"fairstream/scripts/internal/judge/raw"
)

// Records of pair are called as those of the scenarios that it has plateaus of,
// and the name says whether load was paced.
func TestWhatRecordsAreCalled(t *testing.T) {
	for _, c := range []struct {
		scenario, plateau, name string
		paced                   bool
	}{
		{"baseline", "", "baseline", true}, {"stress", "100", "stress-100", false},
		{"pair", "baseline", "baseline", true}, {"pair", "steady", "steady", true}, {"pair", "stress-200", "stress-200", false},
	} {
		if got := Scenario(c.scenario, c.plateau); got != c.name {
			t.Errorf("%s on %q is %q, want %q", c.scenario, c.plateau, got, c.name)
		}
		if _, plateau := Plateau(c.name); (plateau == "") != c.paced {
			t.Errorf("%s has the plateau %q", c.name, plateau)
		}
		if m := (loading{}).measured(raw.TargetFacts{}, c.scenario, c.plateau, 2); m.paced != c.paced {
			t.Errorf("%s on %q: paced %v", c.scenario, c.plateau, m.paced)
		}
	}
}

// Two loadings of one run cannot give records of one name.
func TestScenariosWhoseRecordsHaveOneNameAreRefused(t *testing.T) {
	of := func(name string, plateaus ...string) raw.Scenario {
		return raw.Scenario{Name: name, Plateaus: plateaus}
	}
	if err := named(raw.Run{Workload: "relay", Scenarios: []raw.Scenario{of("soak", ""), of(Pair, "steady", "stress-100")}}); err != nil {
		t.Error(err)
	}
	err := named(raw.Run{Workload: "relay", Scenarios: []raw.Scenario{of("stress", "100"), of(Pair, "steady", "stress-100")}})
	if want := "records of the scenarios stress and pair would both be called stress-100"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// What memory grew by on one plateau is held on the next.
func TestNoSlopeOfALoadingOfSeveralPlateaus(t *testing.T) {
	m := soaked(func(s int64) int64 { return 10 << 20 })
	m.summary.Turns = append([]hist.Turn{{Plateau: raw.WarmUp}}, m.summary.Turns...)
	if _, ok := m.rssSlope(m.target.PIDs, 1); !ok {
		t.Error("a warm-up takes the slope away")
	}
	m.summary.Turns = append(m.summary.Turns, hist.Turn{Plateau: "stress-100"})
	if s, ok := m.rssSlope(m.target.PIDs, 1); ok {
		t.Errorf("two plateaus give %+v", s)
	}
}
