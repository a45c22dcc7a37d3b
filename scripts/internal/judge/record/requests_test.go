package record

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// healthyRequests is healthy() for a workload of requests. With a rate it is an open model, whose requests wait
// for a connection. Without an upstream the stub sees those of direct alone.
func healthyRequests(name string, rate bool) measured {
	m := healthy()
	m.workload = workload.Named(name)
	if !m.workload.Upstream {
		m.facts.StubStreams, m.facts.StubStreamSeconds = 20, 19
	}
	for _, l := range []*raw.Load{&m.load, m.direct, &m.summary.Loads[1], &m.summary.Loads[2]} {
		l.Itl, l.Counts.Started = nil, 20
		if rate {
			l.Unsent, l.Late = new(int64), &raw.Times{P99: 1}
		}
	}
	return m
}

func TestChecksOfRequests(t *testing.T) {
	unsent := func(n int64) func(*measured) {
		return func(m *measured) { m.load.Unsent = &n }
	}
	for name, c := range map[string]struct {
		workload  string
		rate      bool
		change    func(*measured)
		status    Status
		why       string
		disturbed bool
	}{
		"healthy":               {"web", true, func(*measured) {}, OK, "", false},
		"healthy, no rate":      {"web", false, func(*measured) {}, OK, "", false},
		"healthy, an upstream":  {"files", true, func(*measured) {}, OK, "", false},
		"some unsent":           {"web", true, func(m *measured) { m.load.Counts.Started = 2000; unsent(20)(m) }, OK, "", false},
		"unsent":                {"web", true, unsent(5), Warning, "the server did not keep up with the rate: 20.0 % of the requests that were due found no free connection; want at most 1 %", false},
		"waiting requests":      {"web", true, func(m *measured) { m.load.Requests = 22 }, OK, "", false},
		"Little's law":          {"web", false, func(m *measured) { m.load.Requests = 22 }, Invalid, "10.9 requests in flight, but there were 10 VUs", true},
		"idle VUs":              {"web", true, func(m *measured) { m.load.BusySeconds = 24 }, OK, "", false},
		"starved k6":            {"web", false, func(m *measured) { m.load.BusySeconds = 24 }, Warning, "k6 spent 17 % of its VUs' time outside the requests", false},
		"no request":            {"web", true, func(m *measured) { m.load.Requests, m.load.Failed, m.load.Request = 0, 7, nil }, Invalid, "all 7 requests failed", false},
		"failures":              {"web", true, func(m *measured) { m.load.Failed = 1 }, Warning, "1 of 21 requests failed", false},
		"one not of the stub":   {"web", true, func(m *measured) { m.facts.StubStreams = 60 }, Warning, "k6 counted 20 requests of direct alone, the stub 60", false},
		"one of the stub":       {"files", true, func(m *measured) { m.facts.StubStreams = 20 }, Warning, "k6 counted 60 requests of all targets, the stub 20", false},
		"lost by k6":            {"web", true, func(m *measured) { m.facts.StubStreamSeconds = 21 }, Invalid, "requests were open for 19.8 s at k6, direct alone, and for 21.0 s at the stub; k6 lost some", false},
		"lost by k6, upstream":  {"files", true, func(m *measured) { m.facts.StubStreamSeconds = 61 }, Invalid, "for 59.4 s at k6, all targets together, and for 61.0 s", false},
		"direct late":           {"web", true, func(m *measured) { m.paced, m.summary.Loads[2].Late.P99 = true, 5.1 }, Warning, "direct's requests left 5.1 ms after their intended start (p99); want at most 5 ms", true},
		"direct late in slices": {"web", true, func(m *measured) { m.summary.Loads[2].Late.P99 = 5.1 }, OK, "", false},
		"direct fails":          {"web", true, func(m *measured) { m.summary.Loads[2].Failed = 1 }, Warning, "direct: 1 of 21 requests failed", true},
		"overrun":               {"web", true, func(m *measured) { m.load.Overruns = 1 }, Warning, "until their last request ended", false},
	} {
		t.Run(name, func(t *testing.T) {
			m := healthyRequests(c.workload, c.rate)
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
