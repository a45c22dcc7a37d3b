package alert

import (
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

var run = github.Run{Repository: "https://github.com/acme/fairstream", ID: "77"}

// cell is one of the judged ones, changed by a share.
func cell(t *testing.T, scenario, metric string, v verdict.Verdict, change float64) verdict.Cell {
	t.Helper()
	c := verdict.Cell{Server: "go-http", Scenario: scenario, Verdict: v, Base: 1000, Head: 1000 * (1 + change), Change: change, Low: change - 0.01, High: change + 0.01, Rounds: 12}
	var ok bool
	if c.Metric, ok = record.Find(metric); !ok {
		t.Fatalf("no metric %s", metric)
	}
	for _, criterion := range workload.Named("relay").Criteria {
		if criterion.Name() == scenario+" "+metric {
			c.Criterion = criterion
		}
	}
	return c
}

func verdictOf(a verdict.Answer) branch.Verdict {
	a.Workload, a.Server = "relay", "go-http"
	return branch.Verdict{
		Comparison: plan.Comparison{Server: workload.Server{Workload: "relay", Name: "go-http"}, Base: strings.Repeat("a", 40)}, Answer: a,
		Event: verdict.Event{Workload: "relay", Head: strings.Repeat("b", 40), Run: "77-2"},
	}
}

func TestIssuesAreAsTheyWere(t *testing.T) {
	slower := verdict.Answer{Verdict: verdict.Regressed, Rounds: 12, Cells: []verdict.Cell{
		cell(t, "stress", "rate_per_s", verdict.Regressed, -0.1), cell(t, "steady", "server_cpu_us_per_stream", verdict.Regressed, 0.08),
		cell(t, "stress", "stream_p95_ms", verdict.Inconclusive, -0.02),
	}}
	// Package artifact put its output in a code span.
	fails := verdict.Answer{Verdict: verdict.Regressed, Why: "head fails, base does not: 4 of 4 rounds: steady: `exit status 1 <img src=x> @everyone`", Rounds: 4}
	accepted, gradual := verdictOf(slower), verdictOf(slower)
	accepted.Acceptances = []accept.Acceptance{{File: "go-http.json", Server: "go-http", Scenario: "steady", Metric: "*", Since: strings.Repeat("b", 40), Reason: "each answer is logged", By: "Ann"}}
	gradual.Gradual = true
	for name, v := range map[string]branch.Verdict{"slower": verdictOf(slower), "fails": verdictOf(fails), "accepted": accepted, "gradual": gradual} {
		issue := Regressed(v, run)
		got := issue.Title + "\n\n" + issue.Body
		testfile.Check(t, "testdata/"+name+".md", []byte(got))
		if issue.Key != "relay.go-http" || issue.About != "aaaaaaaaaaaa..bbbbbbbbbbbb" || !stateForm.MatchString((state{issue.Key, issue.About, issue.About, ""}).line()) {
			t.Errorf("%s: %q about %q", name, issue.Key, issue.About)
		}
	}
}

// The file that the issue asks for is a valid acceptance once the reason is filled in.
func TestTheFileInAnIssueIsValid(t *testing.T) {
	v := verdictOf(verdict.Answer{Verdict: verdict.Regressed, Cells: []verdict.Cell{cell(t, "stress", "rate_per_s", verdict.Regressed, -0.1)}})
	_, text, ok := strings.Cut(Regressed(v, run).Body, "```json\n")
	text, _, both := strings.Cut(text, "```")
	text = strings.NewReplacer(`"reason": ""`, `"reason": "it is fair"`, `"by": ""`, `"by": "Ann"`).Replace(text)
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "a.json"), text)
	all, err := accept.Read(dir)
	if err != nil || len(all) != 1 || !ok || !both || !all[0].Covers("stress", "rate_per_s") || all[0].Since != v.Event.Head {
		t.Errorf("%s: %+v, %v", text, all, err)
	}
}

func TestNotesNameTheirBasis(t *testing.T) {
	unchanged := verdict.Answer{Verdict: verdict.Unchanged, Cells: []verdict.Cell{cell(t, "steady", "server_cpu_us_per_stream", verdict.Unchanged, 0)}}
	level, accepted := verdictOf(unchanged), verdictOf(verdict.Answer{Verdict: verdict.Regressed, Why: "head fails"})
	level.Gradual = true
	accepted.Acceptances = []accept.Acceptance{{File: "a.json", Scenario: "*", Metric: "*", Since: strings.Repeat("b", 40), Reason: "fair", By: "Ann"}}
	for _, c := range []struct {
		v    branch.Verdict
		kind string
		want string
	}{
		{verdictOf(unchanged), "step", "An older regression stands"},
		{level, "level", "This covers all changes since"},
		{accepted, "accepted", "- its failure: accepted by `Ann`"},
		{verdictOf(verdict.Answer{Verdict: verdict.Inconclusive, Why: "noise"}), "", ""},
		{verdictOf(verdict.Answer{Verdict: verdict.NoLargeChange}), "", ""},
		{verdictOf(verdict.Answer{Verdict: verdict.Identical}), "", ""},
		{verdictOf(verdict.Answer{Verdict: verdict.Regressed, Why: "head fails"}), "", ""},
	} {
		kind, text := Calm(c.v, run)
		if kind != c.kind || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q, %s; want %q, %q", c.v.Answer.Verdict, kind, text, c.kind, c.want)
		}
	}
}
