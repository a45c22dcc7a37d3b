package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/files/naming"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/setup"
)

// A side is a revision and what it is called in the records.
type side struct{ name, ref string }

// at loads servers as they are at a revision; without names all that it has.
func (p *plannedRun) at(ctx context.Context, names []string, ref string) error {
	root, err := setup.Root()
	if err != nil {
		return err
	}
	if ref, err = revision.Resolve(ctx, root, ref); err != nil {
		return usageError{err}
	}
	scenarios, done, err := p.begin(ctx, root)
	if err != nil {
		return err
	}
	defer done()
	if len(names) == 0 {
		if names, err = revision.Servers(ctx, root, ref); err != nil {
			return err
		}
	}
	code, err := os.MkdirTemp("", "fairstream-code-")
	if err != nil {
		return err
	}
	targets, err := extract(ctx, root, code, names, []side{{"", ref}})
	if err == nil {
		err = p.measure(ctx, root, scenarios, targets)
	}
	return cmp.Or(err, os.RemoveAll(code))
}

// extract gets every server at every side out of git, into a directory outside the
// working copy; k6, the stub and the harness are those of this checkout. One that
// is not there, or is broken there, is a target that cannot be loaded.
func extract(ctx context.Context, root, code string, names []string, all []side) ([]run.Target, error) {
	var targets []run.Target
	for i, name := range names {
		if !naming.IsServer(name) {
			return nil, usageError{fmt.Errorf("server %q: want the name of a directory of servers/", name)}
		}
		if slices.Contains(names[:i], name) {
			return nil, usageError{fmt.Errorf("%s: named twice", name)}
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
