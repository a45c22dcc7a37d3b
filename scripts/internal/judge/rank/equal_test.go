package rank

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// costsOf are records of rounds on a machine that is slower by a factor, with 0.5 % of noise.
func costsOf(seed uint64, factor float64, rounds int) (all []record.Record) {
	w := workload.All[0]
	random := rand.New(rand.NewPCG(seed, 1))
	for round := 1; round <= rounds; round++ {
		for _, name := range []string{raw.Direct, "go-http"} {
			r := record.Record{Workload: w.Name, Scenario: w.CostIn[0], Round: round}
			r.Server.Name = name
			metric := w.Cost.Metric
			if name == raw.Direct {
				metric = "rig_cpu_us_per_" + w.Unit
			}
			r.Metrics = record.Metrics{metric: new(100 * factor * math.Exp(0.005*random.NormFloat64()))}
			all = append(all, r)
		}
	}
	return all
}

func TestMachinesAreEqualOrNot(t *testing.T) {
	all, err := Likenesses(map[string][]record.Record{"one": costsOf(1, 1, 12), "two": costsOf(2, 1, 12), "slow": costsOf(3, 1.05, 12)})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 6 {
		t.Errorf("%+v", all)
	}
	for _, l := range all {
		if l.Machine == "slow" && (!l.Different() || l.Equal() || math.Abs(l.Change-0.05) > 0.01) {
			t.Errorf("%+v", l)
		}
	}
	all, err = Likenesses(map[string][]record.Record{"one": costsOf(1, 1, 12), "two": costsOf(2, 1, 12)})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if !l.Equal() || l.Different() {
			t.Errorf("%+v", l)
		}
	}
	for text, machines := range map[string]map[string][]record.Record{
		"want two or more":    {"one": costsOf(1, 1, 12)},
		"2 undisturbed round": {"one": costsOf(1, 1, 12), "two": costsOf(2, 1, 2)},
	} {
		if _, err := Likenesses(machines); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v; want %q", err, text)
		}
	}
}
