package comment

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/testfile"
)

// claimedPlan is one whose records come from a workflow of a fork, which may write what it wants into them.
func claimedPlan() plan.Plan {
	p := asked
	p.Servers, p.Foreign, p.Directory, p.Run, p.Attempt = relay("go-http"), true, "chat", "4", 1
	return p
}

// A merge button looks at the status alone.
func TestAForkNeverPasses(t *testing.T) {
	unloaded := broken(job("go-http", 1, 0, nil), "identical: both sides are the same program; it was not loaded", "", "base", "head")
	const look = "claim of a fork; read it, then comment /benchmark SHA: "
	byBot := claimedPlan()
	byBot.Bot = true // its workflow is that of the repository
	own := claimedPlan()
	own.Foreign, own.Run = false, ""
	improved := uploads(nil, job("go-http", 4, 1, map[string]float64{"steady server_cpu_us_per_stream": 0.5}))
	for name, c := range map[string]struct {
		p            plan.Plan
		uploads      artifact.Result
		state, begin string
	}{
		"improved":     {claimedPlan(), improved, "pending", look + "improved: "},
		"unchanged":    {claimedPlan(), uploads(nil, job("go-http", 4, 1, nil)), "pending", look + "no change"},
		"identical":    {claimedPlan(), uploads(nil, unloaded), "pending", look + "identical: "},
		"inconclusive": {claimedPlan(), uploads(nil, job("go-http", 12, 900, nil)), "pending", look + "no verdict: "},
		"regressed":    {claimedPlan(), uploads(nil, job("go-http", 4, 1, map[string]float64{"rate_per_s": 0.7})), "failure", "claim of a fork: regressed: "},
		"no records":   {claimedPlan(), artifact.Result{}, "error", "not measured: no records arrived"},
		"a bot's":      {byBot, improved, "success", "improved: "},
		"our own":      {own, improved, "success", "improved: "},
	} {
		got := Statuses(c.p, Judge(c.uploads), run)
		if len(got) != 1 || got[0].State != c.state || !strings.HasPrefix(got[0].Description, c.begin) {
			t.Errorf("%s: %+v; want %s, %q", name, got, c.state, c.begin)
		}
	}
}

// The comment has room for the way to a verdict, and links to what is read first.
func TestAClaimSaysWhatAMaintainerDoes(t *testing.T) {
	figures := uploads(nil, job("go-http", 4, 1, nil))
	text := Answer(claimedPlan(), figures, Judge(figures), "", run)
	testfile.Check(t, "testdata/claim.md", []byte(text))
}
