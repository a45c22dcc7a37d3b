package simulate

import (
	"math"
	"strconv"
	"strings"

	"fairstream/scripts/history"
	"fairstream/scripts/record"
)

// What is planted: throughput of server 0 falls by slowed and comes back, memory of
// server 2 grows by grown.
const slowed, grown = 0.06, 0.20

// scatter is that between two runs, and between two rounds of one.
const scatter = 0.02

// load is what a scenario asks for, about as it was once measured on two cores.
var load = map[string]struct{ rate, streamMS, gapMS, direct float64 }{
	"baseline": {10, 1001, 50, 1}, "steady": {149, 201, 10, 1}, "stress-10": {482, 20.7, 1, 0.99}, "stress-100": {4640, 21.5, 1, 0.97}, "stress-200": {8100, 25, 1.2, 0.87},
}

// level is what a metric is without noise.
func level(m record.Metric, scenario string, server int) float64 {
	of := load[scenario]
	own := 1 + 0.03*float64(server%8)
	switch {
	case m.Unit == "streams/s":
		return of.rate / own
	case m.Name == "rate_over_direct":
		return of.direct / own
	case m.Unit == "ratio":
		return 1.2 * own
	case strings.HasPrefix(m.Name, "stream_") && m.Unit == "ms":
		return of.streamMS * own
	case strings.HasPrefix(m.Name, "gap_"):
		return of.gapMS
	case m.Unit == "ms added":
		return 0.1 * own
	case m.Unit == "ms":
		return 0.5 * own
	case m.Unit == "us":
		return 400 * own
	case m.Unit == "bytes":
		return 2e7 * own
	}
	return 40 * own
}

// vary is a figure of the digits that a history keeps.
func (s *simulation) vary(v, share float64) *float64 {
	v *= math.Exp(share * s.random.NormFloat64())
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return &v
}

// target is a record of a server, or of direct, at a place of the leg's list.
func (s *simulation) target(n, server, place int, scenario string) history.Target {
	t := history.Target{Server: place, Status: record.OK, Figures: make([]*float64, len(record.Table))}
	paced := !strings.HasPrefix(scenario, "stress")
	if server == 3 && n == s.failing {
		t.Status, t.Why = record.Invalid, []string{"no stream came whole, 155 failed: \"status\" <script>alert(1)</script>"}
	} else if server >= 0 && n == s.doubtful {
		t.Status, t.Why = record.Suspect, []string{"k6 waited for a core"}
	}
	for k, m := range record.Table {
		switch {
		case m.Name == "failed_pct":
			var failed float64
			if t.Status == record.Invalid {
				failed = 100
			}
			t.Figures[k] = &failed
		case t.Status == record.Invalid,
			server < 0 && (m.Unit == "ms added" || strings.HasPrefix(m.Name, "server_")),
			m.Unit == "bytes/stream",
			paced && m.Name == "server_share_pct":
		case server < 0:
			t.Figures[k] = s.vary(level(m, scenario, 0)*1.02, scatter)
		default:
			v := level(m, scenario, server) * math.Exp(s.drift[server])
			if server == 0 && !paced && m.Better == "higher" && n >= s.slower && n < s.faster {
				v *= 1 - slowed
			}
			if server == 2 && m.Unit == "bytes" && n >= s.bigger {
				v *= 1 + grown
			}
			if m.Unit == "ms added" { // by noise even below 0
				v += 0.1 * s.random.NormFloat64()
				t.Figures[k] = s.vary(v, 0)
			} else {
				t.Figures[k] = s.vary(v, scatter)
			}
		}
	}
	return t
}
