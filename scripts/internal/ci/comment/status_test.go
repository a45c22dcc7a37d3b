package comment

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
)

// Each verdict has its state, and a server without records gets an error.
func TestStatuses(t *testing.T) {
	slower := map[string]float64{"rate_per_s": 0.7}
	faster := map[string]float64{"steady server_cpu_us_per_stream": 0.5}
	holed := job("go-http", 4, 1, nil)
	for i := range holed {
		if holed[i].Scenario == "baseline" {
			holed[i].Metrics["ttft_p95_ms"] = nil
		}
	}
	unbuilt := broken(job("go-http", 1, 1, nil), hostile, "head")
	for i := range unbuilt {
		if unbuilt[i].Server.Side == "head" {
			unbuilt[i].Server.Artefact = nil
		}
	}
	bump := job("go-http", 12, 900, nil)
	for i := range bump {
		if s := &bump[i].Server; s.Side == "head" {
			s.Packages, s.Bump = []string{"hono 4.11.9 to 4.12.0"}, true
		}
	}
	same := broken(job("go-http", 1, 0, nil), "identical: both sides are the same program; it was not loaded", "", "base", "head")
	absent := artifact.Result{}
	for name, c := range map[string]struct {
		uploads      artifact.Result
		state, begin string
	}{
		"regressed":    {uploads(nil, job("go-http", 4, 1, slower)), "failure", "regressed: stress req/s -30.0 %"},
		"improved":     {uploads(nil, job("go-http", 4, 1, faster)), "success", "improved: steady CPU us/stream -50.0 %"},
		"unchanged":    {uploads(nil, job("go-http", 4, 1, nil)), "success", "no change in CPU, latency, memory, throughput"},
		"identical":    {uploads(nil, same), "success", "identical: base and head are the same program"},
		"inconclusive": {uploads(nil, job("go-http", 12, 900, nil)), "success", "no verdict: "},
		"bump":         {uploads(nil, bump), "success", "hono 4.11.9 to 4.12.0: no verdict: "},
		"sized":        {uploads(nil, job("go-http", 12, 450, nil)), "success", "no change, but "},
		"interrupted":  {uploads(nil, job("go-http", 2, 1, nil)), "success", "no verdict: only 2 of the 4 rounds"},
		"not measured": {uploads(nil, holed), "error", "not measured: "},
		"head fails":   {uploads(nil, unbuilt), "failure", "regressed: head fails"},
		"no records":   {absent, "error", "not measured: no records arrived"},
	} {
		p := asked
		p.Servers = relay("go-http")
		got := Statuses(p, Judge(c.uploads), run)
		if len(got) != 1 || got[0].State != c.state || !strings.HasPrefix(got[0].Description, c.begin) || got[0].URL != run.URL() || got[0].Context != "fairstream/relay.go-http" {
			t.Errorf("%s: %+v; want %s, %q", name, got, c.state, c.begin)
		}
		if text := got[0].Description; utf8.RuneCountInString(text) > maxDescription || strings.ContainsAny(text, "`\n") {
			t.Errorf("%s: %d characters of plain text: %q", name, utf8.RuneCountInString(text), text)
		}
	}
}

// A branch that requires all servers lets a pull request pass that changes one. What has no base
// is not known to change nothing.
func TestServersThatAreNotChangedPass(t *testing.T) {
	one, fork := asked, plan.Plan{Kind: plan.Pull, Pull: 7, Revision: asked.Revision, Say: "this pull request comes from a fork"}
	one.Servers = relay("go-gin")
	none := one
	none.Servers, none.Say = nil, "this pull request changes and adds no server"
	some := one
	some.LeftOut = relay("go-http") // it changed too
	for _, c := range []struct {
		p    plan.Plan
		want string
	}{{some, "[go-gin pending]"}, {one, "[go-gin pending go-http success]"}, {none, "[go-gin success go-http success]"}, {fork, "[]"}} {
		var got []string
		for _, s := range Pending(c.p, relay("go-gin", "go-http"), run) {
			got = append(got, strings.TrimPrefix(s.Context, "fairstream/relay.")+" "+s.State)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%q, want %s", got, c.want)
		}
	}
	if got := Failed(asked, run); len(got) != 2 || got[0].State != "error" || got[1].State != "error" {
		t.Errorf("verdicts that cannot be made: %+v; want an error for each server", got)
	}
}

// GitHub takes 140 characters. No figure is cut in two, and the begin is the verdict.
func TestALongDescriptionEndsBehindAPart(t *testing.T) {
	const cell = "mixed CPU us/request +38.4 %"
	cells := "regressed: " + strings.Repeat(cell+", ", 6)
	for text, want := range map[string]string{
		"no change in CPU":       "no change in CPU",
		cells:                    "regressed: " + strings.Repeat(cell+", ", 3) + cell + "…",
		strings.Repeat("é", 140): strings.Repeat("é", 140),
		strings.Repeat("é", 141): strings.Repeat("é", 139) + "…",
	} {
		if got := shortened(text); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// A status that GitHub refuses does not cost the others theirs.
func TestOneStatusFails(t *testing.T) {
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if paths = append(paths, r.URL.Path); len(paths) == 1 {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
	}))
	defer server.Close()
	err := SetStatuses(t.Context(), github.Client{API: server.URL, Repository: "acme/fairstream"}, asked.Revision, Failed(asked, run))
	want := "/repos/acme/fairstream/statuses/" + asked.Revision
	if err == nil || !slices.Equal(paths, []string{want, want}) {
		t.Errorf("%v after %q; want an error, and both asked for", err, paths)
	}
}
