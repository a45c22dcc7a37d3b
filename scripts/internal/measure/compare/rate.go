package compare

import (
	"fmt"
	"math"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Servers that declare their requests have no rate in common. The first round measures what
// firstRate costs, and the comparison begins again at a rate that leaves half of the machine idle. There latency is
// the server's own, and CPU time per request is exact.
const (
	firstRate = 100 // requests per second to each target, as in the workload's scripts
	pacedVUs  = 20  // likewise, connections to each target

	wantPacedPct = 50 // of the machine, by all targets, k6 and the stub
	wantCorePct  = 50 // of one core, by a server: it may have one thread
	wantInFlight = pacedVUs / 2
	mostCorePct  = 80
	mostInFlight = pacedVUs * 3 / 4
)

// use is the most that paced scenarios took in a round.
type use struct {
	machine, core, inFlight float64
	scenario                string
}

func useOf(records []record.Record, round int) (u use, declares bool) {
	for _, r := range records {
		if _, level := record.Level(r.Scenario); r.Round < round || level != "" || !workload.Named(r.Workload).Declares {
			continue
		}
		declares = true
		u.machine, u.scenario = max(u.machine, value(r, "machine_cpu_pct")), r.Scenario
		u.core = max(u.core, value(r, "server_cpu_mean_pct"))
		if others := r.Conditions.OthersPct; others == nil || *others <= mostOthersPct { // other programs make requests slow, too
			u.inFlight = max(u.inFlight, value(r, "in_flight_mean"))
		}
	}
	return u, declares
}

// paced returns the load with a rate that suits servers which declare their requests, and the reason for a change.
// Only the first try may raise the rate, so the tries end.
func paced(l raw.LoadChange, u use) (raw.LoadChange, []string) {
	at := l.RatePerS
	if at == 0 {
		at = firstRate
	}
	if u.machine == 0 || l.RatePerS != 0 && u.machine <= mostPacedPct && u.core <= mostCorePct && u.inFlight <= mostInFlight {
		return l, nil
	}
	room := min(wantPacedPct/u.machine, divided(wantCorePct, u.core), divided(wantInFlight, u.inFlight))
	rate := workload.Rates[0]
	for _, r := range workload.Rates {
		if float64(r) <= float64(at)*room && (l.RatePerS == 0 || r < at) {
			rate = r
		}
	}
	if rate == at {
		return l, nil
	}
	l.RatePerS = rate
	return l, []string{fmt.Sprintf("%s: %d requests/s to each target took %.0f %% of the machine; a server took up to %.0f %% of a core; %.1f requests were open at a time. Want at most about %d %%, %d %% and %d",
		u.scenario, at, u.machine, u.core, u.inFlight, wantPacedPct, wantCorePct, wantInFlight)}
}

// mostScriptPct is how much of the machine a script may take.
const mostScriptPct = mostCorePct

// tooFast says by what factor to lower the load of a script that leaves the machine no room in the first round; nil if it leaves some.
// k6 cannot slow a script down. Later rounds without room are discarded.
func tooFast(records []record.Record) error {
	var most record.Record
	for _, r := range records {
		if workload.Named(r.Workload).Scripted && r.Round == 1 && value(r, "machine_cpu_pct") > value(most, "machine_cpu_pct") {
			most = r
		}
	}
	pct := value(most, "machine_cpu_pct")
	if pct <= mostScriptPct {
		return nil
	}
	factor := wantPacedPct / pct
	return fmt.Errorf("comparison: the load of the script took %.0f %% of the machine in the first round; want at most %d %%, since a full machine makes all answers slow. "+
		"Lower its rate or its VUs to about %.2g of today's. VUs without a pause take all that there is: give them a sleep, or a constant-arrival-rate of about %.3g iterations per second",
		pct, mostScriptPct, factor, value(most, "rate_per_s")*factor)
}

// divided is a/b; of nothing there may be any number.
func divided(a, b float64) float64 {
	if b == 0 {
		return math.Inf(1)
	}
	return a / b
}
