package compare

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// declares is a workload whose servers declare their requests.
func declares() workload.Workload {
	return workload.All[slices.IndexFunc(workload.All, func(w workload.Workload) bool { return w.Declares })]
}

// round is a round of a server, at the rate of a load. At 100 requests/s it takes this share of the machine, and of a
// core, and has this number of requests open.
func round(l raw.LoadChange, machine, core, open, stressMS float64) []record.Record {
	times := float64(max(l.RatePerS, firstRate)) / 100
	if l.RatePerS > 0 {
		times = float64(l.RatePerS) / 100
	}
	machine, core, open = machine*times, core*times, open*times
	of := func(scenario string, m record.Metrics) record.Record {
		r := record.Record{Workload: declares().Name, Round: 1, Scenario: scenario, Metrics: m}
		r.Server.Name, r.Server.Side = "a", "base"
		return r
	}
	return []record.Record{
		of("mixed", record.Metrics{"machine_cpu_pct": &machine, "server_cpu_mean_pct": &core, "in_flight_mean": &open}),
		of("stress-500", record.Metrics{"request_p50_ms": &stressMS, "request_p95_ms": &stressMS}),
	}
}

// The rate leaves half of the machine idle, and half of a core for a server with one thread. The tries end.
func TestARateSuitsServersThatDeclareRequests(t *testing.T) {
	for name, c := range map[string]struct {
		machine, core, open float64 // at 100 requests/s
		rate, tries         int
	}{
		"fast":             {2, 1, 0.1, 2000, 2},
		"very fast":        {0.2, 0.1, 0.01, 5000, 2},
		"as first tried":   {40, 30, 1, 0, 1},
		"slow":             {90, 80, 3, 50, 2},
		"very slow":        {900, 100, 20, 10, 2},
		"has one thread":   {5, 20, 0.1, 200, 2},
		"waits for a disk": {1, 1, 4, 200, 2},
		"unknown":          {0, 0, 0, 0, 1},
	} {
		load, tries := raw.LoadChange{}, 0
		for why := []string{""}; len(why) > 0; tries++ {
			if tries > 9 {
				t.Fatal(name, "never ends")
			}
			load, why = suited(load, round(load, c.machine, c.core, c.open, 50))
		}
		if load != (raw.LoadChange{RatePerS: c.rate}) || tries != c.tries {
			t.Errorf("%s: %+v after %d tries; want %d requests/s after %d", name, load, tries, c.rate, c.tries)
		}
	}
}

// A rate that takes more than it did in the first try is lowered, and never raised again.
func TestARateThatIsTooHighIsLowered(t *testing.T) {
	at := raw.LoadChange{RatePerS: 1000}
	load, why := suited(at, round(at, 7, 3, 0.2, 50))
	if load.RatePerS != 500 || len(why) != 1 || !strings.Contains(why[0], "mixed: 1000 requests/s to each target took 70 % of the machine") {
		t.Errorf("%+v, %q", load, why)
	}
	at = raw.LoadChange{RatePerS: 10}
	if load, why := suited(at, round(at, 900, 3, 0.2, 50)); load != at || why != nil {
		t.Errorf("%+v, %q; want the lowest rate to stay", load, why)
	}
	at = raw.LoadChange{RatePerS: 50}
	if load, why := suited(at, round(at, 1, 1, 0.1, 50)); load != at || why != nil {
		t.Errorf("%+v, %q; want it to stay", load, why)
	}
}

// Other programs make requests slow, so more are open at a time, and that lowers no rate.
func TestANoisyRoundDoesNotLowerTheRate(t *testing.T) {
	at := raw.LoadChange{RatePerS: 500}
	records := round(at, 5, 5, 4, 50)
	if load, _ := suited(at, records); load.RatePerS != 200 {
		t.Errorf("quiet: %+v; want 200 requests/s", load)
	}
	others := 40.0
	for i := range records {
		records[i].Conditions.OthersPct = &others
	}
	if load, why := suited(at, records); load != at {
		t.Errorf("noisy: %+v, %q; want the same", load, why)
	}
}

func TestSlicesSuitSlowRequestsToo(t *testing.T) {
	at := raw.LoadChange{RatePerS: 50}
	load, why := suited(at, round(at, 1, 1, 0.1, 600))
	if load != (raw.LoadChange{RatePerS: 50, SliceMS: 2400}) || len(why) != 1 || !strings.Contains(why[0], "stress-500: a request of a@base took 600 ms") {
		t.Errorf("%+v, %q", load, why)
	}
}

// The scripts have the same first rate, and the same connections.
func TestTheScriptsHaveTheFirstRate(t *testing.T) {
	dir := "../../../../k6/" + declares().Name
	for file, want := range map[string]string{
		"lib/ring.js": fmt.Sprintf("RATE_PER_S || %d)", firstRate),
		"compare.js":  fmt.Sprintf("level: 'mixed', vus: %d, rate_per_s,", pacedVUs),
	} {
		if text, err := os.ReadFile(dir + "/" + file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v; want %q", file, err, want)
		}
	}
}
