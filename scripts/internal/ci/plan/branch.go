package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// onBranch plans a commit of another repository's default branch: a trend run, and a comparison with the newest
// published commit. A scheduled run compares with the oldest one, since many small changes add up.
func (at Elsewhere) onBranch(ctx context.Context, e Event) (Plan, error) {
	var p struct {
		Repository struct {
			DefaultBranch string `json:"default_branch"`
		} `json:"repository"`
	}
	if err := json.Unmarshal(e.JSON, &p); err != nil {
		return Plan{}, fmt.Errorf("plan: event: %w", err)
	}
	switch e.Name {
	case "push", "schedule", "workflow_dispatch":
	default:
		return Plan{}, InputError{fmt.Errorf("plan: event %q; start this workflow with `on: push`, `on: schedule` or `on: workflow_dispatch`", e.Name)}
	}
	// The event of a schedule names no branch. It runs on the default branch only.
	if branch := p.Repository.DefaultBranch; branch != "" && e.Ref != "refs/heads/"+branch {
		return Plan{}, InputError{fmt.Errorf("plan: started on %.100q; the history is that of the default branch, so start it on %.100q", e.Ref, branch)}
	}
	if !record.IsCommit(e.SHA) {
		return Plan{}, fmt.Errorf("plan: GITHUB_SHA %.60q; want a full hash", e.SHA)
	}
	plan := Plan{Kind: Main, Revision: e.SHA, Rounds: mainRounds, Quick: at.Quick, Directory: at.Directory}
	server, err := at.server(ctx, &plan)
	if err != nil || plan.Say != "" {
		return plan, err
	}
	plan.Servers = []workload.Server{server}
	plan.Scenarios = map[string]string{server.Workload: strings.Join(workload.Named(server.Workload).ScenarioNames(), ",")}
	t, err := Place{Published: at.Published}.track(ctx, e.SHA)
	if err != nil {
		return plan, err
	}
	c := Comparison{Server: server, Gradual: e.Name == "schedule"}
	if c.Gradual {
		c.Base, err = t.oldest(ctx, server)
	} else {
		c.Base, err = t.decided(ctx, server, nil)
	}
	if err != nil {
		return plan, err
	}
	if c.Base != "" {
		plan.Comparisons = []Comparison{c}
	}
	return plan, plan.check()
}
