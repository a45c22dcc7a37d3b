package trial

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/workload"
)

// compare runs one trial, by the code of scripts/bench compare. A trial that was interrupted goes on in its directory.
func (s *Series) compare(ctx context.Context, t *prove.Trial) error {
	server, err := workload.Parse(t.Server)
	if err != nil {
		return err
	}
	c := compare.Comparison{
		Base: session.Side{Name: "base", Ref: "HEAD"}, Head: session.Side{Name: "head", Ref: "HEAD"},
		Same:  true, // also where the two programs are one
		Where: s.Where,
	}
	o := session.Options{Scenarios: record.Compare, Asked: raw.Asked{Rounds: verdict.Rounds, Seed: t.Seed}, Dir: filepath.Join(s.Dir, t.ID), Machines: s.Machines}
	patch := func(ctx context.Context, targets []load.Target) error { return s.patch(ctx, t.Task, targets) }
	if s.loader == nil {
		if c.Root, err = build.Root(); err != nil {
			return err
		}
		err = c.Made(ctx, o, server, patch)
	} else {
		c.Dir, c.Seed, c.Rounds, c.Loader = o.Dir, o.Seed, o.Rounds, compare.MakingLoader{Loader: s.loader, Make: patch}
		err = c.Servers(ctx, []workload.Server{server})
	}
	if err != nil && !errors.Is(err, cli.ErrFindings) {
		return err
	}
	records, err := cli.ReadFile(filepath.Join(o.Dir, session.RecordsFile), record.Read)
	if err != nil {
		return err
	}
	if s.loader == nil {
		_, details, _, err := record.FromRaw(o.Dir)
		if err != nil {
			return err
		}
		t.LoadSeconds = loadSeconds(details)
	}
	comparisons := verdict.Comparisons(records)
	if len(comparisons) != 1 {
		return fmt.Errorf("%s: %d comparisons; want one", o.Dir, len(comparisons))
	}
	t.Comparison = comparisons[0]
	if s.Where {
		t.Functions, err = functionsIn(o.Dir)
	}
	return err
}

// functionsIn are the functions that perf found changed, as the report names them; nil if it did not sample.
func functionsIn(dir string) ([]string, error) {
	var found []where.Found
	err := raw.ReadJSON(filepath.Join(dir, session.FunctionsFile), &found)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := []string{}
	for _, f := range found {
		for _, row := range answer.FunctionRows(f) {
			names = append(names, row.Name)
		}
	}
	return names, err
}

// patch changes the sources of head. They are no commit's then. A patch may also change how they are built.
func (s *Series) patch(ctx context.Context, task prove.Task, targets []load.Target) error {
	if task.Patch == nil {
		return nil
	}
	for i := range targets {
		if t := &targets[i]; t.Side == "head" {
			t.Source = revision.Source{}
			err := ApplyPatch(ctx, t.Server, filepath.Join(s.PatchDir, task.Patch.Name+patchSuffix))
			if err == nil {
				t.Server, err = server.Load(t.Server.Dir)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
