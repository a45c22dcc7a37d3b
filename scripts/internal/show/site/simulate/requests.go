package simulate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Second is the workload of requests that a history may have.
var Second = func() workload.Workload {
	for _, w := range workload.All {
		if w.Unit == workload.Request {
			return w
		}
	}
	return workload.Workload{}
}()

// secondNames begins with a name that the first workload has, too: they are two servers.
var secondNames = []string{"go-http", "bun-serve", "rust-axum"}

// requests writes the runs of the second workload: on every other commit, with a run of its own. They take their
// noise from a source of their own, so the first workload stays as it is without them.
func (s *simulation) requests(n int) error {
	if s.Requests == 0 || n%2 > 0 {
		return nil
	}
	own := *s
	own.random = rand.New(rand.NewPCG(s.Seed, uint64(1_000_000+n)))
	var servers []raw.Server
	var names []string
	for i := range s.Requests {
		r := s.server(n, 2+i) // 1 is renamed
		if r.Name = fmt.Sprintf("server-%02d", i+1); i < len(secondNames) {
			r.Name = secondNames[i]
		}
		servers, names = append(servers, r), append(names, r.Name)
	}
	began := s.began(n).Add(2 * time.Hour)
	path := fmt.Sprintf("runs/%s/%s-%d-1.jsonl", began.Format("2006/01"), SHA(n), 19283746500+n*1771+7)
	var trendRuns []record.Record
	for i := range servers {
		like := own.like(Second.Name, n, 1, false)
		trendRuns = append(trendRuns, own.play(like, n, Second.ComparedRecords(), began.Add(time.Duration(10*i)*time.Minute), []int{i}, servers[i:i+1])...)
	}
	if err := s.records(path, trendRuns); err != nil {
		return err
	}
	described := append([]raw.Server{{Name: raw.Direct, Versions: map[string]string{}}}, servers...)
	targets := []int{-1}
	for i := range servers {
		targets = append(targets, i)
	}
	together := own.play(own.like(Second.Name, n, 3, false), n, allRecords(Second), began.Add(time.Hour), targets, described)
	if err := s.records(record.LeaderboardPath(path), together); err != nil || !s.Details {
		return err
	}
	key := fmt.Sprint(Second.Name, n%4)
	if s.drawn[key] == nil {
		if err := s.draw(key, NewDetails(own.random, Second, names)); err != nil {
			return err
		}
	}
	return s.put(record.DetailsPathOf(path, Second.Name), s.drawn[key])
}

// allRecords are the scenarios of the records of a leaderboard run.
func allRecords(w workload.Workload) (names []string) {
	for _, sc := range w.Scenarios {
		if sc.Levels == nil {
			names = append(names, sc.Name)
		}
		for _, level := range sc.Levels {
			names = append(names, record.Scenario(sc.Name, level))
		}
	}
	return names
}

// requestFigures are all figures of a record of requests, as figures are those of streams.
func requestFigures(scenario string, server int, w sway) map[string]float64 {
	name, level := record.Level(scenario)
	own := float64(server%8) + 1
	cpu, rig := 18*(1+0.15*own)*w.dear, 9.0
	rate, mean, vus := 300.0, 0.35*w.machine, 16.0
	direct := mean
	if server >= 0 {
		mean += 0.05 * own * w.slow
	}
	open := level == "" || Second.FixedRate(scenario)
	if Second.FixedRate(scenario) {
		rate = 1000
	} else if level != "" {
		vus = float64(record.VUs(scenario))
		direct = vus / 55 * w.machine
		if mean = direct; server >= 0 {
			mean *= 1 + 0.2*own*w.slow
		}
		rate = vus * 1000 / mean
	}
	peak := 2.4e7 * (1 + 0.2*own + vus/400) * w.fat
	const bodyBytes = 420.0
	all := map[string]float64{
		"requests": 12000, "rate_per_s": rate, "rate_x_direct": direct / mean, "in_flight_mean": rate * mean / 1000,
		"request_mean_ms": mean, "request_p50_ms": 0.9 * mean, "request_p95_ms": mean * (1 + 0.8*w.tail), "request_p99_ms": mean * (1 + 2*w.tail), "request_max_ms": mean * (1 + 9*w.tail),
		"request_p95_overhead_ms": (mean - direct) * 1.8, "ttfb_p50_ms": 0.85 * mean, "ttfb_p95_ms": mean * (0.95 + 0.8*w.tail), "ttfb_p95_overhead_ms": (mean - direct) * 1.7,
		"body_mb_per_s": rate * bodyBytes / 1e6, "server_cpu_mean_pct": rate * cpu / 1e4, "server_cpu_us_per_request": cpu, "server_cpu_us_per_mb": cpu / bodyBytes * 1e6,
		"server_cpu_x_rig": cpu / rig, "server_share_pct": 100 * cpu / (cpu + rig), "server_rss_peak_bytes": peak, "server_rss_mean_bytes": 0.9 * peak,
		"deployed_bytes": 7e6 * own, "first_answer_ms": 5 * own * w.machine,
		"rig_cpu_us_per_request": rig, "k6_cpu_mean_pct": rate * rig / 1e4, "stub_cpu_mean_pct": 0.1, "k6_wait_pct": 4 * w.tail,
		"machine_cpu_pct": min(100, rate*(cpu+rig)/1e4/4), "sampler_cpu_mean_pct": 0.1 * w.tail, "samples": 40,
	}
	if open {
		all["late_p99_ms"], all["unsent_pct"] = 0.2*w.tail, 0
	}
	if name == "disk" {
		all["body_mb_per_s"] = rate * 1000 / 1e6
	}
	return all
}
