package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"fairstream/scripts/build"
	"fairstream/scripts/compare"
	"fairstream/scripts/load"
	"fairstream/scripts/manifest"
	"fairstream/scripts/prove"
	"fairstream/scripts/raw"
	"fairstream/scripts/record"
	"fairstream/scripts/run"
)

// A workbench does trials: it plants, edits, builds and loads.
type workbench struct {
	root, code string // of the project, and for copies of servers
	ready      prepared
	placed     run.Placement
	flags      map[string]prove.Flags // by dose
	trials     int
}

// open sets up, and finds out by a pilot of three rounds which flags make the doses.
func (w *workbench) open(ctx context.Context, doses []prove.Dose) error {
	var err error
	if w.placed, err = run.ParsePlacement(""); err != nil {
		return err
	}
	targets, err := w.planted("pilot", prove.Flags{})
	if err != nil {
		return err
	}
	setting := plannedRun{}
	if w.ready, err = setting.prepare(ctx, w.root, targets); err != nil {
		return err
	}
	if err := broken(targets); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "prove: a pilot, which says how much a per cent is")
	pilot, err := w.load(ctx, targets, 3, func(p compare.Pair) bool { return len(p.Rounds) == 3 })
	if err != nil {
		return err
	}
	w.flags = map[string]prove.Flags{}
	for _, dose := range doses {
		if w.flags[dose.String()], err = dose.Flags(pilot.base); err != nil {
			return err
		}
		// A dose is no fault: it passes the contract.
		targets, err := w.planted("dose", w.flags[dose.String()])
		if err != nil {
			return err
		}
		if _, err := setting.prepare(ctx, w.root, targets[1:]); err != nil {
			return err
		}
		if err := broken(targets[1:]); err != nil {
			return err
		}
	}
	return nil
}

func broken(targets []run.Target) error {
	for _, t := range targets {
		if t.Broken != nil {
			return t.Broken
		}
	}
	return nil
}

// planted are base, without a dose, and head, with one.
func (w *workbench) planted(name string, flags prove.Flags) ([]run.Target, error) {
	return w.sides(name, proveServer, func(from, dir string, head bool) (manifest.Server, error) {
		if !head {
			return prove.Plant(from, dir, prove.Flags{})
		}
		return prove.Plant(from, dir, flags)
	})
}

// sides makes both sides of a server, in directories of their own.
func (w *workbench) sides(name, server string, make func(from, dir string, head bool) (manifest.Server, error)) (targets []run.Target, err error) {
	w.trials++
	for _, side := range []string{"base", "head"} {
		dir := filepath.Join(w.code, fmt.Sprint(name, w.trials), side, server)
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return nil, err
		}
		s, err := make(filepath.Join(w.root, "servers", server), dir, side == "head")
		if err != nil {
			return nil, err
		}
		targets = append(targets, run.Target{Server: s, Side: side})
	}
	return targets, nil
}

// edited are a server, and the same with its source edited to no effect. What
// was built of earlier trials stays in its directories, and makes builds short.
func (w *workbench) edited(server string, seed uint64) (targets []run.Target, change *prove.Change, err error) {
	for _, side := range []string{"base", "head"} {
		dir := filepath.Join(w.code, "edited", side, server)
		s, err := prove.Renew(filepath.Join(w.root, "servers", server), dir)
		if err != nil {
			return nil, nil, err
		}
		if side == "head" {
			made, err := prove.Edit(s, seed)
			if err != nil {
				return nil, nil, err
			}
			change = &made
		}
		targets = append(targets, run.Target{Server: s, Side: side})
	}
	return targets, change, nil
}

// try does a trial.
func (w *workbench) try(ctx context.Context, task prove.Task, past []compare.Past) (prove.Trial, error) {
	t := prove.Trial{Task: task, Started: time.Now().UTC().Truncate(time.Second)}
	var targets []run.Target
	var err error
	if task.Kind == prove.Edited {
		targets, t.Change, err = w.edited(proveEdited[task.Seed%uint64(len(proveEdited))], task.Seed)
	} else {
		t.Flags = w.flags[task.Dose.String()]
		targets, err = w.planted("trial", t.Flags)
	}
	if err != nil {
		return t, err
	}
	for i := range targets {
		if targets[i].Broken = build.Build(ctx, targets[i].Server); targets[i].Broken == nil {
			targets[i].Artefact, targets[i].Broken = build.Artefact(targets[i].Server)
		}
	}
	if err := broken(targets); err != nil {
		return t, err
	}
	begun := time.Now()
	if task.Kind == prove.Edited && *targets[0].Artefact == *targets[1].Artefact {
		t.Pair = compare.Pair{Server: targets[0].Server.Name, Planned: compare.Rounds, Identical: true}
		return t, nil
	}
	priors := compare.FitPriors(past)
	loaded, err := w.load(ctx, targets, compare.Rounds, prove.Decider(priors))
	if err != nil {
		return t, err
	}
	if task.Kind == prove.Planted {
		t.Delivered = &loaded.delivered
	}
	t.Pair, t.Priors, t.LoadSeconds = loaded.pair, priors[loaded.pair.Epoch][loaded.pair.Server], loaded.seconds
	t.WallSeconds = time.Since(begun).Seconds()
	return t, nil
}

// A loaded pair is what a trial's raw files say.
type loadedPair struct {
	pair      compare.Pair
	base      prove.Figures
	delivered prove.Delivered
	seconds   float64 // of load, without warm-up
}

// load loads both sides in the same minutes until decide says that it is
// enough. It knows no truth, and leaves nothing.
func (w *workbench) load(ctx context.Context, targets []run.Target, rounds int, decide prove.Decide) (l loadedPair, err error) {
	dir, err := os.MkdirTemp("", "fairstream-trial-")
	if err != nil {
		return l, err
	}
	defer os.RemoveAll(dir)
	p := plannedRun{rounds: rounds, dir: dir, placed: w.placed, seed: rand.Uint64N(1 << 32), repeats: compare.MostSpoiled(rounds)}
	p.enough = func(int) (bool, error) {
		pair, err := pairIn(dir)
		return err == nil && decide(pair), err
	}
	if err := p.loadAll(ctx, w.root, []string{record.Pair}, targets, w.ready); err != nil {
		return l, err
	}
	records, details, _, err := record.FromRaw(dir)
	if err != nil {
		return l, err
	}
	if l.pair, err = pairIn(dir); err != nil {
		return l, err
	}
	for _, d := range details {
		for _, turn := range d.Turns {
			if turn.Plateau != load.WarmUp {
				l.seconds += turn.TookMS / 1000
			}
		}
	}
	if targets[0].Server.Name != proveServer || !isPlanted(targets[0]) {
		return l, nil
	}
	var told [2]prove.Told
	for i, t := range targets {
		if told[i], err = toldIn(dir, t.Name(), len(l.pair.Rounds)); err != nil {
			return l, err
		}
	}
	l.base = prove.FiguresOf(targets[0].Name(), records, details, told[0])
	l.delivered = prove.Deliver(told, l.base)
	return l, nil
}

// pairIn is the pair in a directory of raw files.
func pairIn(dir string) (compare.Pair, error) {
	records, _, _, err := record.FromRaw(dir)
	if err != nil {
		return compare.Pair{}, err
	}
	pairs := compare.Pairs(records)
	if len(pairs) != 1 {
		return compare.Pair{}, fmt.Errorf("%s: %d pairs; want one", dir, len(pairs))
	}
	return pairs[0], nil
}

// isPlanted says whether a server tells what it gave.
func isPlanted(t run.Target) bool {
	found, err := filepath.Glob(filepath.Join(t.Server.Dir, "plant_*.go"))
	return err == nil && len(found) > 0
}

// toldIn sums what a planted server told in each round.
func toldIn(dir, target string, rounds int) (prove.Told, error) {
	var all []prove.Told
	for round := 1; round <= rounds; round++ {
		told, err := readFile(filepath.Join(raw.Dir(dir, round, record.Pair, ""), target+".log"), prove.ReadTold)
		if err != nil {
			return prove.Told{}, err
		}
		all = append(all, told)
	}
	return prove.Sum(all), nil
}
