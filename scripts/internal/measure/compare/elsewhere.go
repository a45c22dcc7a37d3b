package compare

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// elsewhere compares servers in directories of another git repository, top, at two of its revisions.
func (c *Comparison) elsewhere(ctx context.Context, options session.Options, top string, dirs []string) (err error) {
	if err := c.resolve(ctx, top); err != nil {
		return err
	}
	if c.Base.Ref, err = revision.MergeBase(ctx, top, c.Base.Ref, c.Head.Ref); err != nil {
		return cli.UsageError{Err: err}
	}
	e, err := session.Find(ctx, dirs, top, c.Head.Ref, c.Name)
	if err := cmp.Or(err, c.twoCommits()); err != nil {
		return err
	}
	warnUncommitted(ctx, top, "")
	var servers []workload.Server
	fresh := false
	for _, id := range slices.SortedFunc(maps.Keys(e.Paths), workload.Server.Compare) {
		path := e.Paths[id]
		old, err := e.At(ctx, id, c.Base.Ref)
		switch {
		case err != nil:
			return err
		case old == nil:
			fresh = true
			name := filepath.Join(top, path)
			fmt.Fprintf(cli.Stdout, "not measured: %s is new: base, %.10s, has no %s, so there is nothing to compare with\n"+
				"`scripts/bench verify %[4]s` checks it against the contract, and `scripts/bench run %[4]s` loads it alone.\n", id, c.Base.Ref, filepath.Join(path, server.File), name)
		default:
			if *old != path {
				fmt.Fprintf(os.Stderr, "comparison: %s was renamed: base has it in %s\n", id, filepath.Join(top, *old))
			}
			servers = append(servers, id)
		}
	}
	if len(servers) == 0 {
		return cli.ErrFindings
	}
	if options.Dir == "" {
		if err := session.IgnoreRaw(); err != nil {
			return err
		}
	}
	s, done, err := c.begin(ctx, servers, options)
	if err != nil {
		return err
	}
	defer done()
	c.Loader, c.Root = elsewhereLoader{loader{s, top}, e}, top
	if err := c.Servers(ctx, servers); err != nil || !fresh {
		return err
	}
	return cli.ErrFindings
}

// An elsewhereLoader takes the code of servers from another repository.
type elsewhereLoader struct {
	loader
	elsewhere session.Elsewhere
}

func (l elsewhereLoader) Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) ([]load.Target, func() error, error) {
	return l.elsewhere.Checkout(ctx, servers, sides)
}

// Steps lists all commits, since any file may belong to the server.
func (l elsewhereLoader) Steps(ctx context.Context, base, head string, _ workload.Server) ([]string, error) {
	return revision.Steps(ctx, l.elsewhere.Top, base, head, ".")
}
