package comparetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Requests makes the records of one round of a comparison of a server whose unit is the request. Figures scatter by
// 0.4 %, and those of head are times the factor of "RECORD METRIC". Only seed and round decide on the noise.
func Requests(w workload.Workload, server string, seed uint64, round, rounds int, factors map[string]float64) (records []record.Record) {
	random := rand.New(rand.NewPCG(seed, uint64(round)))
	zero, started := 0.0, time.Date(2026, 1, 2, 3, round, 0, 0, time.UTC)
	for _, scenario := range w.ComparedRecords() {
		speed := 1 + 0.2*random.Float64() // of the machine in this round
		for _, side := range []string{"", "base", "head"} {
			r := record.Record{
				Schema: record.Schema, Workload: w.Name, Run: record.Run{ID: fmt.Sprint(seed), Asked: raw.Asked{Rounds: rounds}}, Scenario: scenario, Round: round,
				Started: started, Status: record.OK, Why: []string{}, Metrics: record.Metrics{},
				Server: raw.Server{Name: server, Side: side}, Host: raw.Host{Cores: 2}, Conditions: record.Conditions{Disturbed: []string{}},
			}
			if side == "" {
				r.Server.Name = raw.Direct
			}
			for _, m := range record.Table(w.Name) {
				v := 50 * speed * math.Exp(0.004*random.NormFloat64())
				for of, times := range map[string]float64{"_p50_ms": 0.1, "_p99_ms": 10, "_max_ms": 100} {
					if strings.HasSuffix(m.Name, of) { // in order, also where a factor changes one
						v *= times
					}
				}
				if factor := factors[scenario+" "+m.Name]; side == "head" && factor != 0 {
					v *= factor
				}
				r.Metrics[m.Name] = &v
			}
			for _, name := range []string{"failed_pct", "in_flight_mean", "machine_cpu_pct", "server_cpu_mean_pct"} {
				r.Metrics[name] = &zero // an idle machine, so the load suits it
			}
			r.Metrics["request_p50_ms"] = &zero
			records = append(records, r)
		}
	}
	return records
}
