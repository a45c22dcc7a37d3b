package pipeline

import (
	"strings"
	"testing"
)

// Anybody who may push may push a tag, and a checkout with all branches has the tags too. One with the name of
// a branch of origin neither stops a push nor replaces the history.
func TestTagsShadowNoBranch(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.inline()
	before, r := h.push("before", nil)
	r.want(benchmarked(trendRuns...))
	forged := h.commit("forged", "forged", map[string]string{"runs/2026/01/x.jsonl": "forged"})
	for _, tag := range []string{"origin/main", "origin/gh-pages", "main", "gh-pages"} {
		h.must(h.path("remote.git"), "git", "update-ref", "refs/tags/"+tag, forged)
	}
	_, r = h.push("faster", map[string]string{"servers/relay/go-http/speed": "rate=1300 p95=40 rss=20\n"})
	r.want(append(benchmarked(trendRuns...), "load comparison.relay.go-http", "alert"))
	if !strings.Contains(r.summary["publish"], "**relay/go-http** since `"+before[:12]+"`: improved: ") {
		t.Errorf("want the comparison with the published commit:\n%s", r.summary["publish"])
	}
}

// A list on main says who may start a workflow by hand.
func TestOthersThanTheListedStartNothing(t *testing.T) {
	t.Parallel()
	h := newHub(t)
	h.commit("main", "people", map[string]string{".github/dispatchers": "# the core\nann\n"})
	for _, workflow := range []string{"benchmark", "pull-request"} {
		said := false
		for range 3 { // act sometimes loses the last lines of a step
			r := h.run(workflow, "workflow_dispatch", map[string]any{"ref": "refs/heads/main", "inputs": map[string]string{}, "sender": user{Login: "mallory"}})
			r.want([]string{"plan"}, "plan: plan")
			if said = strings.Contains(r.log, `"mallory" may not start this workflow`); said {
				break
			}
			t.Logf("%s does not say why:\n%s", workflow, r.log)
		}
		if !said {
			t.Errorf("%s does not say why, three times", workflow)
		}
	}
}
