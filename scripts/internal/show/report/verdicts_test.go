package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

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
		if format == "svg" {
			continue // one line of its headline
		}
		var got strings.Builder
		if err := (Verdicts{Width: 1000, Reasons: true}).Write(&got, format, answers); err != nil {
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
	if got := answer.Headline(a); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var text strings.Builder
	if err := (Verdicts{Width: 1000, Reasons: true}).Write(&text, "text", []verdict.Answer{a}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"x4.13 to x6.99    leaning worse, not sure enough\n", "leaning better, not sure enough\n", "inconclusive: up to 15.0 % is possible\n",
		"  Each figure covers all requests together, not one endpoint.\n  base and head are means of 4 rounds; false-alarm rate 1 % per server\n  all cells and looks share that rate, so a 95 % interval beside 0 is not yet a verdict\n\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	text.Reset()
	a.Discarded = []string{"round 2: " + strings.Repeat("other programs used the machine ", 9)}
	for _, reasons := range []bool{true, false} {
		if err := (Verdicts{Width: logWidth, Reasons: reasons}).Write(&text, "text", []verdict.Answer{a}); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(text.String()) {
		if utf8.RuneCountInString(line) > logWidth+1 {
			t.Errorf("a line is wider than %d columns: %s", logWidth, line)
		}
	}
	if n := strings.Count(text.String(), "were disturbed and left out; -v says why"); n != 1 {
		t.Errorf("%d times no reason:\n%s", n, text.String())
	}
	four := verdict.Answer{Verdict: verdict.Regressed, Cells: []verdict.Cell{rate, cpu, rate, cpu}}
	if got, want := answer.Headline(four), "regressed: stress req/s -67.5 %, mixed CPU us/request +20.0 %, stress req/s -67.5 %. Also mixed CPU us/request +20.0 %"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	near.Low = -0.01
	a.Cells = []verdict.Cell{rate, near}
	text.Reset()
	if err := (Verdicts{Width: 1000, Reasons: true}).Write(&text, "text", []verdict.Answer{a}); err != nil || strings.Contains(text.String(), "beside 0") {
		t.Errorf("%v: no interval is beside 0:\n%s", err, text.String())
	}
}
