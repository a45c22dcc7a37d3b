package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/alert"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// From the artifact of a comparison to its event and its scatter on the branch, as the
// workflow does it.
func TestComparisonsOfMainEnterTheHistory(t *testing.T) {
	t.Parallel()
	p := newPublished(t)
	first := p.commit("first", "2026-11-01T00:00:00Z")
	second := p.commit("second", "2026-11-02T00:00:00Z")
	made := plan.Plan{Kind: plan.Main, Revision: second, Servers: []workload.Server{{Workload: "relay", Name: "go-http"}, {Workload: "relay", Name: "go-gin"}}, Scenarios: map[string]string{"relay": "baseline,stress"}, Rounds: 1, Comparisons: []plan.Comparison{{Server: workload.Server{Workload: "relay", Name: "go-http"}, Base: first}}}
	text, err := json.Marshal(made)
	p.must(err)
	p.artifacts(map[string]string{"relay.go-http": p.trendRun("go-http", second, 0.5), "comparison.relay.go-http": p.comparison(made, "77-1", 1.2), "confirm.relay.go-http": p.comparison(made, "77-1-confirm", 1.2)})
	collected := func(args ...string) result {
		cmd := p.command(append([]string{args[0], args[1], "-plan", string(text)}, args[2:]...)...)
		cmd.Env = append(cmd.Env, "GITHUB_RUN_ID=77", "GITHUB_RUN_ATTEMPT=1", "GITHUB_REPOSITORY=acme/toy", "GITHUB_TOKEN=")
		return p.finish(cmd)
	}
	collected("ci", "check", "-o", "out", "artifacts").expect(t, 0)
	p.contains("out/summary.md", "**relay/go-http** since `"+first[:12]+"`: regressed: steady CPU us/stream +20.1 %")
	acceptance := `{"workload": "relay", "server": "go-http", "scenario": "%s", "metric": "*", "since": "` + second + `", "reason": "each answer is logged", "by": "Ann", "expires": null}`
	for scenario, want := range map[string]string{
		"steady":   "+20.1 % (accepted).",
		"baseline": "+20.1 %.",
	} {
		p.write(accept.Dir+"/a.json", fmt.Sprintf(acceptance, scenario))
		r := collected("ci", "check", "-o", "out", "artifacts")
		r.expect(t, 0)
		p.contains("out/summary.md", want)
		_, said, _ := strings.Cut(r.stdout, "\nnotices=")
		n, err := alert.Parse(said)
		if accepted := scenario == "steady"; err != nil || len(n.Issues) == 1 == accepted || len(n.Notes) == 1 != accepted {
			t.Errorf("%s: %v: %s", scenario, err, said)
		}
	}
	p.write(accept.Dir+"/a.json", fmt.Sprintf(acceptance, "flood"))
	// One that cannot be read costs no run and no other, and accepts nothing.
	for scenario, want := range map[string]string{"steady": "+20.1 % (accepted).", "baseline": "+20.1 %."} {
		p.write(accept.Dir+"/b.json", fmt.Sprintf(acceptance, scenario))
		p.must(os.RemoveAll(filepath.Join(p.root, "out")))
		collected("ci", "check", "-o", "out", "artifacts").expect(t, 0, `check: acceptances: gh-pages/accepted/a.json: scenario "flood", metric "*": fit no cell`, "; it accepts nothing until you fix it")
		p.contains("out/summary.md", want)
		p.contains("out/"+eventsFile, `"verdict":"regressed"`)
	}
	p.must(os.RemoveAll(filepath.Join(p.root, accept.Dir)))
	collected("ci", "push", "out").expect(t, 1, "chart points are missing", second+"-77-1.jsonl is on gh-pages")
	p.git("origin.git", "update-ref", "-d", "refs/heads/gh-pages")
	collected("ci", "check", "-o", "out", "artifacts").expect(t, 0)
	p.action(second)
	collected("ci", "push", "out").expect(t, 0)
	events, err := verdict.ReadEvents(strings.NewReader(p.git("origin.git", "show", "gh-pages:events/2026/11/"+second+"-77-1.json")))
	p.must(err)
	if len(events) != 1 || events[0].Verdict != verdict.Regressed || !events[0].Confirmed || events[0].Base != first || events[0].Head != second || events[0].Cells[0].Metric != "server_cpu_us_per_stream" {
		t.Errorf("events %+v", events)
	}
}

// comparison is twelve rounds in which a stream costs head factor times as much.
func (p publishing) comparison(made plan.Plan, id string, factor float64) string {
	p.Helper()
	var records []record.Record
	for round := 1; round <= 12; round++ {
		for _, scenario := range workload.All[0].ComparedRecords() {
			for _, side := range []string{"", "base", "head"} {
				r := record.Record{
					Schema: record.Schema, Workload: "relay", Host: raw.Host{Cores: 4}, Server: raw.Server{Name: raw.Direct},
					Run:      p.ofRun(id, 12),
					Scenario: scenario, Round: round, Started: time.Date(2026, 11, 3, 0, round, 0, 0, time.UTC), Status: record.OK, Metrics: record.Metrics{},
				}
				r.Run.Once = true
				for _, m := range record.Table("relay") {
					r.Metrics[m.Name] = nil
				}
				set := func(name string, v float64) { r.Metrics[name] = &v }
				set("failed_pct", 0)
				set("rate_per_s", 1000)
				if side != "" {
					for _, metric := range workload.All[0].Judged(scenario) {
						if metric != "rate_per_s" && !workload.Absolute(metric) {
							set(metric, 1000)
						}
					}
					commit := map[string]string{"base": made.Comparisons[0].Base, "head": made.Revision}[side]
					r.Server = raw.Server{Name: made.Comparisons[0].Name, Language: "go", Framework: "x", Side: side, Commit: &commit}
				}
				if cost := 100 + float64(round); side == "head" && scenario == "steady" {
					set("server_cpu_us_per_stream", cost*factor*(1+0.001*float64(round%3)))
				} else if side != "" {
					set("server_cpu_us_per_stream", cost)
				}
				records = append(records, r)
			}
		}
	}
	var b strings.Builder
	p.must(record.Write(&b, records))
	return b.String()
}
