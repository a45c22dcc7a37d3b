package trial

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// A workbench runs trials: it injects, edits, builds and loads.
type workbench struct {
	root, code string // root of the project, and directory for copies of servers
	session    *session.Session
	// recent has, by server, the figures of base in its newest k6 runs. They define one per cent, since a machine's speed
	// drifts over hours.
	recent map[string][]Figures
}

// mostRecent limits the k6 runs of a server in recent.
const mostRecent = 5

// open sets up and runs a pilot of three rounds with each server, which defines one per cent. It checks that every size
// passes the contract. Without sizes it runs none.
func (w *workbench) open(ctx context.Context, servers []string, sizes []prove.Size, share float64) error {
	var err error
	if w.session, err = session.New(w.root, workload.All[0], session.Options{Scenarios: record.Compare, Asked: raw.Asked{Rounds: 1}}); err != nil {
		return err
	}
	if len(sizes) == 0 {
		return w.session.Prepare(ctx, nil, nil)
	}
	for _, server := range servers {
		if err := w.pilot(ctx, server, sizes, share); err != nil {
			return err
		}
	}
	return nil
}

func (w *workbench) pilot(ctx context.Context, server string, sizes []prove.Size, share float64) error {
	targets, err := w.injected(ctx, server, prove.Flags{})
	if err != nil {
		return err
	}
	if err := w.session.Prepare(ctx, targets, nil); err != nil {
		return err
	}
	if err := load.FirstBroken(targets); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "prove: a pilot of %s, which says how much a per cent is\n", server)
	pilot, err := w.load(ctx, targets, 3, 1, share)
	if err == nil && share > 0 && pilot.base.check() != nil {
		fmt.Fprintln(os.Stderr, "prove: no round of the pilot counts beside the neighbour; again without it")
		pilot, err = w.load(ctx, targets, 3, 1, 0)
	}
	if err != nil {
		return err
	}
	w.recent[server] = []Figures{pilot.base}
	for _, size := range sizes {
		flags, err := Flags(server, size, pilot.base)
		if err != nil {
			return err
		}
		// An injected size must pass the contract.
		targets, err := w.injected(ctx, server, flags)
		if err != nil {
			return err
		}
		if err := w.session.Prepare(ctx, targets[1:], nil); err != nil {
			return err
		}
		if err := load.FirstBroken(targets[1:]); err != nil {
			return err
		}
	}
	return nil
}

// injected returns base without a size and head with one. It writes both for each trial, and reuses built files.
func (w *workbench) injected(ctx context.Context, server string, flags prove.Flags) (targets []load.Target, err error) {
	for _, side := range []string{"base", "head"} {
		size := prove.Flags{}
		if side == "head" {
			size = flags
		}
		s, err := Inject(ctx, w.original(server), filepath.Join(w.code, "injected", side, path.Base(server)+prove.InjectedSuffix), size)
		if err != nil {
			return nil, err
		}
		targets = append(targets, load.Target{Server: s, Side: side})
	}
	return targets, nil
}

// original is the directory of a server.
func (w *workbench) original(server string) string {
	return filepath.Join(w.root, "servers", filepath.FromSlash(server))
}

// copies returns two copies of a server. With edit, head has an edit without an effect. It reuses built files of earlier
// trials.
func (w *workbench) copies(server string, edit bool, seed uint64) (targets []load.Target, change *prove.Change, err error) {
	for _, side := range []string{"base", "head"} {
		dir := filepath.Join(w.code, "copies", side, path.Base(server))
		s, err := Renew(w.original(server), dir)
		if err != nil {
			return nil, nil, err
		}
		if edit && side == "head" {
			made, err := Edit(s, seed)
			if err != nil {
				return nil, nil, err
			}
			change = &made
		}
		targets = append(targets, load.Target{Server: s, Side: side})
	}
	return targets, change, nil
}

// targets makes both sides of a trial.
func (w *workbench) targets(ctx context.Context, t *prove.Trial, attempt uint64) (targets []load.Target, err error) {
	if t.Kind != prove.Injected {
		targets, t.Change, err = w.copies(t.Server, t.Kind == prove.Edited, t.Seed+attempt)
		return targets, err
	}
	if t.Flags, err = Flags(t.Server, t.Size, Typical(w.recent[t.Server])); err != nil {
		return nil, err
	}
	return w.injected(ctx, t.Server, t.Flags)
}

// try runs one trial.
func (w *workbench) try(ctx context.Context, t *prove.Trial) error {
	var targets []load.Target
	for attempt := range uint64(5) { // an edit may break the build
		var err error
		if targets, err = w.targets(ctx, t, attempt); err != nil {
			return err
		}
		for i := range targets {
			if targets[i].Broken = build.Server(ctx, targets[i].Server); targets[i].Broken == nil {
				targets[i].Artefact, targets[i].Broken = build.Artefact(targets[i].Server)
			}
		}
		if t.Kind != prove.Edited || targets[1].Broken == nil || ctx.Err() != nil {
			break
		}
	}
	if err := cmp.Or(ctx.Err(), load.FirstBroken(targets)); err != nil {
		return err
	}
	if t.Kind == prove.Edited && *targets[0].Artefact == *targets[1].Artefact {
		t.Comparison = verdict.Comparison{Workload: targets[0].Server.Workload, Server: targets[0].Server.Name, Planned: verdict.Rounds, Identical: true}
		return nil
	}
	loaded, err := w.load(ctx, targets, verdict.Rounds, t.Seed, t.Neighbour)
	if err != nil {
		return err
	}
	if t.Kind == prove.Injected {
		t.Delivered = &loaded.delivered
	}
	if of := Typical([]Figures{loaded.base}); of.Open > 0 {
		recent := append(w.recent[t.Server], of)
		w.recent[t.Server] = recent[max(0, len(recent)-mostRecent):]
	}
	t.Comparison, t.LoadSeconds, t.NeighbourTookPct = loaded.comparison, loaded.seconds, loaded.neighbourPct
	return nil
}

// A loadedComparison holds the raw files of a trial.
type loadedComparison struct {
	comparison   verdict.Comparison
	base         Figures
	delivered    prove.Delivered
	seconds      float64 // under load
	neighbourPct float64 // of the machine, that the neighbour had
}

// load loads both sides in the same minutes until their comparison is decided. A neighbour takes a share
// of the machine from the first round to the last. It knows no truth, and leaves nothing.
func (w *workbench) load(ctx context.Context, targets []load.Target, rounds int, seed uint64, share float64) (l loadedComparison, err error) {
	dir, remove, err := files.MkdirTemp("", "fairstream-trial-")
	if err != nil {
		return l, err
	}
	defer remove() // best effort: a temporary directory
	s := *w.session
	s.Dir, s.Rounds, s.Seed = dir, rounds, seed
	beside, err := startNeighbour(share, seed, ownCores())
	if err != nil {
		return l, err
	}
	err = s.Load(ctx, targets, session.Rounds{Repeats: verdict.MostDiscarded(rounds), Enough: func(int) (load.Decision, error) {
		comparison, err := comparisonIn(dir)
		return load.Decision{Done: err == nil && verdict.Judge(comparison).Done, Discarded: len(comparison.Rounds) - len(comparison.Counting())}, err
	}})
	var ended error
	l.neighbourPct, ended = beside.stop()
	if err := cmp.Or(err, ended); err != nil {
		return l, err
	}
	records, details, _, err := record.FromRaw(dir)
	if err != nil {
		return l, err
	}
	if l.comparison, err = comparisonIn(dir); err != nil {
		return l, err
	}
	l.seconds = loadSeconds(details)
	if !strings.HasSuffix(targets[0].Server.Name, prove.InjectedSuffix) || len(l.comparison.Counting()) == 0 {
		return l, nil
	}
	var told [2]prove.Told
	for i, t := range targets {
		if told[i], err = SumLogs(logs(dir, t.Name(), l.comparison)); err != nil {
			return l, err
		}
	}
	l.base = FiguresOf(targets[0].Name(), records, details, told[0], len(ownCores()))
	l.delivered = Deliver(told, l.base)
	return l, nil
}

// loadSeconds is the time under load, without the warm-up.
func loadSeconds(details []record.K6Details) (seconds float64) {
	for _, d := range details {
		for _, slice := range d.Slices {
			if slice.Level != raw.WarmUp {
				seconds += slice.TookMS / 1000
			}
		}
	}
	return seconds
}

// comparisonIn reads the comparison in a directory of raw files.
func comparisonIn(dir string) (verdict.Comparison, error) {
	records, _, _, err := record.FromRaw(dir)
	if err != nil {
		return verdict.Comparison{}, err
	}
	comparisons := verdict.Comparisons(records)
	if len(comparisons) != 1 {
		return verdict.Comparison{}, fmt.Errorf("%s: %d comparisons; want one", dir, len(comparisons))
	}
	return comparisons[0], nil
}

// logs lists the logs of a target in the rounds that count.
func logs(dir, target string, comparison verdict.Comparison) (paths []string) {
	for _, r := range comparison.Counting() {
		paths = append(paths, filepath.Join(raw.Dir(dir, r.Round, record.Compare, ""), target+".log"))
	}
	return paths
}
