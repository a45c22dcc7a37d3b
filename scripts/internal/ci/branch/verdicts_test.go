package branch

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// hostile is what a server may have printed.
const hostile = "</details><script>alert(1)</script> @everyone `id`"

// paired makes the records of eight rounds of a comparison in which head's figures
// are base's times a factor, by metric; "fail" has head not start.
func paired(server string, factors map[string]float64) (records []record.Record) {
	for round := 1; round <= 8; round++ {
		for _, scenario := range workload.All[0].ComparedRecords() {
			for _, side := range []string{"", "base", "head"} {
				r := record.Record{Schema: record.Schema, Workload: "relay", Scenario: scenario, Round: round, Status: record.OK, Metrics: record.Metrics{}, Started: time.Date(2026, 11, 21, 8, 0, round, 0, time.UTC)}
				r.Run.ID, r.Run.Rounds, r.Server.Name, r.Server.Side = hostile, 12, server, side
				if side == "" {
					r.Server = raw.Server{Name: raw.Direct}
				}
				failed := 0.0
				r.Metrics["failed_pct"] = &failed
				for i, metric := range workload.All[0].Judged(scenario) {
					v := 1000*float64(i+1) + float64(round)
					if f := factors[metric]; f != 0 && side == "head" {
						v *= f
					}
					if side == "head" {
						v *= 1 + 1e-4*float64((7*round+3*i)%5-2)
					}
					r.Metrics[metric] = &v
				}
				if factors["fail"] != 0 && side == "head" {
					r.Status, r.Why, r.Metrics = record.Invalid, []string{hostile}, record.Metrics{}
				}
				records = append(records, r)
			}
		}
	}
	return records
}

// A verdict that JSON cannot hold costs no other its place in the history.
func TestOneVerdictCostsNoOther(t *testing.T) {
	var said []string
	job := Job{Out: t.TempDir(), Say: func(line string) { said = append(said, line) }}
	var verdicts []Verdict
	for server, v := range map[string]float64{"go-http": 1, "go-gin": math.Inf(1)} {
		at := workload.Server{Workload: "relay", Name: server}
		verdicts = append(verdicts, Verdict{Comparison: plan.Comparison{Server: at}, Event: verdict.Event{Schema: verdict.EventSchema, Workload: "relay", Server: server, Cells: []verdict.EventCell{{Change: v}}}})
	}
	if err := job.verdicts(verdicts); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(job.Out, eventsFile)); err != nil || !strings.Contains(string(text), "go-http") || strings.Contains(string(text), "go-gin") {
		t.Errorf("%s, %v; want that of go-http alone", text, err)
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], "the verdict on relay/go-gin is not kept: ") {
		t.Errorf("said %q", said)
	}
}

func TestVerdictsOfMain(t *testing.T) {
	slower := map[string]float64{"rate_per_s": 0.9}
	p := plan.Plan{Kind: plan.Main, Revision: strings.Repeat("b", 40)}
	uploads := artifact.Result{Comparisons: map[string][]record.Record{}, Attempts: map[string]int{}}
	for i, c := range []struct {
		server        string
		first, second map[string]float64
		want          verdict.Verdict
	}{
		{"same", map[string]float64{}, nil, verdict.Unchanged},
		{"slower", slower, slower, verdict.Regressed},
		{"slower-once", slower, map[string]float64{}, verdict.Inconclusive},
		{"slower-alone", slower, nil, verdict.Inconclusive},
		{"broken", map[string]float64{"fail": 1}, map[string]float64{"fail": 1}, verdict.Regressed},
		{"faster", map[string]float64{"rate_per_s": 1.2}, nil, verdict.Improved},
		{"absent", nil, nil, ""},
	} {
		server := workload.Server{Workload: "relay", Name: c.server}
		p.Comparisons = append(p.Comparisons, plan.Comparison{Server: server, Base: fmt.Sprintf("%040x", i), Gradual: c.server == "slower"})
		if c.first != nil {
			uploads.Comparisons[plan.ComparisonRun(server)] = paired(c.server, c.first)
		}
		if c.second != nil {
			uploads.Comparisons[plan.ConfirmRun(server)] = paired(c.server, c.second)
		}
		verdicts := Verdicts(p, uploads, "77")
		if c.want == "" {
			if len(verdicts) != i {
				t.Errorf("%s: %d verdicts, want %d", c.server, len(verdicts), i)
			}
			continue
		}
		v := verdicts[i]
		f := v.Event
		if v.Answer.Verdict != c.want || f.Verdict != c.want || f.Confirmed != (c.want == verdict.Regressed) || f.Server != c.server || f.Run != "77-1" || f.Base != p.Comparisons[i].Base || f.Head != p.Revision || f.Gradual != (c.server == "slower") {
			t.Errorf("%s: %s, event %+v; want %s", c.server, v.Answer.Verdict, f, c.want)
		}
		if c.server == "slower" && (f.Cells[0].Metric != "rate_per_s" || f.Cells[0].Verdict != verdict.Regressed || f.Cells[0].Change > -0.09 || f.Rounds == 0) {
			t.Errorf("%s: cells %+v", c.server, f.Cells)
		}
	}

	verdicts := Verdicts(p, uploads, "77")
	// No text of a machine is in a event, and in the summary in a code span only.
	var events []verdict.Event
	for _, v := range verdicts {
		events = append(events, v.Event)
	}
	var text bytes.Buffer
	var summary strings.Builder
	if err := verdict.WriteEvents(&text, events); err != nil {
		t.Fatal(err)
	}
	WriteVerdicts(&summary, p, verdicts)
	if strings.Contains(text.String(), "script") || !strings.Contains(summary.String(), "`</details><script>alert(1)</script> @everyone 'id'`") {
		t.Errorf("events:\n%s\nsummary:\n%s", text.String(), summary.String())
	}
	for _, want := range []string{"**relay/absent** since `000000000000`: not measured", "**relay/slower** since `000000000000` (gradual: ", "**relay/slower-once** since `000000000000`: inconclusive: a first comparison found a regression, but the second one says unchanged", "| stress | req/s | "} {
		if !strings.Contains(summary.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, summary.String())
		}
	}

	// Nothing is confirmed by another attempt.
	uploads.Attempts[plan.ComparisonRun(workload.Server{Workload: "relay", Name: "slower"})] = 2
	verdicts = Verdicts(p, uploads, "77")
	if verdicts[1].Answer.Verdict != verdict.Inconclusive || verdicts[1].Event.Run != "77-2" {
		t.Errorf("%s of run %s", verdicts[1].Answer.Verdict, verdicts[1].Event.Run)
	}
}
