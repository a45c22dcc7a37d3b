package plan

import (
	"context"
	"fmt"
	"path"
	"slices"

	"fairstream/scripts/internal/judge/cusum"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/workload"
)

// superseded is the newer commit of main that makes a measurement of this one needless: the newer
// push is compared with the commit that was published before both. "" when there is none. A push
// of texts alone starts no workflow, so it supersedes nothing.
func (at Place) superseded(ctx context.Context, commit string) (string, error) {
	newest, err := revision.Hash(ctx, at.Root, revision.OfOrigin("main"))
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

// comparisons plans which servers are compared with an earlier version. The base is where a sum of
// changes began to climb, if one does. Else it is the level, for gradual, or the last version with a
// verdict.
func (at Place) comparisons(ctx context.Context, t track, plan *Plan, gradual bool) (err error) {
	levels := map[workload.Server]string{}
	if gradual {
		if levels, err = at.levels(ctx, *plan); err != nil {
			return err
		}
	}
	changed := map[string][]workload.Server{} // servers, by base
	for _, server := range plan.Servers {
		steps := t.steps(server)
		c := Comparison{Server: server, Base: levels[server], Gradual: gradual}
		climb, climbs := cusum.Find(steps, cells(server))
		switch {
		case climbs:
			c.Base, c.Gradual = climb.Base, true
		case gradual && c.Base == "":
			c.Base, err = t.oldest(ctx, server)
		case !gradual:
			c.Base, err = t.decided(ctx, server, steps)
		}
		if err != nil {
			return err
		}
		if c.Base == "" {
			continue
		}
		if _, known := changed[c.Base]; !known {
			_, since, err := revision.Since(ctx, at.Root, c.Base, plan.Revision)
			if err != nil {
				return err
			}
			changed[c.Base] = since.Servers
		}
		if slices.Contains(changed[c.Base], server) {
			plan.Comparisons = append(plan.Comparisons, c)
		}
	}
	return nil
}

// levels are the newest commits, by server, whose level somebody accepted, and that have it. A
// release accepts nothing: else a release within a drift would hide what came before it.
func (at Place) levels(ctx context.Context, plan Plan) (map[workload.Server]string, error) {
	base := map[workload.Server]string{}
	history, err := revision.History(ctx, at.Root, plan.Revision)
	if err != nil {
		return nil, err
	}
	for _, server := range plan.Servers {
		for _, commit := range history {
			if !slices.Contains(at.Accepted[server], commit) {
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
