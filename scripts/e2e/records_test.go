package e2e

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict/comparetest"
)

// undecided makes throughput of head so noisy that six rounds decide nothing.
func undecided(r *record.Record) {
	if rate := r.Metrics["rate_per_s"]; r.Server.Side == "head" && rate != nil {
		noisy := *rate * (1 + 0.1*float64(r.Round%2))
		r.Metrics["rate_per_s"] = &noisy
	}
}

// Two records of one place are an error that names both.
func TestTheSameRecordTwice(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	comparison := comparetest.Lines(t, "internal/judge/record/testdata/mixed.jsonl", undecided)
	p.write("compare.jsonl", strings.Join(comparison, ""))
	p.write("twice.jsonl", strings.Join(slices.Insert(slices.Clone(comparison), 7, comparison[2]), ""))
	p.copy("internal/judge/record/testdata/mixed.jsonl", "run.jsonl")
	first, _, _ := strings.Cut(p.text("run.jsonl"), "\n")
	p.write("run2.jsonl", p.text("run.jsonl")+first+"\n")
	p.git("init", "-q")
	const want = "scripts/bench record DIR makes them again from the raw files"
	for command, says := range map[string]string{
		"replay twice.jsonl":                    "replay: twice.jsonl: line 3 and twice.jsonl: line 8 are both of go-http@head, baseline, round 1; want one",
		"replay compare.jsonl compare.jsonl":    "replay: compare.jsonl: line 1 and compare.jsonl: line 1 are both of direct, baseline, round 1; want one",
		"report run2.jsonl":                     "report: run2.jsonl: line 1 and run2.jsonl: line 21 are both of all-fail, baseline, round 1; want one",
		"site -history none -o site run2.jsonl": "site: run2.jsonl: line 1 and run2.jsonl: line 21 are both of all-fail, baseline, round 1; want one",
	} {
		r := p.bench(strings.Fields(command)...)
		if r.expect(t, 2, says, want); r.stdout != "" {
			t.Errorf("%s says %s", command, r.stdout)
		}
	}
	// The answer mentions an interrupted comparison, and one that was cut at the end of a round.
	p.write("some.jsonl", strings.Join(comparison[:len(comparison)/2], ""))
	p.bench("replay", "some.jsonl").expect(t, 0, "replay: go-http: 12 rounds of 24 that are planned, and not all is decided: the comparison was interrupted, or its records were cut short")
}

// A quote from records in an error cannot control a terminal.
func TestErrorsGiveATerminalNoOrders(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("init", "-q")
	p.write("name.jsonl", strings.Join(comparetest.Lines(t, "internal/judge/record/testdata/mixed.jsonl", func(r *record.Record) {
		if r.Server.Side != "" {
			r.Server.Name = "go-http\x1b[2J"
		}
	}), ""))
	r := p.bench("replay", "name.jsonl")
	r.expect(t, 2, `server "go-http\x1b[2J": want lower-case letters`)
	if strings.Contains(r.stdout+r.stderr, "\x1b") {
		t.Errorf("an order to the terminal: %q %q", r.stdout, r.stderr)
	}
}
