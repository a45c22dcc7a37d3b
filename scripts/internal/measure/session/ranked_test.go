package session

import (
	"math"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// rankingOf has a record of each server and round, in steady and stress-200. Figures are those of a value, by server.
func rankingOf(of map[string][]float64, others ...float64) (records []record.Record) {
	for name, values := range of {
		for round, v := range values {
			pct, none := 0.0, 0.0
			if round < len(others) {
				pct = others[round]
			}
			for _, scenario := range []string{"steady", "stress-200"} {
				records = append(records, record.Record{
					Workload: "relay", Server: raw.Server{Name: name}, Scenario: scenario, Round: round + 1, Status: record.OK,
					Run: record.Run{Asked: raw.Asked{Rounds: 4}}, Conditions: record.Conditions{OthersPct: &pct},
					Metrics: record.Metrics{"failed_pct": &none, "server_cpu_us_per_stream": &v, "rate_per_s": &v},
				})
			}
		}
	}
	return records
}

// late makes the rig late in the first rounds.
func late(records []record.Record, rounds int) []record.Record {
	for i := range records {
		if records[i].Round <= rounds {
			records[i].Conditions.Disturbed = []string{"k6 or the stub was delayed"}
		}
	}
	return records
}

func TestARankingEndsWhenItIsDecided(t *testing.T) {
	for name, c := range map[string]struct {
		records   []record.Record
		round     int
		done      bool
		discarded int
		end       string
	}{
		"one round":     {rankingOf(map[string][]float64{"a": {100}, "b": {200}}), 1, false, 0, ""},
		"two rounds":    {rankingOf(map[string][]float64{"a": {100, 101}, "b": {200, 202.2}}), 2, false, 0, ""},
		"apart":         {rankingOf(map[string][]float64{"a": {100, 101, 99}, "b": {200, 202.2, 198}}), 3, true, 0, "all pairs of servers are apart, or differ by less than 3 %, after 3 rounds"},
		"too noisy":     {rankingOf(map[string][]float64{"a": {100, 120, 100}, "b": {120, 100, 100}}), 3, false, 0, ""},
		"at the limit":  {rankingOf(map[string][]float64{"a": {100, 120, 100, 90}, "b": {120, 100, 100, 110}}), 4, true, 0, "4 rounds are the limit; neither apart nor within 3 % are "},
		"a bad round":   {rankingOf(map[string][]float64{"a": {100, 120, 100, 90}, "b": {120, 100, 100, 110}}, 1, 60, 2, 2), 4, false, 1, ""},
		"repeated":      {rankingOf(map[string][]float64{"a": {100, 120, 100, 90, 80}, "b": {80, 100, 100, 110, 90}}, 1, 60, 2, 3, 1), 5, true, 1, "4 rounds are the limit"},
		"too slow":      {late(rankingOf(map[string][]float64{"a": {100, 120, 100, 90}, "b": {120, 100, 100, 110}}), 4), 4, true, 0, "4 rounds are the limit"},
		"late once":     {late(rankingOf(map[string][]float64{"a": {100, 120, 100, 90}, "b": {120, 100, 100, 110}}), 1), 4, false, 1, ""},
		"one server":    {rankingOf(map[string][]float64{"a": {100, 101, 99}}), 3, false, 0, ""},
		"a failing one": {rankingOf(map[string][]float64{"a": {100, 101, 99}, "b": {math.NaN(), 5, 5}}), 3, false, 0, ""},
	} {
		p := progressOf(c.records, c.round, 4, 2)
		if p.Done != c.done || p.Discarded != c.discarded || p.Done && !strings.HasPrefix(p.end(), c.end) {
			t.Errorf("%s: %+v, %s; want done %v, discarded %d, %q", name, p, p.end(), c.done, c.discarded, c.end)
		}
	}
}
