package compare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Revisions compares servers at two revisions, c.Base.Ref and c.Head.Ref. Without names it takes the servers
// that differ. options say how to load.
func (c *Comparison) Revisions(ctx context.Context, options session.Options, names []string) error {
	if options.Rounds < 2 {
		return cli.Usagef("-rounds %d: want 2 or more; one round does not show how much rounds scatter", options.Rounds)
	}
	if options.SharedBy < 0 {
		return cli.Usagef("-shared-by %d: want the number of servers, 1 or more", options.SharedBy)
	}
	if c.Wait < 0 {
		return cli.Usagef("-wait %v: want a duration, such as 10m", c.Wait)
	}
	if options.SharedBy == 1 {
		options.SharedBy = 0 // the usual
	}
	if err := here(ctx, c.Root, names); err != nil {
		return err
	}
	for _, s := range []*session.Side{&c.Base, &c.Head} {
		ref, err := revision.Resolve(ctx, c.Root, s.Ref)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		s.Ref = ref
	}
	servers, err := session.Named(ctx, c.Root, names, c.Base.Ref, c.Head.Ref)
	if err != nil {
		return err
	}
	from, changed, err := revision.Since(ctx, c.Root, c.Base.Ref, c.Head.Ref)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	c.Base.Ref = from
	if len(servers) == 0 && !c.Same {
		servers = changed.Servers
	} else if len(servers) == 0 {
		if servers, err = revision.Servers(ctx, c.Root, c.Head.Ref); err != nil {
			return err
		}
	}
	if len(servers) == 0 {
		return nothing(changed, c.Base.Ref, c.Head.Ref)
	}
	w, err := workload.Common(servers)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	options.Resume = true
	s, err := session.New(c.Root, w, options)
	if err != nil {
		return err
	}
	done, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	c.Loader, c.Dir, c.Seed, c.Rounds, c.Quick = loader{s, c.Root}, s.Dir, s.Seed, s.Rounds, s.Quick
	for _, s := range servers {
		dir := filepath.Join(c.Root, s.Dir())
		// A server that is missing here exists only at other revisions.
		if _, err := os.Stat(dir); err == nil && revision.SourceOf(ctx, dir).Commit == nil {
			fmt.Fprintf(os.Stderr, "comparison: %s has uncommitted changes; they are not measured, only commits are\n", s.Dir())
		}
	}
	return c.Servers(ctx, servers)
}

// here refuses to run in another repository without named servers, since a user there means its commits and
// not the project's.
func here(ctx context.Context, root string, names []string) error {
	dir, err := os.Getwd()
	if err != nil || len(names) > 0 {
		return err
	}
	top, err := revision.Top(ctx, dir)
	own, ownErr := filepath.EvalSymlinks(root)
	if err != nil || ownErr != nil || top == own { // outside repositories there are no other commits
		return nil
	}
	return cli.Usagef("this directory belongs to the repository %s, but -base and -head are revisions of %s; name servers of the latter, or run the command there", top, root)
}

// nothing prints why no server is loaded.
func nothing(changed revision.Changed, base, head string) error {
	if changed.Rig {
		fmt.Fprintf(cli.Stdout, "not measured: no server differs between %.10s and %.10s, but the rig does: k6/, stub/ or scripts/.\n"+
			"A comparison compares servers, with the rig of this checkout.\n", base, head)
		return cli.ErrFindings
	}
	fmt.Fprintf(cli.Stdout, "identical: no server differs between %.10s and %.10s; nothing was loaded; -same loads identical servers too\n", base, head)
	return nil
}

// A loader is a session that loads both sides.
type loader struct {
	*session.Session
	root string
}

func (l loader) Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) ([]run.Target, func() error, error) {
	return session.Checkout(ctx, l.root, servers, sides)
}

func (l loader) Steps(ctx context.Context, base, head string, server workload.Server) ([]string, error) {
	return revision.Steps(ctx, l.root, base, head, server.Dir())
}

func (l loader) Load(ctx context.Context, targets []run.Target, job Job) (records []record.Record, runErr, err error) {
	s := *l.Session
	s.Dir, s.Seed, s.Rounds = job.Dir, job.Seed, job.Rounds
	s.VUDivisor, s.Slice = job.Load.VUDivisor, job.Load.Slice
	runErr = s.Load(ctx, targets, session.Rounds{Repeats: job.Repeats, Same: job.Same, Enough: func(round int) (bool, error) {
		records, _, _, err := record.FromRaw(job.Dir)
		return err == nil && job.Enough(round, records), err
	}})
	records, err = session.KeepRecords(job.Dir, runErr)
	return records, runErr, err
}
