package record

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// healthy is a measurement with nothing to object to, by slices: one server's
// two slices and direct's, after a warm-up.
func healthy() measured {
	wait, busy, less, steal := 0.1, 2.0, 1.0, 0.1
	server := raw.Load{
		Target: "a", Level: "10", VUs: 10, Slices: 2, PlannedSeconds: 2, OwnSeconds: 2, Seconds: 2, BusySeconds: 20, Requests: 20,
		Request: &raw.Times{Mean: 990, P50: 990, P95: 995, P99: 999, Max: 1000}, Itl: &raw.Times{P50: 50, P99: 51},
		CPUSeconds: map[string]float64{"a": 1, "stub": 0.5, "k6": 0.5}, PeakRSSBytes: map[string]int64{"a": 1 << 20}, K6WaitSeconds: &wait, MachineBusySeconds: &busy, MachineStealSeconds: &steal,
	}
	server.Counts.Request = hist.Counts{Count: 20, SumUS: 19_800_000}
	direct := server
	direct.Target, direct.CPUSeconds, direct.MachineBusySeconds = raw.Direct, map[string]float64{"a": 0, "stub": 0.5, "k6": 0.5}, &less
	warm := server
	warm.Level = raw.WarmUp
	m := measured{
		target: raw.TargetFacts{Name: "a", PIDs: []int{1}}, load: server, loaded: true, direct: &direct, cores: 2,
		k6Run: k6Run{
			workload: workload.Named("relay"),
			facts:    raw.Facts{StubPID: 2, K6PID: 3, StubStreams: 60, StubStreamSeconds: 59, Targets: []raw.TargetFacts{{Name: "a", PIDs: []int{1}}, {Name: raw.Direct}}},
			summary: raw.Summary{Planned: 2, Loads: []raw.Load{warm, server, direct}, Slices: []hist.Slice{
				{TookMS: 5000, CPUMS: map[string]float64{"a": 500, "stub": 1000}}, {TookMS: 5000, CPUMS: map[string]float64{"a": 500, "stub": 1000}},
			}},
		},
	}
	for second := range int64(10) {
		m.samples = append(m.samples, raw.Sample{Time: second, PID: 1, CPUPct: 10}, raw.Sample{Time: second, PID: 2, CPUPct: 20})
	}
	return m
}

// without takes the samples of a process from a second on away.
func without(samples []raw.Sample, pid int, from int64) []raw.Sample {
	return slices.DeleteFunc(samples, func(s raw.Sample) bool { return s.PID == pid && s.Time >= from })
}

// tokens gives the stub's count of the target, and k6's: of the warm-up, and of the level.
func tokens(m *measured, sent, received, doubled int64) {
	warm, rest := received/4, received-received/4
	m.facts.StubTokens = map[string]int64{"a": sent, raw.Direct: 7}
	m.summary.Loads[0].Counts.Tokens, m.summary.Loads[1].Counts.Tokens, m.summary.Loads[1].Counts.Doubled = &warm, &rest, doubled
}

// overrun lets the slices of a load last this many times as long as planned.
func overrun(l *raw.Load, times float64) { l.OwnSeconds = times * l.PlannedSeconds }

func TestChecks(t *testing.T) {
	paced := func(change func(*measured)) func(*measured) {
		return func(m *measured) { m.paced = true; change(m) }
	}
	comparedOverrun := func(times float64) func(*measured) {
		return func(m *measured) {
			overrun(&m.load, times)
			m.facts.Targets = append(m.facts.Targets, raw.TargetFacts{Name: "b@base"})
		}
	}
	for name, c := range map[string]struct {
		change    func(*measured)
		status    Status
		why       string
		disturbed bool
	}{
		"healthy":        {func(m *measured) {}, OK, "", false},
		"healthy, paced": {paced(func(m *measured) {}), OK, "", false},
		"healthy direct": {func(m *measured) {
			m.target, m.load = raw.TargetFacts{Name: raw.Direct}, *m.direct
		}, OK, "", false},
		"broken":                 {func(m *measured) { m.target.Error = "exited" }, Invalid, "exited", false},
		"late on a late machine": {func(m *measured) { m.target.Error, m.target.Disturbed = "not ready", true }, Invalid, "not ready", true},
		"no slice":               {func(m *measured) { m.loaded, m.summary.Planned = false, 3 }, Invalid, "it had no slice: k6 ended after 2 of 3 slices", true},
		"hangs from the first": {func(m *measured) {
			m.load, m.summary.GivenUp = raw.Load{Target: "a", Level: "10", VUs: 10, Slices: 2}, map[string]string{"a": "a stream hung in slice 0"}
		}, Invalid, "it had no slice: a stream hung in slice 0", false},
		"no stream":                {func(m *measured) { m.load.Requests, m.load.Failed, m.load.Request = 0, 7, nil }, Invalid, "all 7 streams failed", false},
		"order":                    {func(m *measured) { m.load.Request.P95 = 2000 }, Invalid, "latencies are not in order", true},
		"mean above max":           {func(m *measured) { m.load.Request.Mean = 1001 }, Invalid, "latencies are not in order", true},
		"Little's law":             {func(m *measured) { m.load.Requests = 22 }, Invalid, "10.9 streams in flight, but there were 10 VUs", true},
		"streams lost":             {func(m *measured) { m.facts.StubStreamSeconds = 61 }, Invalid, "open for 59.4 s at k6, all targets together, and for 61.0 s at the stub; k6 lost some", false},
		"another count":            {func(m *measured) { m.facts.StubStreams = 61 }, Warning, "k6 counted 60 streams of all targets, the stub 61", false},
		"tokens that came":         {func(m *measured) { tokens(m, 400, 400, 0) }, OK, "", false},
		"a token lost":             {func(m *measured) { tokens(m, 400, 399, 0) }, Warning, "the stub wrote 400 tokens for it, k6 received 399: 1 lost, 0 doubled", false},
		"a token doubled":          {func(m *measured) { tokens(m, 400, 401, 1) }, Warning, "k6 received 401: 0 lost, 1 doubled", false},
		"one for another":          {func(m *measured) { tokens(m, 400, 400, 1) }, Warning, "k6 received 400: 1 lost, 1 doubled", false},
		"a token too many":         {func(m *measured) { tokens(m, 400, 401, 0) }, Warning, "k6 received 401: 1 that the stub did not write, 0 doubled", false},
		"asked for none":           {func(m *measured) { tokens(m, 0, 400, 0); delete(m.facts.StubTokens, "a") }, Warning, "wrote 0 tokens for it, k6 received 400", false},
		"k6 of before":             {func(m *measured) { tokens(m, 400, 1, 0); m.summary.Loads[1].Counts.Tokens = nil }, OK, "", false},
		"a stub of before":         {func(m *measured) { tokens(m, 400, 1, 0); m.facts.StubTokens = nil }, OK, "", false},
		"warnings of the run":      {func(m *measured) { m.target.Warnings = []string{"process 7 ended"} }, Warning, "process 7 ended", false},
		"cold server":              {func(m *measured) { m.summary.Loads[0].Failed = 5 }, Warning, "warm-up: 5 of 25 streams failed", false},
		"given up":                 {func(m *measured) { m.summary.GivenUp = map[string]string{"a": "a stream hung in slice 7"} }, Warning, "given up: a stream hung in slice 7", false},
		"another was given up":     {func(m *measured) { m.summary.GivenUp = map[string]string{"b": "a stream hung in slice 7"} }, OK, "", false},
		"cut short":                {func(m *measured) { m.summary.Planned = 3 }, Warning, "k6 ended after 2 of 3 slices", true},
		"failures":                 {func(m *measured) { m.load.Failed = 1 }, Warning, "1 of 21 streams failed", false},
		"overrun":                  {func(m *measured) { overrun(&m.load, 1.6) }, Warning, "slices lasted 1.6 times as long as planned until their last stream ended, so throughput is too high; want at most 1.5 times", false},
		"overrun, compared":        {comparedOverrun(2.9), OK, "", false},
		"a long overrun, compared": {comparedOverrun(3.1), Warning, "slices lasted 3.1 times as long as planned", false},
		"a process ended":          {func(m *measured) { delete(m.load.CPUSeconds, "a") }, Warning, "its CPU time is not known", false},
		"starved k6":               {func(m *measured) { m.load.BusySeconds = 24 }, Warning, "k6 spent 17 % of its VUs' time outside the streams", false},
		"a small share":            {func(m *measured) { m.load.CPUSeconds["a"] = 0.1 }, Warning, "the server had 9 % of the CPU time", false},
		"server not sampled":       {func(m *measured) { m.samples = without(m.samples, 1, 5) }, Warning, "pidstat sampled a in 5 seconds of 10", false},
		"clock and pidstat":        {func(m *measured) { m.summary.Slices[0].CPUMS["a"] = 700 }, Warning, "CPU time of a: 1.20 s by its clock, 1.00 s by pidstat", false},
		"little CPU in ticks":      {func(m *measured) { m.summary.Slices[0].CPUMS["a"] = 550 }, OK, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := healthy()
			c.change(&m)
			status, why, disturbed := check(m)
			if status != c.status || !strings.Contains(strings.Join(why, "\n"), c.why) {
				t.Errorf("status %s, why %q; want %s, %q", status, why, c.status, c.why)
			}
			if !c.disturbed && len(disturbed) > 0 || c.disturbed && !slices.Equal(disturbed, why) {
				t.Errorf("disturbed: %q of %q; want all of it %t", disturbed, why, c.disturbed)
			}
		})
	}
}

// Differences to direct, and unknown values, of the same measurement.
func TestMetricsBesideDirect(t *testing.T) {
	value := func(m measured, name string) any {
		metric, _ := Find(name)
		if v, ok := metric.value(m); ok {
			return math.Round(1000*v) / 1000
		}
		return nil
	}
	m := healthy()
	m.direct.Requests, m.direct.Request = 25, &raw.Times{P95: 900}
	alone := m
	alone.direct = nil
	itself := m
	itself.target, itself.load = raw.TargetFacts{Name: raw.Direct}, *m.direct
	side := m
	side.paced = true
	for _, c := range []struct {
		name   string
		m      measured
		metric string
		want   any
	}{
		{"by slices", m, "rate_per_s", 10.0}, {"by slices", m, "rate_x_direct", 0.8}, {"by slices", m, "stream_p95_overhead_ms", 95.0},
		{"by slices", m, "server_cpu_us_per_stream", 50_000.0}, {"by slices", m, "rig_cpu_us_per_stream", 50_000.0}, {"by slices", m, "server_cpu_x_rig", 1.0},
		{"by slices", m, "server_share_pct", 50.0}, {"by slices", m, "machine_cpu_pct", 50.0}, {"by slices", m, "k6_wait_pct", 20.0},
		{"solo", alone, "rate_x_direct", nil}, {"solo", alone, "stream_p95_overhead_ms", nil}, {"solo", alone, "rate_per_s", 10.0},
		{"direct", itself, "rate_x_direct", 1.0}, {"direct", itself, "stream_p95_overhead_ms", nil}, {"direct", itself, "server_cpu_us_per_stream", nil}, {"direct", itself, "server_share_pct", nil},
		// Side by side the rig serves all of them at once.
		{"side by side", side, "rig_cpu_us_per_stream", 25_000.0}, {"side by side", side, "server_share_pct", nil},
	} {
		if got := value(c.m, c.metric); got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.name, c.metric, got, c.want)
		}
	}
}
