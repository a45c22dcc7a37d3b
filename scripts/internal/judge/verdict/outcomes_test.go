package verdict

import (
	"strings"
	"testing"
)

// rounds of a server whose cells do not change, in the workload of scripts.
func scriptRounds(n int, outcomes ...map[string][2]bool) Comparison {
	p := Comparison{Workload: "scripted", Server: "shop", Planned: 24}
	for i := range n {
		wobble := 1 + 0.002*float64(i%3)
		r := Round{Round: i + 1, Cells: map[string]At{}, Outcomes: outcomes[i%len(outcomes)]}
		for _, cell := range []string{"script server_cpu_us_per_iteration", "script request_p95_ms", "script iteration_p95_ms", "script server_rss_peak_bytes"} {
			r.Cells[cell] = At{100 * wobble, 100 / wobble}
		}
		p.Rounds = append(p.Rounds, r)
	}
	return p
}

func TestWhatFailsAtHeadAloneIsARegression(t *testing.T) {
	const login = "check login gives a token"
	for name, c := range map[string]struct {
		outcomes []map[string][2]bool
		verdict  Verdict
	}{
		"nowhere":          {[]map[string][2]bool{{login: {}}}, Unchanged},
		"at head":          {[]map[string][2]bool{{login: {false, true}}}, Regressed},
		"at both":          {[]map[string][2]bool{{login: {true, true}}}, Unchanged},
		"at base":          {[]map[string][2]bool{{login: {true, false}}}, Unchanged},
		"at head at times": {[]map[string][2]bool{{login: {false, true}}, {login: {}}}, Unchanged},
	} {
		a := Judge(scriptRounds(6, c.outcomes...))
		if a.Verdict != c.verdict || !a.Done || (a.Verdict == Regressed) != strings.Contains(a.Why, login) {
			t.Errorf("%s: %s, %q, done %v; want %s", name, a.Verdict, a.Why, a.Done, c.verdict)
		}
		if len(a.Outcomes) != 1 || a.Outcomes[0].Rounds != a.Rounds {
			t.Errorf("%s: %+v", name, a.Outcomes)
		}
	}
}

func TestAHeadAboveALimitFailsBesideItsVerdict(t *testing.T) {
	p := scriptRounds(6, nil)
	for i := range p.Rounds {
		p.Rounds[i].Cells["script request_p95_ms"] = At{190 + float64(i%2), 240 + float64(i%2)}
		p.Rounds[i].Cells["script server_rss_peak_bytes"] = At{3e8, 3e8 + float64(i)}
	}
	p.Limits = map[string]float64{"latency_p95_ms": 200, "memory_mb": 250}
	a := Judge(p)
	over := a.OverLimit()
	if a.Verdict != Regressed || len(over) != 1 || over[0].Name != "latency_p95_ms" || over[0].Low < 239 || over[0].High > 243 {
		t.Errorf("%s, over %+v of %+v", a.Verdict, over, a.Limits)
	}
	for _, l := range a.Limits {
		if l.Name == "memory_mb" && (!l.BaseOver || !l.HeadOver || l.Fails()) {
			t.Errorf("memory: %+v; want both above the limit, which is no failure of head", l)
		}
	}
	p.Limits["latency_p95_ms"] = 240.4 // within the interval
	if over := Judge(p).OverLimit(); over != nil {
		t.Errorf("over %+v", over)
	}
}
