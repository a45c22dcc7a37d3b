package compare

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/release"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// areReleases reports whether both sides are releases of a package. A revision of that name wins, since tags may look
// like releases.
func (c *Comparison) areReleases(ctx context.Context, top string) (bool, error) {
	base, ok := release.Parse(c.Base.Ref)
	head, also := release.Parse(c.Head.Ref)
	for _, s := range []struct {
		ref string
		is  *bool
	}{{c.Base.Ref, &ok}, {c.Head.Ref, &also}} {
		if !*s.is {
			continue
		}
		hash, err := revision.Hash(ctx, top, s.ref)
		if err != nil {
			return false, err
		}
		*s.is = hash == ""
	}
	switch {
	case !ok && !also:
		return false, nil
	case !ok || !also || base.Package != head.Package:
		return false, cli.Usagef("-base %s -head %s: want two releases of one package, such as -base hono@4.11.9 -head hono@4.12.0; the code of the server is that of HEAD on both sides", c.Base.Ref, c.Head.Ref)
	case base == head && !c.Same:
		return false, cli.Usagef("base and head are both %s; name another -base; -same loads one release as both sides", base)
	}
	return true, nil
}

// ofReleases gets ready to compare releases in servers at HEAD. done unlocks the directory.
func (c *Comparison) ofReleases(ctx context.Context, options session.Options, names, dirs []string) (servers []workload.Server, done func(), err error) {
	if len(names)+len(dirs) == 0 {
		return nil, nil, cli.Usagef("want the name of a server that uses the package, or its directory")
	}
	top := c.Root
	if len(dirs) > 0 {
		if top, err = session.Repository(ctx, dirs); err != nil {
			return nil, nil, err
		}
	}
	commit, err := revision.Resolve(ctx, top, "HEAD")
	if err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	var e session.Elsewhere
	if len(dirs) > 0 {
		e, err = session.Find(ctx, dirs, top, commit)
		servers = slices.SortedFunc(maps.Keys(e.Paths), workload.Server.Compare)
	} else {
		servers, err = session.Named(ctx, c.Root, names, commit)
	}
	if err != nil {
		return nil, nil, err
	}
	s, done, err := c.begin(ctx, servers, options)
	if err != nil {
		return nil, nil, err
	}
	of := loader{s, top}
	c.Loader = releaseLoader{of, commit}
	if len(dirs) > 0 {
		c.Loader = releaseLoader{elsewhereLoader{of, e}, commit}
	}
	return servers, done, nil
}

// A releaseLoader takes the code of servers from a commit. References of sides are releases.
type releaseLoader struct {
	Loader
	commit string
}

func (l releaseLoader) Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) (targets []load.Target, remove func() error, err error) {
	at := slices.Clone(sides)
	of := map[string]release.Release{}
	for i, s := range sides {
		at[i].Ref = l.commit
		of[s.Name], _ = release.Parse(s.Ref) // areReleases did
	}
	if targets, remove, err = l.Loader.Checkout(ctx, servers, at); err != nil {
		return nil, nil, err
	}
	err = load.FirstBroken(targets)
	for i := range targets {
		t := &targets[i]
		t.Source = revision.Source{} // no commit has this code
		if err == nil {
			fmt.Fprintf(os.Stderr, "comparison: %s: %s uses %s\n", t.Server.Name, t.Side, of[t.Side])
			if t.Package, err = release.Use(ctx, &t.Server, of[t.Side]); err != nil {
				err = fmt.Errorf("%s: %w", t.Side, err)
			}
		}
	}
	if err != nil {
		_ = remove() // best effort: a temporary directory
		return nil, nil, err
	}
	return targets, remove, nil
}

// Prepare also loads a head that fails a check of the contract, if a load has a meaning: the check is a finding.
func (l releaseLoader) Prepare(ctx context.Context, targets []load.Target, built func([]load.Target)) error {
	err := l.Loader.Prepare(ctx, targets, built)
	session.LoadFailing(targets)
	return err
}

// Steps are the releases after base up to head.
func (l releaseLoader) Steps(ctx context.Context, base, head string, server workload.Server) (steps []string, err error) {
	targets, remove, err := l.Loader.Checkout(ctx, []workload.Server{server}, []session.Side{{Ref: l.commit}})
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, remove()) }()
	from, _ := release.Parse(base) // areReleases did
	to, _ := release.Parse(head)
	if err := load.FirstBroken(targets); err != nil {
		return nil, err
	}
	all, err := release.Range(ctx, targets[0].Server, from, to)
	for _, r := range all[min(1, len(all)):] {
		steps = append(steps, r.String())
	}
	return steps, err
}
