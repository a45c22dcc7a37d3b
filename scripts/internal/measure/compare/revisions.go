package compare

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Revisions compares servers at two revisions, c.Base.Ref and c.Head.Ref. Without names it takes the servers
// that differ. Names of directories mean the repository around them. options say how to load.
func (c *Comparison) Revisions(ctx context.Context, options session.Options, names []string) error {
	names, dirs, top, err := ownNames(ctx, c.Root, names)
	if err != nil {
		return err
	}
	if is, err := c.areReleases(ctx, top); err != nil {
		return err
	} else if is {
		servers, done, err := c.ofReleases(ctx, options, top, names, dirs)
		if err != nil {
			return err
		}
		defer done()
		return c.Servers(ctx, servers)
	}
	if len(dirs) > 0 {
		return c.elsewhere(ctx, options, top, dirs)
	}
	if err := here(ctx, c.Root, names); err != nil {
		return err
	}
	if err := c.resolve(ctx, c.Root); err != nil {
		return err
	}
	servers, err := session.Named(ctx, c.Root, names, c.Base.Ref, c.Head.Ref)
	if err != nil {
		return err
	}
	for _, s := range servers {
		if reference, err := revision.IsReference(ctx, c.Root, c.Head.Ref, s); reference || err != nil {
			return cmp.Or(err, cli.Usagef("%s is a reference, and references are not compared; name other servers", s))
		}
	}
	from, changed, err := revision.Since(ctx, c.Root, c.Base.Ref, c.Head.Ref)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	c.Base.Ref = from
	if err := c.twoCommits(); err != nil {
		return err
	}
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
	s, done, err := c.begin(ctx, servers, options)
	if err != nil {
		return err
	}
	defer done()
	c.Loader = loader{s, c.Root}
	for _, s := range servers {
		warnUncommitted(ctx, c.Root, s.Dir())
	}
	return c.Servers(ctx, servers)
}

// warnUncommitted says that a directory of a repository has changes that no commit has. One that is missing exists only at
// other revisions.
func warnUncommitted(ctx context.Context, top, name string) {
	dir := filepath.Join(top, name)
	if _, err := os.Stat(dir); err == nil && revision.Uncommitted(ctx, dir) {
		fmt.Fprintf(os.Stderr, "comparison: %s has uncommitted changes; they are not measured, only commits are\n", cmp.Or(name, top))
	}
}

// resolve replaces both revisions by their hashes.
func (c *Comparison) resolve(ctx context.Context, root string) error {
	for _, s := range []*session.Side{&c.Base, &c.Head} {
		ref, err := revision.Resolve(ctx, root, s.Ref)
		if err != nil {
			return cli.Usagef("-%s: %w", s.Name, err)
		}
		s.Ref = ref
	}
	return nil
}

// twoCommits refuses to compare a commit with itself, as on main with the default base.
func (c *Comparison) twoCommits() error {
	if c.Same || c.Base.Ref != c.Head.Ref {
		return nil
	}
	return cli.Usagef("base and head are both %.10s; name another -base, such as HEAD~1; -same loads one commit as both sides", c.Head.Ref)
}

// begin makes a session of servers and locks its directory until done is called.
func (c *Comparison) begin(ctx context.Context, servers []workload.Server, options session.Options) (s *session.Session, done func(), err error) {
	switch {
	case options.Rounds < 2:
		return nil, nil, cli.Usagef("-rounds %d: want 2 or more; one round does not show how much rounds scatter", options.Rounds)
	case options.Within < 0:
		return nil, nil, cli.Usagef("-within %v: want a duration, such as 4m", options.Within)
	case options.SharedBy < 0:
		return nil, nil, cli.Usagef("-shared-by %d: want the number of servers, 1 or more", options.SharedBy)
	case c.Wait < 0:
		return nil, nil, cli.Usagef("-wait %v: want a duration, such as 10m", c.Wait)
	case options.SharedBy == 1:
		options.SharedBy = 0 // the usual
	}
	w, err := workload.Common(servers)
	if err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	options.Resume = true
	if s, err = session.New(c.Root, w, options); err != nil {
		return nil, nil, err
	}
	if done, err = s.Begin(ctx); err != nil {
		return nil, nil, err
	}
	c.Dir, c.Seed, c.Rounds = s.Dir, s.Seed, s.Rounds
	return s, done, nil
}

// ownNames separates names of the project's servers from directories elsewhere. A directory of the project's tree is
// one of its servers. top is the repository of the servers.
func ownNames(ctx context.Context, root string, names []string) (own, dirs []string, top string, err error) {
	project, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, nil, "", err
	}
	for _, name := range names {
		if !session.IsDirectory(name) {
			own = append(own, name)
			continue
		}
		dir, err := filepath.Abs(name)
		if err == nil {
			if real, err := filepath.EvalSymlinks(dir); err == nil { // a missing directory is reported later
				dir = real
			}
		}
		if below, err := filepath.Rel(filepath.Join(project, "servers"), dir); err == nil && filepath.IsLocal(below) {
			own = append(own, filepath.ToSlash(below))
			continue
		}
		dirs = append(dirs, name)
	}
	if len(own) > 0 && len(dirs) > 0 {
		return nil, nil, "", cli.Usagef("%s is a server of %s, and %s is a directory elsewhere; revisions are of one repository, so compare one at a time", own[0], root, dirs[0])
	}
	if dirs = slices.Compact(dirs); len(dirs) == 0 {
		return own, nil, root, nil
	}
	top, err = session.Repository(ctx, dirs)
	return own, dirs, top, err
}

// here refuses to run in another repository without named servers, since a user there means its commits and
// not the project's.
func here(ctx context.Context, root string, names []string) error {
	dir, err := os.Getwd()
	if err != nil || len(names) > 0 {
		return err
	}
	top, _, err := revision.Locate(ctx, dir)
	own, ownErr := filepath.EvalSymlinks(root)
	if err != nil || ownErr != nil || top == own { // outside repositories there are no other commits
		return nil
	}
	return cli.Usagef("this directory belongs to the repository %s; to compare a server of it, name the server's directory, such as ./server or . (a dot); without a directory, -base and -head are revisions of %s", top, root)
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

func (l loader) Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) ([]load.Target, func() error, error) {
	return session.Checkout(ctx, l.root, servers, sides)
}

func (l loader) Steps(ctx context.Context, base, head string, server workload.Server) ([]string, error) {
	return revision.Steps(ctx, l.root, base, head, server.Dir())
}

func (l loader) Load(ctx context.Context, targets []load.Target, job Job) (records []record.Record, runErr, err error) {
	s := *l.Session
	s.Dir, s.Seed, s.Rounds = job.Dir, job.Seed, job.Rounds
	s.LoadChange = job.Load
	runErr = s.Load(ctx, targets, session.Rounds{Repeats: job.Repeats, Same: job.Same, Enough: func(round int) (load.Decision, error) {
		records, _, _, err := record.FromRaw(job.Dir)
		if err != nil {
			return load.Decision{}, err
		}
		return job.Enough(round, records), nil
	}})
	records, err = session.KeepRecords(job.Dir, runErr)
	return records, runErr, err
}
