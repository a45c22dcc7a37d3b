package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fairstream/scripts/manifest"
	"fairstream/scripts/revision"
	"fairstream/scripts/run"
	"fairstream/scripts/setup"
)

// pairRounds is the least number of rounds from which benchstat gives an interval.
const pairRounds = 6

func pairCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	var planned plannedRun
	planned.flags(flags, pairRounds)
	base := flags.String("base", "", "`revision` to compare with (default: where head left the main branch)")
	head := flags.String("head", "HEAD", "`revision` in question")
	return func(ctx context.Context, names []string) error {
		if *base == "" {
			*base = "main"
		}
		return sides(ctx, &planned, names, []side{{"base", *base}, {"head", *head}})
	}
}

// A side is a revision and what it is called in the records.
type side struct{ name, ref string }

// sides loads servers as they are at one revision, or at two in the same minutes. The
// code comes out of git into a directory outside the working copy; k6, the
// stub and the harness are those of this checkout. Without names it is the
// servers that differ, or all where there is one side.
func sides(ctx context.Context, planned *plannedRun, names []string, all []side) error {
	root, err := setup.Root()
	if err != nil {
		return err
	}
	scenarios, err := planned.check(root)
	if err != nil {
		return err
	}
	for i, s := range all {
		if all[i].ref, err = revision.Resolve(ctx, root, s.ref); err != nil {
			return usageError{err}
		}
	}
	if len(all) == 2 {
		from, changed, err := revision.Since(ctx, root, all[0].ref, all[1].ref)
		if err != nil {
			return usageError{err}
		}
		all[0].ref = from
		if len(names) == 0 {
			names = changed.Servers
		}
		if len(names) == 0 {
			return usageError{fmt.Errorf("no server differs between %.10s and %.10s; name those to load all the same", from, all[1].ref)}
		}
	} else if len(names) == 0 {
		if names, err = revision.Servers(ctx, root, all[0].ref); err != nil {
			return err
		}
	}
	code, err := os.MkdirTemp("", "fairstream-code-")
	if err != nil {
		return err
	}
	targets, err := extract(ctx, root, code, names, all)
	if err == nil {
		err = planned.measure(ctx, root, scenarios, targets)
	}
	return cmp.Or(err, os.RemoveAll(code))
}

// extract gets every server at every side. One that is not there, or is
// broken there, is a target that cannot be loaded.
func extract(ctx context.Context, root, code string, names []string, all []side) ([]run.Target, error) {
	var targets []run.Target
	for _, name := range names {
		if !manifest.IsName(name) {
			return nil, usageError{fmt.Errorf("server %q: want the name of a directory of servers/", name)}
		}
		for _, s := range all {
			t := run.Target{Server: manifest.Server{Name: name}, Side: s.name, Source: revision.Source{Commit: &s.ref}}
			found, err := revision.Extract(ctx, root, s.ref, name, filepath.Join(code, s.name))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil {
				t.Server, t.Source = found.Server, found.Source
			}
			t.Broken = err
			targets = append(targets, t)
		}
	}
	return targets, nil
}
