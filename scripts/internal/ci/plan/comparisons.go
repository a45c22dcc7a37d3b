package plan

import (
	"context"
	"fmt"
	"path"
	"slices"

	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/workload"
)

// superseded says by which commit of main one is, of which nothing need be
// measured any more: a newer push is compared with what was published before
// both. "" when there is none. A push of texts alone starts no workflow, so it
// supersedes nothing.
func (at Place) superseded(ctx context.Context, commit string) (string, error) {
	newest, err := revision.Hash(ctx, at.Root, "origin/main")
	if err != nil || newest == "" || newest == commit {
		return "", err
	}
	paths, err := revision.Paths(ctx, at.Root, commit, newest)
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(paths, func(name string) bool { return path.Ext(name) != ".md" }) {
		return "", nil
	}
	return newest, nil
}

// comparisons plans which servers are loaded beside what they were: those that differ
// from the newest commit before that has published records of them, or, for
// gradual, from the level that was last released or accepted, or else from the
// oldest that has.
func (at Place) comparisons(ctx context.Context, plan *Plan, gradual bool) error {
	if at.Published == nil {
		return nil
	}
	published, err := at.Published(ctx, plan.Revision) // newest first
	if err != nil {
		return err
	}
	published = slices.DeleteFunc(published, func(p history.PublishedCommit) bool { return p.Commit == plan.Revision })
	if gradual {
		slices.Reverse(published)
	}
	base, left := map[workload.Server]string{}, slices.Clone(plan.Servers)
	if gradual {
		if base, err = at.levels(ctx, *plan); err != nil {
			return err
		}
	}
	for _, p := range published {
		left = slices.DeleteFunc(left, func(server workload.Server) bool { return base[server] != "" })
		if len(left) == 0 {
			break
		}
		servers, err := p.Servers(ctx)
		if err != nil {
			return fmt.Errorf("plan: what is published of %.10s: %w", p.Commit, err)
		}
		for _, server := range left {
			if slices.Contains(servers, server) {
				base[server] = p.Commit
			}
		}
	}
	changed := map[string][]workload.Server{} // servers, by base
	for _, server := range plan.Servers {
		from := base[server]
		if from == "" {
			continue
		}
		if _, known := changed[from]; !known {
			_, c, err := revision.Since(ctx, at.Root, from, plan.Revision)
			if err != nil {
				return err
			}
			changed[from] = c.Servers
		}
		if slices.Contains(changed[from], server) {
			plan.Comparisons = append(plan.Comparisons, Comparison{Server: server, Base: from, Gradual: gradual})
		}
	}
	return nil
}

// levels are the newest commits, by server, that were released or accepted, and have it.
func (at Place) levels(ctx context.Context, plan Plan) (map[workload.Server]string, error) {
	base := map[workload.Server]string{}
	history, err := revision.History(ctx, at.Root, plan.Revision)
	if err != nil {
		return nil, err
	}
	released, err := revision.Releases(ctx, at.Root, plan.Revision)
	if err != nil {
		return nil, err
	}
	for _, server := range plan.Servers {
		levels := slices.Concat(released, at.Accepted[server])
		for _, commit := range history {
			if !slices.Contains(levels, commit) {
				continue
			}
			there, err := revision.HasServer(ctx, at.Root, commit, server)
			if err != nil {
				return nil, err
			}
			if there {
				base[server] = commit
				break
			}
		}
	}
	return base, nil
}

// supersededBy is why nothing is measured.
func supersededBy(commit, newest string) string {
	return fmt.Sprintf("%.12s is superseded by %.12s, which is compared with what was published before both", commit, newest)
}
