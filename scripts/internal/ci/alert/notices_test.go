package alert

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/judge/verdict"
)

// From verdicts to issues and notes, through what one job hands to another.
func TestNoticesAreOfVerdicts(t *testing.T) {
	slower := verdictOf(verdict.Answer{Verdict: verdict.Regressed, Cells: []verdict.Cell{cell(t, "stress", "rate_per_s", verdict.Regressed, -0.1)}})
	same := verdictOf(verdict.Answer{Verdict: verdict.Unchanged, Cells: []verdict.Cell{cell(t, "steady", "server_cpu_us_per_stream", verdict.Unchanged, 0)}})
	open := verdictOf(verdict.Answer{Verdict: verdict.Inconclusive, Why: "noise"})
	text, err := json.Marshal(NewNotices([]branch.Verdict{slower, same, open}, errors.New("a.json: no JSON"), run))
	if err != nil || strings.Contains(string(text), "\n") {
		t.Fatalf("%v: want one line, as an output of a job is:\n%s", err, text)
	}
	n, err := Parse(string(text))
	if err != nil || len(n.Issues) != 1 || len(n.Notes) != 1 || n.Issues[0] != Regressed(slower, run) || n.Notes[0].Kind != "step" || n.Unread != "a.json: no JSON" {
		t.Fatalf("%v: %+v", err, n)
	}
	gh := &issues{list: []github.Issue{}}
	if err := n.Post(t.Context(), gh.client(t)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"POST /issues", "POST /issues/1/comments", "PATCH /issues/1"}; !slices.Equal(gh.writes, want) {
		t.Errorf("wrote %q, want %q", gh.writes, want)
	}
	for _, text := range []string{"", "[]", `{"issues":[],"more":1}`, `{"issues":[]} {}`} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is no error", text)
		}
	}
}
