package compare

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Nothing slows a script down. One that takes the machine in the first round ends the comparison, and later rounds are discarded.
func TestAScriptThatTakesTheMachine(t *testing.T) {
	of := func(round int, pct float64) []record.Record {
		r := record.Record{Workload: workload.Scripted, Scenario: "script", Round: round, Metrics: record.Metrics{"machine_cpu_pct": &pct, "rate_per_s": new(100.)}}
		r.Server.Side = "base"
		r.Conditions.Disturbed = []string{"it is full"}
		return []record.Record{r}
	}
	if load, why := suited(raw.LoadChange{}, of(1, 95)); load != (raw.LoadChange{}) || why != nil {
		t.Errorf("%+v, %q; want the load as it is", load, why)
	}
	if err := tooFast(of(1, 95)); err == nil || !strings.Contains(err.Error(), "took 95 % of the machine in the first round") || !strings.Contains(err.Error(), "iterations per second") {
		t.Errorf("%v", err)
	}
	for round, pct := range map[int]float64{1: 75, 2: 95} {
		if err := tooFast(of(round, pct)); err != nil {
			t.Errorf("round %d, %g %%: %v", round, pct, err)
		}
	}
}
