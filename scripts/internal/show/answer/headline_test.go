package answer

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A change is read at a glance: a share, a factor where it is large, or the
// metric's own unit where base may be 0.
func TestChangesAreReadable(t *testing.T) {
	rate, _ := record.Find("rate_per_s")
	slope, _ := record.Find("server_rss_slope_bytes_per_stream")
	for _, c := range []struct {
		cell             verdict.Cell
		change, interval string
		says             string
	}{
		{verdict.Cell{Metric: rate, Change: -0.0312, Low: -0.04, High: -0.02, Verdict: verdict.Regressed}, "-3.1 %", "-4.0 to -2.0 %", "regressed"},
		{verdict.Cell{Metric: rate, Change: 129.5, Low: 119, High: 141, Verdict: verdict.Improved}, "x130", "x120 to x142", "improved"},
		{verdict.Cell{Metric: rate, Change: 12_899, Low: 11_000, High: 14_000.4, Verdict: verdict.Improved}, "x12900", "x11000 to x14000", "improved"},
		{verdict.Cell{Metric: slope, Criterion: workload.Criterion{Absolute: true}, Change: 12_345, Low: -1_234, High: 1e6, Verdict: verdict.Inconclusive}, "+12300 bytes/stream", "-1230 to +1000000 bytes/stream", "inconclusive: up to 1000000 bytes/stream is possible"},
		{verdict.Cell{Metric: rate, Change: 0.001, Low: -0.0049, High: 0.0061, Verdict: verdict.Unchanged}, "+0.1 %", "-0.5 to +0.6 %", "no change of 0.7 % or more"},
		{verdict.Cell{Metric: rate, Change: 0.01, Low: -0.1, High: 0.1, Verdict: verdict.Inconclusive}, "+1.0 %", "-10.0 to +10.0 %", "inconclusive: up to 10.0 % is possible"},
		{verdict.Cell{Metric: slope, Criterion: workload.Criterion{Absolute: true}, Change: 31.25, Low: 20, High: 42, Verdict: verdict.Regressed}, "+31.2 bytes/stream", "+20 to +42 bytes/stream", "regressed"},
		{verdict.Cell{Metric: slope, Criterion: workload.Criterion{Absolute: true}, Change: 1, Low: -16, High: 31.21, Verdict: verdict.Inconclusive}, "+1 bytes/stream", "-16 to +31.2 bytes/stream", "inconclusive: up to 31.3 bytes/stream is possible"},
		{verdict.Cell{Metric: slope, Criterion: workload.Criterion{Absolute: true}, Change: 1, Low: -16, High: 3, Verdict: verdict.Unchanged}, "+1 bytes/stream", "-16 to +3 bytes/stream", "no change of 16 bytes/stream or more"},
		{verdict.Cell{Metric: rate, Change: 1.9, Low: 1.5, High: 2.2, Verdict: verdict.Improved}, "+190.0 %", "x2.5 to x3.2", "improved"},
		{verdict.Cell{Metric: rate, Change: 0.01, Low: -0.9, High: 90, Verdict: verdict.Inconclusive}, "+1.0 %", "x0.1 to x91", "inconclusive: even a large change is possible"},
		{verdict.Cell{Metric: rate, Change: 0.08, Low: 0.029, High: 0.1449, Verdict: verdict.NoLargeChange}, "+8.0 %", "+2.9 to +14.5 %", "if it changed, by less than 14.5 %"},
		{verdict.Cell{Metric: rate, Verdict: verdict.NotMeasured}, "", "", "not measured"},
	} {
		if change, interval, says := Change(c.cell), Interval(c.cell), Says(c.cell); change != c.change || interval != c.interval || says != c.says {
			t.Errorf("%q, %q, %q; want %q, %q, %q", change, interval, says, c.change, c.interval, c.says)
		}
	}
}

// A headline says why nothing is confirmed, also where some cell has no figures.
func TestHeadlinesSayWhyNothingIsConfirmed(t *testing.T) {
	rate, _ := record.Find("rate_per_s")
	a := verdict.Answer{Verdict: verdict.NotMeasured, Cells: []verdict.Cell{{Scenario: "stress-100", Metric: rate, Verdict: verdict.NotMeasured}}}
	for why, want := range map[string]string{"": "not measured: stress-100 req/s", "there is no second one": "not measured: stress-100 req/s; there is no second one"} {
		if a.Why = why; Headline(a) != want {
			t.Errorf("%q, want %q", Headline(a), want)
		}
	}
}

// An inconclusive headline names the likely change, then what is open, then the next step. No
// percentage over 100 is in it.
func TestInconclusiveHeadlinesHaveANextStep(t *testing.T) {
	rate, _ := record.Find("rate_per_s")
	cpu, _ := record.Find("server_cpu_us_per_stream")
	ttft, _ := record.Find("ttft_p95_ms")
	subject := func(decides string) workload.Criterion { return workload.Criterion{Margin: 0.03, Decides: decides} }
	likely := verdict.Cell{Scenario: "steady", Metric: cpu, Criterion: subject("CPU"), Change: 0.08, Low: 0.02, High: 0.14, Verdict: verdict.Inconclusive}
	open := verdict.Cell{Scenario: "stress", Metric: rate, Criterion: subject("throughput"), Change: -0.01, Low: -0.05, High: 0.03, Verdict: verdict.Inconclusive}
	noisy := verdict.Cell{Scenario: "baseline", Metric: ttft, Criterion: subject("latency"), Change: 0.1, Low: -0.8, High: 5, Verdict: verdict.Inconclusive}
	calm := verdict.Cell{Scenario: "stress-200", Metric: cpu, Criterion: subject("memory"), Low: -0.01, High: 0.01, Verdict: verdict.Unchanged}
	for _, c := range []struct {
		cells  []verdict.Cell
		rounds int
		want   string
	}{
		{[]verdict.Cell{noisy, open, likely, calm}, 12, "inconclusive: CPU probably +2.0 to +14.0 %, not sure enough at 1 % risk; no change in memory; " +
			"latency (even a large change), throughput (up to 5.0 %) are open. Next: more rounds (-rounds 24), or a quieter hour"},
		{[]verdict.Cell{open, calm}, 2, "inconclusive: no change in memory; throughput: up to 5.0 % is possible. Next: more rounds (-rounds 24), or a quieter hour"},
		{[]verdict.Cell{noisy}, 12, "inconclusive: latency: even a large change is possible. Next: more rounds (-rounds 24), or a quieter hour"},
	} {
		if got := Headline(verdict.Answer{Verdict: verdict.Inconclusive, Cells: c.cells, Rounds: c.rounds, Alpha: 0.01}); got != c.want {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
	early := verdict.Answer{Verdict: verdict.Inconclusive, Why: "only 2 of the 4 rounds that the first look needs"}
	if got := Headline(early); !strings.HasSuffix(got, ". Next: complete the comparison; it ended early") {
		t.Errorf("%q", got)
	}
	if got, want := Headline(verdict.Answer{Verdict: verdict.Inconclusive, Why: "noise", Done: true, Lost: []string{"C4 nodelay"}}),
		"inconclusive: noise; head no longer passes the optional check C4 nodelay. Next: a quieter hour; `scripts/bench doctor` names what disturbs the machine"; got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A headline begins with the package that was changed, if that is all. Its parts name it elsewhere.
func TestHeadlinesNameAPackage(t *testing.T) {
	a := verdict.Answer{Workload: "relay", Verdict: verdict.Unchanged, Packages: []string{"hono 4.11.9 to 4.12.0", "ms 1.0.0 to 2.0.0"}, Bump: true, Failing: []string{"C7 aborts"}}
	if got, want := Headline(a), "hono 4.11.9 to 4.12.0: no change; head no longer passes the required check C7 aborts"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if says, rest := Parts(a); says != "No change" || strings.Contains(rest, "hono") {
		t.Errorf("%q, %q", says, rest)
	}
	if got, want := LoadSentence(a), "Packages that moved with it: ms 1.0.0 to 2.0.0."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.Failing = nil
	if got, want := Sentences([]verdict.Answer{a, {Workload: "relay", Server: "other", Verdict: verdict.Unchanged}}, nil), "**relay/**: hono 4.11.9 to 4.12.0: no change.\n**relay/other**: no change."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.Bump = false
	for range 10 {
		a.Packages = append(a.Packages, "left-pad 1.0.0 to 1.1.0")
	}
	if got, want := LoadSentence(a), "left-pad 1.0.0 to 1.1.0 and 6 more."; !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
	a.Packages = a.Packages[:2]
	if got, want := Headline(a)+" "+LoadSentence(a), "no change Packages that changed: hono 4.11.9 to 4.12.0, ms 1.0.0 to 2.0.0."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A headline names the required checks that a side fails, since both sides were loaded nevertheless.
func TestHeadlinesNameFailedChecks(t *testing.T) {
	a := verdict.Answer{Verdict: verdict.Identical, Gained: []string{"C7 stalled-reader"}, BothFail: []string{"C7 aborts", "C8 stale"}}
	want := "identical: base and head are the same program; head now passes the required check C7 stalled-reader; " +
		"both sides fail the required checks C7 aborts, C8 stale"
	if got := Headline(a); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// What leans is said first where the verdict is open, and the next step of failures is not a quieter hour.
func TestAnOpenHeadlineLeansOrNamesFailures(t *testing.T) {
	cpu, _ := record.Find("server_cpu_us_per_stream")
	cell := verdict.Cell{Scenario: "steady", Metric: cpu, Criterion: workload.Criterion{Margin: 0.03, Decides: "CPU"}, Change: 0.08, Low: 0.05, High: 0.11, Verdict: verdict.Inconclusive}
	for want, a := range map[string]verdict.Answer{
		"inconclusive: leaning worse: steady CPU us/stream +5.0 to +11.0 %, not sure enough at 1 % risk. Next: more rounds (-rounds 24), or a quieter hour": {
			Verdict: verdict.Inconclusive, Cells: []verdict.Cell{cell}, Rounds: 12, Alpha: 0.01},
		"inconclusive: too many rounds failed: head failed in 3 of 3 rounds: mixed: 1 of 3000 requests failed. Next: find out why requests fail; the server's logs are beside the records": {
			Verdict: verdict.Inconclusive, Why: verdict.TooManyFailed + ": head failed in 3 of 3 rounds: mixed: 1 of 3000 requests failed", Failed: "head failed in 3 of 3 rounds", Done: true},
		"inconclusive: only 1 of the 4 rounds that the first look needs; head failed in 1 of 2 rounds, which do not count. Next: complete the comparison; it ended early": {
			Verdict: verdict.Inconclusive, Why: "only 1 of the 4 rounds that the first look needs", Failed: "head failed in 1 of 2 rounds"},
	} {
		if got := Headline(a); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// What head changes in its own judgement comes first, since a status keeps only the begin.
func TestAnInconclusiveHeadlineBeginsWithWhatHeadChanges(t *testing.T) {
	open := verdict.Cell{Criterion: workload.Criterion{Decides: "CPU", Margin: 0.03}, Low: -0.05, High: 0.05, Verdict: verdict.Inconclusive}
	a := verdict.Answer{Verdict: verdict.Inconclusive, Cells: []verdict.Cell{open}, Changes: []string{"no longer asks GET /slow"}}
	if got, want := Headline(a), "inconclusive: head no longer asks GET /slow; CPU: "; !strings.HasPrefix(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A shortened load proves little, whatever it found. Its next step is the usual load.
func TestAShortenedLoadProvesLittle(t *testing.T) {
	const want = ". Next: the same without -quick, since a short load proves little"
	for _, v := range []verdict.Verdict{verdict.Unchanged, verdict.Regressed, verdict.Inconclusive} {
		a := verdict.Answer{Verdict: v, Quick: true, Cells: []verdict.Cell{{Criterion: workload.Criterion{Decides: "CPU"}, Verdict: v}}}
		if got := Headline(a); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q at its end", got, want)
		}
	}
}
