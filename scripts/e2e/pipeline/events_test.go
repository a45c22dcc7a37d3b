package pipeline

import (
	"encoding/json"
	"strings"
)

// Events carry what the workflows and the tool read of GitHub's payloads.

// push makes a commit on main and starts the benchmark as its push does.
func (h *hub) push(message string, files map[string]string) (sha string, r workflowRun) {
	h.t.Helper()
	before := h.must(h.path("clone"), "git", "rev-parse", "main")
	if files == nil { // a push that touches no workload measures none
		files = map[string]string{"k6/relay/steady.js": "// " + message + "\n"}
	}
	sha = h.commit("main", message, files)
	return sha, h.run("benchmark", "push", h.pushed(before, sha, message))
}

func (h *hub) pushed(before, sha, message string) map[string]any {
	ann := map[string]string{"name": "Ann", "email": "ann@example.org", "username": "ann"}
	return map[string]any{
		"ref": "refs/heads/main", "before": before, "after": sha,
		"head_commit": map[string]any{
			"id": sha, "message": message, "timestamp": date(h.when), "author": ann, "committer": ann,
			"url": "https://github.com/" + slug + "/commit/" + sha,
		},
	}
}

// dispatch starts a workflow by hand, on main.
func (h *hub) dispatch(file string, inputs map[string]string) workflowRun {
	h.t.Helper()
	return h.run(file, "workflow_dispatch", map[string]any{"ref": "refs/heads/main", "inputs": inputs})
}

// tested starts what follows a run of ci for a pull request.
func (h *hub) tested(number int, event, conclusion string) workflowRun {
	h.t.Helper()
	for _, p := range h.api.pulls {
		if p.Number == number {
			return h.run("pull-request", "workflow_run", map[string]any{
				"action": "completed",
				"workflow_run": map[string]any{
					"name": "ci", "event": event, "conclusion": conclusion, "head_sha": p.Head.SHA, "head_branch": p.Head.Ref,
					"head_repository": p.Head.Repo,
					"pull_requests":   []any{}, // empty for forks, so nothing may rest on it
				},
			})
		}
	}
	h.t.Fatalf("no pull request %d", number)
	return workflowRun{}
}

// The charts' file is a script that sets one variable.
const scriptPrefix = "window.BENCHMARK_DATA = "

// chartsOf reads what the gh-pages branch has for the charts.
func (h *hub) chartsOf() (c charts) {
	h.t.Helper()
	text, ok := strings.CutPrefix(h.show("charts/data.js"), scriptPrefix)
	if !ok {
		h.t.Fatalf("charts/data.js begins %.60q, want %q", text, scriptPrefix)
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		h.t.Fatal(err)
	}
	return c
}

// series returns the values of a series of the charts, oldest first. Its name comes without the epoch, which
// is that of the jobs here.
func (c charts) series(name string) (values []float64) {
	name, quick, _ := strings.Cut(name, " (")
	if name += ", epoch " + epoch; quick != "" {
		name += " (" + quick
	}
	return c.named(name)
}

// named are those of a series by its whole name.
func (c charts) named(name string) (values []float64) {
	for _, entries := range c.Entries {
		for _, e := range entries {
			for _, p := range e.Benches {
				if p.Name == name {
					values = append(values, *p.Value)
				}
			}
		}
	}
	return values
}
