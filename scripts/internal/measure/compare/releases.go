package compare

import (
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
	var of [2]release.Release
	var are [2]bool
	for i, ref := range []string{c.Base.Ref, c.Head.Ref} {
		if of[i], are[i] = release.Parse(ref); are[i] {
			hash, err := revision.Hash(ctx, top, ref)
			if err != nil {
				return false, err
			}
			are[i] = hash == ""
		}
	}
	switch {
	case !are[0] && !are[1]:
		return false, nil
	case !are[0] || !are[1] || of[0].Package != of[1].Package:
		return false, cli.Usagef("-base %s -head %s: want two releases of one package, such as -base hono@4.11.9 -head hono@4.12.0; the code of the server is that of HEAD on both sides", c.Base.Ref, c.Head.Ref)
	case of[0] == of[1] && !c.Same:
		return false, cli.Usagef("base and head are both %s; name another -base; -same loads one release as both sides", of[0])
	case c.Bisect:
		return false, cli.Usagef("-bisect finds commits; for releases: scripts/bench releases -from %s -to %s %s and the server", of[0].Version, of[1].Version, of[0].Package)
	}
	return true, nil
}

// ofReleases gets ready to compare releases in servers at HEAD, which are the project's own or in directories of the
// repository top. done unlocks the directory.
func (c *Comparison) ofReleases(ctx context.Context, options session.Options, top string, names, dirs []string) (servers []workload.Server, done func(), err error) {
	if len(names)+len(dirs) == 0 {
		return nil, nil, cli.Usagef("want the name of a server that uses the package, or its directory")
	}
	commit, err := revision.Resolve(ctx, top, "HEAD")
	if err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	var e session.Elsewhere
	if len(dirs) > 0 {
		e, err = session.Find(ctx, dirs, top, commit, c.Name)
		servers = slices.SortedFunc(maps.Keys(e.Paths), workload.Server.Compare)
		warnUncommitted(ctx, top, "")
	} else {
		servers, err = session.Named(ctx, c.Root, names, commit)
		for _, s := range servers {
			warnUncommitted(ctx, top, s.Dir())
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if len(dirs) > 0 && options.Dir == "" {
		if err := session.IgnoreRaw(); err != nil {
			return nil, nil, err
		}
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
				err = notUsable{fmt.Errorf("%s: %w", t.Side, err)}
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

// notUsable is the error of a release that a server cannot use.
type notUsable struct{ error }

func (e notUsable) Unwrap() error { return e.error }
