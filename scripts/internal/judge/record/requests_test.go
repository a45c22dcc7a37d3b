package record

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
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
	rows := func(announced, left, failed int64) func(*measured) {
		return func(m *measured) {
			m.target.Database = &raw.Database{Before: 100, After: 100 + left}
			for i := range m.summary.Loads {
				if l := &m.summary.Loads[i]; l.Target == m.target.Name && l.Level != raw.WarmUp {
					l.Counts.Counted, l.Failed = announced, failed
				}
			}
			m.load.Failed = failed
		}
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
		"runs ask more often":   {"agent", true, func(m *measured) { m.facts.StubStreams, m.facts.StubStreamSeconds = 999, 999 }, OK, "", false},
		"all rows announced":    {"agent", true, rows(40, 40, 0), OK, "", false},
		"a row too few":         {"agent", true, rows(40, 39, 0), Warning, "the server announced 40 messages as stored, and its database has 39 more than before", false},
		"a row too many":        {"agent", true, rows(40, 41, 0), Warning, "the server announced 40 messages as stored, and its database has 41 more than before", false},
		"rows of a failed run":  {"agent", true, rows(40, 41, 1), Warning, "1 of 21 requests failed", false},
		"overrun":               {"web", true, func(m *measured) { overrun(&m.load, 1.6) }, Warning, "until their last request ended", false},
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

// Metrics of requests are those of the raw files: with a rate they are over all seconds, and a share may be
// unsent. Without a rate, late and unsent requests are unknown.
func TestMetricsOfARealRunOfRequests(t *testing.T) {
	records, _, _, err := FromRaw("testdata/web")
	if err != nil {
		t.Fatal(err)
	}
	unsent := 0
	for _, r := range records {
		v := func(name string) float64 {
			v, known := r.Metrics.Get(name)
			if !known {
				t.Errorf("%s %s: %s is unknown", r.Scenario, r.Target(), name)
			}
			return v
		}
		_, open := r.Metrics.Get("unsent_pct")
		_, late := r.Metrics.Get("late_p99_ms")
		if want := !strings.HasPrefix(r.Scenario, "stress"); open != want || late != want {
			t.Errorf("%s %s: unsent known %t, late known %t; want %t", r.Scenario, r.Target(), open, late, want)
		}
		if open && v("unsent_pct") > mostUnsentPct {
			unsent++
			if !strings.Contains(strings.Join(r.Why, "\n"), "did not keep up with the rate") || r.Status != Warning {
				t.Errorf("%s %s: %s, %q", r.Scenario, r.Target(), r.Status, r.Why)
			}
		}
		if rate := v("rate_per_s"); r.Scenario == "mixed" && (rate < 195 || rate > 201) {
			t.Errorf("%s: %g requests/s; want 200", r.Target(), rate)
		}
		// A mixed body has 257 bytes: 2, about 8, about 8 and 1010.
		if each := 1e6 * v("body_mb_per_s") / v("rate_per_s"); each < 230 || each > 285 {
			t.Errorf("%s %s: %g bytes a request", r.Scenario, r.Target(), each)
		}
		if !r.OfServer() {
			continue
		}
		if perMB := v("server_cpu_us_per_request") * v("rate_per_s") / v("body_mb_per_s"); perMB/v("server_cpu_us_per_mb") < 0.999 || perMB/v("server_cpu_us_per_mb") > 1.001 {
			t.Errorf("%s %s: CPU of a MB is %g, want %g", r.Scenario, r.Target(), v("server_cpu_us_per_mb"), perMB)
		}
	}
	if unsent != 1 {
		t.Errorf("%d records with unsent requests; want that of go-http in round 2", unsent)
	}
}

// The files of a run must be of its workload's unit.
func TestStreamsInARunOfRequests(t *testing.T) {
	dir := testfile.Copy(t, "testdata/web")
	streams, err := os.ReadFile("testdata/mixed/1/baseline/k6.json")
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, filepath.Join(dir, "1/rate", raw.SummaryFile), string(streams))
	records, _, _, err := FromRaw(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		broken := strings.Contains(strings.Join(r.Why, ""), "k6.json: it has streams; workload web has requests")
		if want := r.Round == 1 && r.Scenario == "rate-1000"; broken != want || broken && r.Status != Invalid {
			t.Errorf("%s round %d: %s, %q", r.Scenario, r.Round, r.Status, r.Why)
		}
	}
}
