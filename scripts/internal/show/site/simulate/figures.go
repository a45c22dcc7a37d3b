package simulate

import (
	"math"
	"strconv"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Injected changes: throughput of server 0 falls by slowed and recovers, memory of server 2 grows by grown.
const slowed, grown = 0.06, 0.20

// scatter is that between two runs, and between two rounds of one.
const scatter = 0.02

// A shape is how a scenario is for direct, about as it was once measured on two cores.
// Paced, the stub's pace is nearly all of a stream; tail is how far the 95th percentile
// is above the mean, as a share.
type shape struct {
	vus, paceMS, streamMS, itlMS, ttftMS, tail, rigUS float64
}

var shapes = map[string]shape{
	"baseline":   {10, 1000, 1001, 50, 0.5, 0.002, 900},
	"steady":     {30, 200, 201, 10, 0.4, 0.006, 700},
	"stress-10":  {10, 0, 20.3, 1.05, 0.3, 0.03, 300},
	"stress-100": {100, 0, 20.9, 1.1, 0.8, 0.06, 160},
	"stress-200": {200, 0, 22, 1.2, 2, 0.1, 130},
}

// A sway is the deviation of a record from its usual figures, as a factor: of all times, the server's time,
// the distance of percentiles, the server's CPU time and memory.
type sway struct{ machine, slow, tail, dear, fat float64 }

// figures are all figures of a record, by name. They follow from few quantities, so no
// server is quicker than direct, and percentiles and means are in order. server is
// below 0 for direct.
func figures(scenario string, server int, w sway) map[string]float64 {
	of := shapes[scenario]
	base := of.paceMS + (of.streamMS-of.paceMS)*w.machine
	own := float64(server%8) + 1
	mean := base
	if server >= 0 {
		mean += w.slow * w.machine * 0.03 * own * (of.streamMS - 0.99*of.paceMS)
	}
	adds := mean - base
	above := func(mean, times float64) float64 { return mean * (1 + times*of.tail*w.tail) }
	ttft, tokenDelay := of.ttftMS*w.machine+0.3*adds, 0.06*w.machine+0.02*adds
	rate, cpu, rig := of.vus*1000/mean, 120*(1+0.03*own)*w.dear, of.rigUS
	if of.paceMS > 0 {
		cpu *= 4
	}
	peak := 2e7 * (1 + 0.03*own) * w.fat
	all := map[string]float64{
		"streams": 1000, "rate_per_s": rate, "rate_x_direct": base / mean, "rate_se_pct": 3, "in_flight_mean": of.vus,
		"stream_mean_ms": mean, "stream_p50_ms": above(mean, -0.1), "stream_p95_ms": above(mean, 1), "stream_p99_ms": above(mean, 2), "stream_max_ms": above(mean, 5),
		"stream_p95_overhead_ms": above(mean, 1) - above(base, 1),
		"ttft_p50_ms":            ttft, "ttft_p95_ms": ttft * (1 + w.tail), "ttft_p50_overhead_ms": 0.3 * adds, "ttft_p95_overhead_ms": 0.6 * adds,
		"itl_p50_ms": of.itlMS, "itl_p99_ms": above(of.itlMS, 3) + 0.1*adds, "itl_p99_overhead_ms": 0.1 * adds,
		"token_delay_p50_ms": tokenDelay, "token_delay_p99_ms": 3 * tokenDelay * w.tail, "token_delay_p50_overhead_ms": 0.02 * adds,
		"server_cpu_us_per_stream": cpu, "server_cpu_x_rig": cpu / rig, "server_cpu_mean_pct": rate * cpu / 1e4, "server_share_pct": 100 * cpu / (cpu + rig),
		"server_rss_peak_bytes": peak, "server_rss_mean_bytes": 0.86 * peak,
		"deployed_bytes": 6e6 * own, "first_answer_ms": 4 * own * w.machine,
		"rig_cpu_us_per_stream": rig, "k6_cpu_mean_pct": rate * rig / 1e4 * 0.55, "stub_cpu_mean_pct": rate * rig / 1e4 * 0.45,
		"k6_wait_pct": 4 * w.tail, "machine_cpu_pct": min(100, rate*(cpu+rig)/1e4/4), "sampler_cpu_mean_pct": 0.1 * w.tail, "samples": 40,
	}
	return all
}

// four are the digits that a history keeps.
func four(v float64) *float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64) // this number was formatted just now
	return &v
}

// vary is a figure with noise, of the digits that a history keeps.
func (s *simulation) vary(v, share float64) *float64 { return four(v * s.noise(share)) }

func (s *simulation) noise(share float64) float64 { return math.Exp(share * s.random.NormFloat64()) }

// record is that of a server, or of direct, in a round. All records of these minutes share the speed of the machine.
func (s *simulation) record(r record.Record, n, server int, machine float64) record.Record {
	r.Status, r.Why = record.OK, []string{}
	_, level := record.Level(r.Scenario)
	paced := level == ""
	if r.Workload != workload.Names()[0] {
		w := sway{machine, s.noise(2 * scatter), s.noise(scatter), s.noise(scatter), s.noise(scatter)}
		s.fill(&r, requestFigures(r.Scenario, server, w), server, paced)
		return r
	}
	if server == 3 && n == s.failing {
		r.Status, r.Why = record.Invalid, []string{"all 155 streams failed: \"status\" <script>alert(1)</script>"}
	} else if server >= 0 && n == s.warned {
		r.Status, r.Why = record.Warning, []string{"k6 waited for a core"}
	}
	w := sway{machine, s.noise(2 * scatter), s.noise(scatter), s.noise(scatter), s.noise(scatter)}
	if server >= 0 {
		drift := math.Exp(s.drift[server])
		w.slow, w.dear, w.fat = w.slow*math.Pow(drift, 5), w.dear*drift, w.fat*drift
		if server == 0 && !paced && n >= s.slower && n < s.faster {
			w.slow += (1/(1-slowed) - 1) * (1 + 0.03*w.slow) / 0.03 // of a whole stream, as a share of the overhead of server 0
		}
		if server == 2 && n >= s.bigger {
			w.fat *= 1 + grown
		}
	}
	s.fill(&r, figures(r.Scenario, server, w), server, paced)
	return r
}

// fill writes the metrics of a record.
func (s *simulation) fill(r *record.Record, all map[string]float64, server int, paced bool) {
	r.Metrics = record.Metrics{}
	for _, m := range record.Table(r.Workload) {
		v, known := all[m.Name]
		r.Metrics[m.Name] = nil
		switch {
		case m.Name == "failed_pct":
			var failed float64
			if r.Status == record.Invalid {
				failed = 100
			}
			r.Metrics[m.Name] = &failed
		case r.Status == record.Invalid, !known,
			server < 0 && m.OfServer(),
			paced && m.Name == "server_share_pct":
		case m.Unit == record.MSOverhead: // by noise even below 0
			r.Metrics[m.Name] = four(v + 0.1*s.random.NormFloat64())
		default:
			r.Metrics[m.Name] = four(v)
		}
	}
}
