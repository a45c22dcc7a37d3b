package cmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"maps"
	"slices"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Run measures servers and prints a table.
func Run(flags *flag.FlagSet) cli.Action {
	var o session.Options
	flags.StringVar(&o.Scenarios, "scenario", "", "`scenarios`, separated by commas (default: all of the workload but its soak)")
	flags.IntVar(&o.Rounds, "rounds", 0, "`number` of rounds at most. Each has fresh processes (default: "+workload.RoundsText()+")")
	flags.Var((*milliseconds)(&o.SliceMS), "slice", "`duration` of a slice, where targets take turns, such as 250ms (default: from the scenario)")
	flags.BoolVar(&o.Solo, "solo", false, "load each target alone, one after the other; their figures are then minutes apart")
	flags.BoolVar(&o.Where, "where", false, "name the functions of each server that take most time, by perf, in four more rounds")
	loadFlags(flags, &o)
	at := flags.String("at", "", "load the servers of this `revision`, with the tools of this checkout")
	return func(ctx context.Context, names []string) error {
		if cli.Given(flags, "rounds") && o.Rounds < 1 {
			return cli.Usagef("-rounds %d: want 1 or more", o.Rounds)
		}
		if *at != "" {
			return runAt(ctx, o, names, *at)
		}
		root, servers, err := session.Buildable(ctx, names)
		if err != nil {
			return err
		}
		s, done, err := begin(ctx, root, session.IDs(servers), o)
		if err != nil {
			return err
		}
		defer done()
		if len(servers) == 0 {
			return errors.New("run: no servers, because servers/ is empty; name a directory, or add a server")
		}
		return s.Measure(ctx, session.Targets(ctx, servers))
	}
}

// begin makes the session of some servers, and locks it until done is called.
func begin(ctx context.Context, root string, servers []workload.Server, o session.Options) (s *session.Session, done func(), err error) {
	w, err := workload.Common(servers)
	if err != nil {
		return nil, nil, cli.UsageError{Err: err}
	}
	o.Rounds = cmp.Or(o.Rounds, w.Rounds)
	if s, err = session.New(root, w, o); err != nil {
		return nil, nil, err
	}
	done, err = s.Begin(ctx)
	return s, done, err
}

// loadFlags declares the flags that run and soak share.
func loadFlags(flags *flag.FlagSet, o *session.Options) {
	flags.Var((*milliseconds)(&o.LoadMS), "for", "`duration` of each level where targets run side by side, such as 30s (default: from the scenario)")
	flags.StringVar(&o.Placement, "placement", "", "`cores`: shared (all for all) or split (half for k6 and the stub, half for servers); default: split from 4 cores on")
	flags.StringVar(&o.Machines, "machines", "", "`file` that names a second machine for k6 and the stub; see scripts/internal/measure/machines")
	flags.BoolVar(&o.Quick, "quick", false, "shorten every scenario: shows that everything works, but the figures mean little")
	flags.Uint64Var(&o.Seed, "seed", 0, "`seed` of the order of slices; 0 draws one")
	flags.StringVar(&o.Dir, "o", "", "`directory` for raw files and records (default raw/START)")
	build.Flag(flags)
}

// runAt measures servers of a revision, and without names those of the first workload.
func runAt(ctx context.Context, o session.Options, names []string, ref string) error {
	root, err := build.Root()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(names, session.IsDirectory) {
		return runElsewhereAt(ctx, root, o, names, ref)
	}
	if ref, err = revision.Resolve(ctx, root, ref); err != nil {
		return cli.UsageError{Err: err}
	}
	if len(names) == 0 {
		names = workload.Names()[:1]
	}
	servers, err := session.Named(ctx, root, names, ref)
	if err != nil {
		return err
	}
	return measureCheckout(ctx, root, o, servers, func() ([]load.Target, func() error, error) {
		return session.Checkout(ctx, root, servers, []session.Side{{Ref: ref}})
	})
}

// runElsewhereAt measures servers in directories of another repository, at one of its revisions.
func runElsewhereAt(ctx context.Context, root string, o session.Options, dirs []string, ref string) error {
	top, err := session.Repository(ctx, dirs)
	if err != nil {
		return err
	}
	if ref, err = revision.Resolve(ctx, top, ref); err != nil {
		return cli.UsageError{Err: err}
	}
	elsewhere, err := session.Find(ctx, dirs, top, ref, "")
	if err != nil {
		return err
	}
	servers := slices.SortedFunc(maps.Keys(elsewhere.Paths), workload.Server.Compare)
	return measureCheckout(ctx, root, o, servers, func() ([]load.Target, func() error, error) {
		return elsewhere.Checkout(ctx, servers, []session.Side{{Ref: ref}})
	})
}

// measureCheckout measures servers whose code checkout gets, and then releases it.
func measureCheckout(ctx context.Context, root string, o session.Options, servers []workload.Server, checkout func() (targets []load.Target, release func() error, err error)) error {
	s, done, err := begin(ctx, root, servers, o)
	if err != nil {
		return err
	}
	defer done()
	targets, release, err := checkout()
	if err != nil {
		return err
	}
	err = s.Measure(ctx, targets)
	return cmp.Or(err, release())
}

// milliseconds is the value of a flag that is a duration, such as 250ms.
type milliseconds int64

func (m *milliseconds) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("parse error") // as the flags of package flag
	}
	if d < time.Millisecond {
		return errors.New("want 1ms or more")
	}
	*m = milliseconds(d.Milliseconds())
	return nil
}

// Get is how package cli knows what the flag wants.
func (m *milliseconds) Get() any { return time.Duration(*m) * time.Millisecond }

func (m *milliseconds) String() string { return m.Get().(time.Duration).String() }
