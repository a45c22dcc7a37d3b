package plan

import (
	"context"
	"fmt"
	"slices"

	"fairstream/scripts/internal/judge/cusum"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/workload"
)

// A PublishedCommit is a commit of main with published records.
type PublishedCommit struct {
	Commit  string
	Servers func(context.Context) ([]workload.Server, error) // servers with records
}

// A track is what the branch knows of the commits before a revision.
type track struct {
	revision  string
	published []PublishedCommit         // newest first
	servers   map[int][]workload.Server // of published commits that were read
	events    []verdict.Event           // oldest commit first
	versions  revision.Versions
}

func (at Place) track(ctx context.Context, commit string) (t track, err error) {
	t = track{revision: commit, servers: map[int][]workload.Server{}}
	if at.Published == nil {
		return t, nil
	}
	if t.published, err = at.Published(ctx, commit); err != nil {
		return t, err
	}
	t.published = slices.DeleteFunc(t.published, func(p PublishedCommit) bool { return p.Commit == commit })
	if at.Events == nil {
		return t, nil
	}
	if t.events, err = at.Events(ctx, commit); err != nil || len(t.events) == 0 {
		return t, err
	}
	t.versions, err = revision.VersionsOf(ctx, at.Root, commit)
	return t, err
}

// measured are the servers that a published commit has figures of.
func (t track) measured(ctx context.Context, i int) ([]workload.Server, error) {
	if _, known := t.servers[i]; !known {
		servers, err := t.published[i].Servers(ctx)
		if err != nil {
			return nil, fmt.Errorf("plan: what is published of %.10s: %w", t.published[i].Commit, err)
		}
		t.servers[i] = servers
	}
	return t.servers[i], nil
}

// has reports whether a published commit has figures of a server.
func (t track) has(ctx context.Context, i int, server workload.Server) (bool, error) {
	servers, err := t.measured(ctx, i)
	return slices.Contains(servers, server), err
}

// newest is the newest published commit with figures of a workload; "" when there is none.
func (t track) newest(ctx context.Context, name string) (string, error) {
	for i, p := range t.published {
		servers, err := t.measured(ctx, i)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(servers, func(s workload.Server) bool { return s.Workload == name }) {
			return p.Commit, nil
		}
	}
	return "", nil
}

// oldest is the oldest published commit with figures of a server; "" when there is none.
func (t track) oldest(ctx context.Context, server workload.Server) (string, error) {
	for i := len(t.published) - 1; i >= 0; i-- {
		if has, err := t.has(ctx, i, server); has || err != nil {
			return t.published[i].Commit, err
		}
	}
	return "", nil
}

// mostUndecided is how many versions without a verdict a base goes back at most.
const mostUndecided = 5

// decided is the newest published commit with figures of a server whose comparison has a verdict.
// One that was lost or inconclusive is so compared again, with its own base: once, by the next push,
// and as part of every later change.
func (t track) decided(ctx context.Context, server workload.Server, steps []cusum.Step) (base string, err error) {
	head, _ := t.versions.Of(t.revision, server)
	version, undecided := 0, 0
	for i, p := range t.published {
		if has, err := t.has(ctx, i, server); err != nil {
			return "", err
		} else if !has {
			continue
		}
		if len(steps) == 0 {
			return p.Commit, nil // nothing says what was decided
		}
		v, known := t.versions.Of(p.Commit, server)
		switch {
		case !known && base == "":
			return p.Commit, nil
		case !known:
			continue
		case base != "" && v == version && v == head:
			return base, nil // the next push has repeated it
		case base != "" && v == version:
			continue
		case base != "":
			undecided++
		}
		base, version = p.Commit, v
		if undecided == mostUndecided || hasVerdict(steps, v) {
			break
		}
	}
	return base, nil
}

// hasVerdict reports whether a comparison of a version with the one before came to a verdict.
func hasVerdict(steps []cusum.Step, version int) bool {
	path := cusum.Path(steps)
	i := slices.IndexFunc(path, func(s cusum.Step) bool { return s.Head == version })
	return i >= 0 && path[i].Event.Verdict != verdict.Inconclusive && path[i].Event.Verdict != verdict.NotMeasured
}

// steps are the comparisons of a server, oldest first.
func (t track) steps(server workload.Server) (steps []cusum.Step) {
	for _, e := range t.events {
		base, known := t.versions.Of(e.Base, server)
		head, also := t.versions.Of(e.Head, server)
		if e.ID() == server && known && also {
			steps = append(steps, cusum.Step{Base: base, Head: head, Event: e})
		}
	}
	return steps
}

// cells are those whose changes are added up: the deciding cells of the server's workload.
func cells(server workload.Server) (all []cusum.Cell) {
	for _, c := range workload.Named(server.Workload).Criteria {
		if c.Decides != "" {
			all = append(all, cusum.Cell{Scenario: c.Scenario, Metric: c.Metric, Floor: c.Floor})
		}
	}
	return all
}
