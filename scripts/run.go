package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli/progress"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/report"
)

// defaultScenarios are run when none is named.
var defaultScenarios = []string{"baseline", "steady", "stress"}

// runRounds is how often run loads everything: fresh processes differ from each
// other, and one round would not show by how much.
const runRounds = 3

// recordsFile holds the records, beside the raw files they were read from,
// detailsFile what plots need beyond them, and pageFile shows both.
const (
	recordsFile = "run.jsonl"
	detailsFile = "details.jsonl"
	pageFile    = "report.html"
)

// A plannedRun is what the flags of run and of pair say in common.
type plannedRun struct {
	scenarios, dir string
	rounds         int
	quick, solo    bool
	load, slice    time.Duration
	placement      string        // as the flag has it
	placed         run.Placement // what check makes of it
	seed           uint64
	// Of a pair: go on with the raw files in dir, do not load what is the same
	// program on both sides, and end when enough says so.
	resume, identical, same bool
	repeats                 int
	enough                  func(round int) (bool, error)
}

func (p *plannedRun) flags(flags *flag.FlagSet, rounds int) {
	flags.StringVar(&p.scenarios, "scenario", strings.Join(defaultScenarios, ","), "`scenarios`, separated by commas")
	flags.IntVar(&p.rounds, "rounds", rounds, "how often everything is loaded, each time with fresh processes")
	flags.DurationVar(&p.slice, "slice", 0, "`duration` of each turn where targets take turns, such as 250ms (default: as the scenario says)")
	flags.BoolVar(&p.solo, "solo", false, "load each target alone, one after the other, as benchmarks often do; their figures are then minutes apart")
	p.loadFlags(flags)
}

// loadFlags are those of everything that loads.
func (p *plannedRun) loadFlags(flags *flag.FlagSet) {
	flags.DurationVar(&p.load, "for", 0, "`duration` of each plateau side by side, such as 30s (default: as the scenario says)")
	flags.StringVar(&p.placement, "placement", "", "shared: all cores for all; split: half for k6 and the stub, half for servers (default: split from 4 cores on)")
	flags.BoolVar(&p.quick, "quick", false, "shorten every scenario: shows that all works, measures little")
	flags.Uint64Var(&p.seed, "seed", 0, "of the order of turns; 0 draws one")
	flags.StringVar(&p.dir, "o", "", "`directory` for raw files and records (default raw/START)")
}

// check completes what the flags say, and refuses what cannot be done.
func (p *plannedRun) check(root string) (scenarios []string, err error) {
	if scenarios, err = chooseScenarios(filepath.Join(root, "k6"), p.scenarios); err != nil {
		return nil, err
	}
	if p.rounds < 1 {
		return nil, usageError{fmt.Errorf("-rounds %d: want 1 or more", p.rounds)}
	}
	for _, f := range []struct {
		name      string
		is, most  time.Duration
		scenarios []string // that heed it
	}{
		{"for", p.load, 24 * time.Hour, []string{"baseline", "steady", "soak", record.Pair}},
		{"slice", p.slice, time.Minute, []string{"stress", record.Pair}}, // stress has hundreds
	} {
		if f.is != 0 && (f.is < 100*time.Millisecond || f.is > f.most) {
			return nil, usageError{fmt.Errorf("-%s %v: want %v to %v", f.name, f.is, 100*time.Millisecond, f.most)}
		}
		if f.is != 0 && !slices.ContainsFunc(scenarios, func(s string) bool { return slices.Contains(f.scenarios, s) }) {
			return nil, usageError{fmt.Errorf("-%s %v: says nothing of %s; want it with one of %s", f.name, f.is, strings.Join(scenarios, " and "), strings.Join(f.scenarios, ", "))}
		}
	}
	if p.placed, err = run.ParsePlacement(p.placement); err != nil {
		return nil, usageError{err}
	}
	if p.seed == 0 {
		p.seed = rand.Uint64N(1 << 32)
	}
	return scenarios, nil
}

// measure sets up, builds, verifies and loads the targets, and concludes.
func (p *plannedRun) measure(ctx context.Context, root string, scenarios []string, targets []run.Target) error {
	ready, err := p.prepare(ctx, root, targets)
	if err != nil {
		return err
	}
	runErr := p.loadAll(ctx, root, scenarios, targets, ready)
	// What broke the harness matters more than what a server did.
	return cmp.Or(runErr, conclude(p.dir, runErr))
}

// prepared is what loading needs beside the targets.
type prepared struct {
	tools map[string]string // versions
	ruler string            // hash
}

// prepare sets up, builds and verifies. A target that fails is broken.
func (p *plannedRun) prepare(ctx context.Context, root string, targets []run.Target) (ready prepared, err error) {
	var servers []manifest.Server
	for _, t := range targets {
		if t.Broken == nil {
			servers = append(servers, t.Server)
		}
	}
	if ready.tools, err = setUp(ctx, root, servers); err != nil {
		return ready, err
	}
	buildAll(ctx, targets)
	if ctx.Err() != nil {
		return ready, ctx.Err()
	}
	if p.identical {
		markSame(targets, func(t run.Target) *string { return t.Artefact })
	}
	if _, err := verifyAll(ctx, root, targets); err != nil {
		return ready, err
	}
	ready.ruler, err = setup.RigHash(ctx, root, load.Workload)
	return ready, err
}

// loadAll writes the raw files.
func (p *plannedRun) loadAll(ctx context.Context, root string, scenarios []string, targets []run.Target, ready prepared) error {
	bar := progress.New(os.Stderr, 0)
	defer func() { bar.End() }()
	err := run.Run(ctx, run.Options{
		Root: root, Dir: p.dir, Targets: append(targets, run.Direct), Scenarios: scenarios, Rounds: p.rounds, Seed: p.seed, Quick: p.quick,
		Solo: p.solo, Load: p.load, Slice: p.slice, Placement: p.placed, Ruler: ready.ruler, Tools: ready.tools, Ports: process.FreePort,
		Repeats: p.repeats, Enough: p.enough, Resume: p.resume, Same: p.same,
		Begin: func(total time.Duration) { bar = progress.New(os.Stderr, total) },
		Step:  func(label string, planned time.Duration) { bar.Step(label, planned) },
	})
	if errors.Is(err, run.ErrAnother) {
		return usageError{err}
	}
	return err
}

func runCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	var planned plannedRun
	planned.flags(flags, runRounds)
	at := flags.String("at", "", "load the servers as they are at this `revision`, with the harness of this checkout")
	return func(ctx context.Context, names []string) error {
		if *at != "" {
			return planned.at(ctx, names, *at)
		}
		root, servers, err := project(names)
		if err != nil {
			return err
		}
		scenarios, done, err := planned.begin(ctx, root)
		if err != nil {
			return err
		}
		defer done()
		if len(servers) == 0 {
			return errors.New("run: no servers: servers/ is empty")
		}
		return planned.measure(ctx, root, scenarios, targets(ctx, servers))
	}
}

// conclude turns the raw files, those of an unfinished run too, into records
// and a table.
func conclude(dir string, runErr error) error {
	records, err := keep(dir, runErr)
	if len(records) == 0 {
		return err
	}
	if err := errors.Join(err, report.Write(stdout, "text", records)); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "records: %s\nreport: %s\n", filepath.Join(dir, recordsFile), filepath.Join(dir, pageFile))
	if slices.ContainsFunc(records, func(r record.Record) bool {
		failed, _ := r.Metrics.Get("failed_pct")
		return r.Status == record.Invalid || failed > 0
	}) {
		return errNo
	}
	return nil
}

// keep writes records, details and the page beside the raw files. There are records
// also where they could not be written.
func keep(dir string, runErr error) (records []record.Record, err error) {
	defer func() {
		if err != nil && runErr != nil {
			fmt.Fprintln(os.Stderr, err) // main tells the run's
		}
	}()
	if _, err := os.Stat(filepath.Join(dir, raw.RunFile)); err != nil && runErr != nil {
		return nil, nil // it never began
	}
	records, details, planned, err := record.FromRaw(dir)
	if err != nil {
		return nil, err
	}
	if len(records) < planned {
		fmt.Fprintf(os.Stderr, "run: %d of %d records were finished; their raw files are kept in %s\n", len(records), planned, dir)
	}
	if len(records) == 0 {
		return nil, nil
	}
	err = errors.Join(
		raw.WriteFile(filepath.Join(dir, recordsFile), func(w io.Writer) error { return record.Write(w, records) }),
		raw.WriteFile(filepath.Join(dir, detailsFile), func(w io.Writer) error { return record.WriteDetails(w, details) }),
		raw.WriteFile(filepath.Join(dir, pageFile), func(w io.Writer) error { return report.Write(w, "html", records, details...) }))
	if err != nil {
		err = fmt.Errorf("run: %w; the raw files are whole: scripts/bench record %s > FILE makes the records of them", err, dir)
	}
	return records, err
}

func chooseScenarios(k6, list string) ([]string, error) {
	known, err := load.Scenarios(k6)
	if err != nil {
		return nil, err
	}
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		if !slices.Contains(known, name) {
			return nil, usageError{fmt.Errorf("scenario %q: unknown; known are %s", name, strings.Join(known, ", "))}
		}
		if !slices.Contains(chosen, name) {
			chosen = append(chosen, name)
		}
	}
	if len(chosen) > 1 && slices.Contains(chosen, record.Pair) {
		return nil, usageError{fmt.Errorf("scenario %q: its records are called as those of %s; load it alone", record.Pair, strings.Join(record.PairOf, ", "))}
	}
	return chosen, nil
}
