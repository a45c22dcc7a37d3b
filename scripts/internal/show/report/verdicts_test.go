package report

import (
	"strings"
	"testing"
	"unicode"

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
		{verdict.Cell{Metric: rate, Change: 1.9, Low: 1.5, High: 2.2, Verdict: verdict.Improved}, "+190.0 %", "+150.0 % to x3.2", "improved"},
		{verdict.Cell{Metric: rate, Change: 0.01, Low: -0.9, High: 90, Verdict: verdict.Inconclusive}, "+1.0 %", "-90.0 % to x91", "inconclusive: even a large change is possible"},
		{verdict.Cell{Metric: rate, Verdict: verdict.NotMeasured}, "", "", "not measured"},
	} {
		if change, interval, says := Change(c.cell), Interval(c.cell), Says(c.cell); change != c.change || interval != c.interval || says != c.says {
			t.Errorf("%q, %q, %q; want %q, %q, %q", change, interval, says, c.change, c.interval, c.says)
		}
	}
}

// Records may come from others: nothing in them gives a terminal orders.
func TestTerminalsAreGivenNoOrders(t *testing.T) {
	const evil = "\x1b]0;pwned\a\x1b[2Jé\u009b1A\rµ\u202e\x7f"
	rate, _ := record.Find("rate_per_s")
	answers := []verdict.Answer{
		{Server: "go-http" + evil, Verdict: verdict.Regressed, Why: "head fails:\n    " + evil, Lost: []string{evil}, Discarded: []string{"round 1: " + evil}},
		{Server: "go-gin", Verdict: verdict.Improved, Cells: []verdict.Cell{{Scenario: "steady" + evil, Metric: rate, Verdict: verdict.Improved}}},
	}
	var shown []string
	for _, format := range VerdictFormats() {
		if format == "png" {
			continue // no text
		}
		var got strings.Builder
		if err := WriteVerdicts(&got, format, answers); err != nil {
			t.Fatal(err)
		}
		shown = append(shown, got.String())
	}
	records := run()
	for i := range records {
		r, text := &records[i], evil
		r.Server.Framework, r.Run.ID, r.Host.CPU, r.Host.OS, r.Run.Commit, r.Run.Placement = evil, evil, &text, &text, &text, evil
		r.Server.Versions, r.Tools = map[string]string{evil: evil}, map[string]string{"k6": evil}
		r.Status, r.Why = record.Warning, []string{evil}
	}
	shown = append(shown, written(t, "text", records), written(t, "markdown", records))
	for i, text := range shown {
		if at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }); at >= 0 {
			t.Errorf("%d: %q gets through", i, text[at:min(at+60, len(text))])
		}
		if !strings.Contains(text, "?]0;pwned??[2Jé?1A") || !strings.Contains(text, "µ??") {
			t.Errorf("%d: what is harmless is not shown as it is:\n%s", i, text)
		}
	}
	if !strings.Contains(shown[0], "regressed: head fails:\n    ?]0;") {
		t.Errorf("lines are not kept:\n%s", shown[0])
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

// A headline names the required checks that a side fails, since both sides were loaded nevertheless.
func TestHeadlinesNameFailedChecks(t *testing.T) {
	a := verdict.Answer{Verdict: verdict.Identical, Gained: []string{"C7 stalled-reader"}, BothFail: []string{"C7 aborts", "C8 stale"}}
	want := "identical: base and head are the same program; head now passes the required check C7 stalled-reader; " +
		"both sides fail the required checks C7 aborts, C8 stale"
	if got := Headline(a); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A regressed headline names every cell that regressed, and each that is far worse and not yet sure.
func TestARegressedHeadlineNamesEveryCell(t *testing.T) {
	metric := func(name string) record.Metric { m, _ := record.FindIn("http", name); return m }
	criterion := workload.Criterion{Margin: 0.1}
	rate := verdict.Cell{Scenario: "stress", Metric: metric("rate_per_s"), Criterion: criterion, Change: -0.675, Low: -0.7, High: -0.64, Verdict: verdict.Regressed}
	cpu := verdict.Cell{Scenario: "mixed", Metric: metric("server_cpu_us_per_request"), Criterion: criterion, Change: 0.2, Low: 0.18, High: 0.22, Verdict: verdict.Regressed}
	p95 := verdict.Cell{Scenario: "stress", Metric: metric("request_p95_ms"), Criterion: criterion, Change: 4.38, Low: 3.13, High: 5.99, Verdict: verdict.Inconclusive}
	ttft := verdict.Cell{Scenario: "mixed", Metric: metric("ttft_p95_ms"), Criterion: criterion, Change: 8.86, Low: 2.33, High: 28.1, Verdict: verdict.Inconclusive}
	rss := verdict.Cell{Scenario: "stress-100", Metric: metric("server_rss_peak_bytes"), Criterion: criterion, Change: -0.3, Low: -0.4, High: -0.2, Verdict: verdict.Inconclusive}
	near := verdict.Cell{Scenario: "mixed", Metric: metric("request_p95_ms"), Criterion: criterion, Change: 0.1, Low: 0.05, High: 0.15, Verdict: verdict.Inconclusive}
	a := verdict.Answer{Workload: "http", Server: "feed", Verdict: verdict.Regressed, Cells: []verdict.Cell{rate, cpu, p95, ttft, rss, near}, Rounds: 4, Alpha: 0.01,
		Changes: []string{"no longer sends GET /users"}, Failed: "head failed in 2 of 6 rounds"}
	want := "regressed: stress req/s -67.5 %, mixed CPU us/request +20.0 %; head no longer sends GET /users; head failed in 2 of 6 rounds, which do not count; " +
		"leaning worse: stress p95 ms x4.13 to x6.99, mixed TTFT p95 ms x3.33 to x29.1, not sure enough at 1 % risk; " +
		"leaning better: stress-100 peak RSS MB -40.0 to -20.0 %, not sure enough at 1 % risk"
	if got := Headline(a); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var text strings.Builder
	if err := WriteVerdicts(&text, "text", []verdict.Answer{a}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"inconclusive, leaning worse: x4.13 to x6.99\n", "inconclusive, leaning better: -40.0 to -20.0 %\n", "inconclusive: up to 15.0 % is possible\n",
		"      Each figure covers all requests together, not one endpoint.\n      base and head are means of 4 rounds; false-alarm rate 1 % per server\n      all cells and looks share that rate, so a 95 % interval beside 0 is not yet a verdict\n\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	four := verdict.Answer{Verdict: verdict.Regressed, Cells: []verdict.Cell{rate, cpu, rate, cpu}}
	if got, want := Headline(four), "regressed: stress req/s -67.5 %, mixed CPU us/request +20.0 %, stress req/s -67.5 %. Also mixed CPU us/request +20.0 %"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	near.Low = -0.01
	a.Cells = []verdict.Cell{rate, near}
	text.Reset()
	if err := WriteVerdicts(&text, "text", []verdict.Answer{a}); err != nil || strings.Contains(text.String(), "beside 0") {
		t.Errorf("%v: no interval is beside 0:\n%s", err, text.String())
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
