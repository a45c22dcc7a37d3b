package trial

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/builder"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// A workbench does trials: it plants, edits, builds and loads.
type workbench struct {
	root, code string // of the project, and for copies of servers
	session    *session.Session
	// recent are the figures of base in the newest loadings of the planted server,
	// which say how much a per cent is: a machine's speed drifts over hours.
	recent []Figures
}

// mostRecent loadings count.
const mostRecent = 5

// open sets up, finds out by a pilot of three rounds how much a per cent is, and that
// no dose breaks the contract.
func (w *workbench) open(ctx context.Context, doses []prove.Dose) error {
	var err error
	if w.session, err = session.New(w.root, session.Options{Scenarios: record.Pair, Rounds: 1}); err != nil {
		return err
	}
	targets, err := w.planted(prove.Flags{})
	if err != nil {
		return err
	}
	if err := w.session.Prepare(ctx, targets, nil); err != nil {
		return err
	}
	if err := broken(targets); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "prove: a pilot, which says how much a per cent is")
	pilot, err := w.load(ctx, targets, 3, 1, func(p verdict.Pair) bool { return len(p.Rounds) == 3 })
	if err != nil {
		return err
	}
	w.recent = []Figures{pilot.base}
	for _, dose := range doses {
		flags, err := Flags(dose, pilot.base)
		if err != nil {
			return err
		}
		// A dose is no fault: it passes the contract.
		targets, err := w.planted(flags)
		if err != nil {
			return err
		}
		if err := w.session.Prepare(ctx, targets[1:], nil); err != nil {
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

// plantedName tells the server that has doses planted from the one that it is a
// copy of: it is another program, and has a history of its own.
const plantedName = Server + "-planted"

// planted are base, without a dose, and head, with one. They are written anew
// for each trial; what was built of the one before makes the build short.
func (w *workbench) planted(flags prove.Flags) (targets []run.Target, err error) {
	for side, dose := range map[string]prove.Flags{"base": {}, "head": flags} {
		dir := filepath.Join(w.code, "planted", side, plantedName)
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			return nil, err
		}
		s, err := Plant(filepath.Join(w.root, workload.Server{Workload: workload.Names[0], Name: Server}.Dir()), dir, dose)
		if err != nil {
			return nil, err
		}
		targets = append(targets, run.Target{Server: s, Side: side})
	}
	slices.SortFunc(targets, func(a, b run.Target) int { return strings.Compare(a.Side, b.Side) })
	return targets, nil
}

// edited are a server, and the same with its source edited to no effect. What
// was built of earlier trials stays in its directories, and makes builds short.
func (w *workbench) edited(server string, seed uint64) (targets []run.Target, change *prove.Change, err error) {
	for _, side := range []string{"base", "head"} {
		dir := filepath.Join(w.code, "edited", side, server)
		s, err := Renew(filepath.Join(w.root, workload.Server{Workload: workload.Names[0], Name: server}.Dir()), dir)
		if err != nil {
			return nil, nil, err
		}
		if side == "head" {
			made, err := Edit(s, seed)
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
func (w *workbench) try(ctx context.Context, task prove.Task, past []verdict.Past) (prove.Trial, error) {
	begun := time.Now()
	t := prove.Trial{Task: task, Started: begun.UTC().Truncate(time.Second)}
	var targets []run.Target
	for attempt := range uint64(5) { // an edit may be one that does not build
		var err error
		if task.Kind == prove.Edited {
			targets, t.Change, err = w.edited(EditedServers[task.Number()%len(EditedServers)], task.Seed+attempt)
		} else {
			if task.Kind == prove.Planted {
				if t.Flags, err = Flags(task.Dose, Typical(w.recent)); err != nil {
					return t, err
				}
			}
			targets, err = w.planted(t.Flags)
		}
		if err != nil {
			return t, err
		}
		for i := range targets {
			if targets[i].Broken = builder.Build(ctx, targets[i].Server); targets[i].Broken == nil {
				targets[i].Artefact, targets[i].Broken = builder.Artefact(targets[i].Server)
			}
		}
		if task.Kind != prove.Edited || targets[1].Broken == nil || ctx.Err() != nil {
			break
		}
	}
	if err := cmp.Or(ctx.Err(), broken(targets)); err != nil {
		return t, err
	}
	if task.Kind == prove.Edited && *targets[0].Artefact == *targets[1].Artefact {
		t.Pair = verdict.Pair{Workload: targets[0].Server.Workload, Server: targets[0].Server.Name, Planned: verdict.Rounds, Identical: true}
		return t, nil
	}
	priors := verdict.FitPriors(past)
	loaded, err := w.load(ctx, targets, verdict.Rounds, task.Seed, prove.Decider(priors))
	if err != nil {
		return t, err
	}
	if task.Kind == prove.Planted {
		t.Delivered = &loaded.delivered
	}
	if of := Typical([]Figures{loaded.base}); task.Kind != prove.Edited && of.Open > 0 {
		w.recent = append(w.recent, of)
		w.recent = w.recent[max(0, len(w.recent)-mostRecent):]
	}
	t.Pair, t.Priors, t.LoadSeconds = loaded.pair, priors[loaded.pair.Epoch][loaded.pair.Server], loaded.seconds
	t.WallSeconds = time.Since(begun).Seconds()
	return t, nil
}

// A loaded pair is what a trial's raw files say.
type loadedPair struct {
	pair      verdict.Pair
	base      Figures
	delivered prove.Delivered
	seconds   float64 // of load, without warm-up
}

// load loads both sides in the same minutes until decide says that it is
// enough. It knows no truth, and leaves nothing.
func (w *workbench) load(ctx context.Context, targets []run.Target, rounds int, seed uint64, decide prove.Decide) (l loadedPair, err error) {
	dir, err := os.MkdirTemp("", "fairstream-trial-")
	if err != nil {
		return l, err
	}
	defer os.RemoveAll(dir) // else the system removes it some day
	s := *w.session
	s.Dir, s.Rounds, s.Seed = dir, rounds, seed
	if err := s.Load(ctx, targets, session.Rounds{Repeats: verdict.MostSpoiled(rounds), Enough: func(int) (bool, error) {
		pair, err := pairIn(dir)
		return err == nil && decide(pair), err
	}}); err != nil {
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
			if turn.Plateau != raw.WarmUp {
				l.seconds += turn.TookMS / 1000
			}
		}
	}
	if targets[0].Server.Name != plantedName || len(l.pair.Counting()) == 0 {
		return l, nil
	}
	var told [2]prove.Told
	for i, t := range targets {
		if told[i], err = SumLogs(logs(dir, t.Name(), l.pair)); err != nil {
			return l, err
		}
	}
	l.base = FiguresOf(targets[0].Name(), records, details, told[0])
	l.delivered = Deliver(told, l.base)
	return l, nil
}

// pairIn is the pair in a directory of raw files.
func pairIn(dir string) (verdict.Pair, error) {
	records, _, _, err := record.FromRaw(dir)
	if err != nil {
		return verdict.Pair{}, err
	}
	pairs := verdict.Pairs(records)
	if len(pairs) != 1 {
		return verdict.Pair{}, fmt.Errorf("%s: %d pairs; want one", dir, len(pairs))
	}
	return pairs[0], nil
}

// logs are those of a target in the rounds of a pair that count.
func logs(dir, target string, pair verdict.Pair) (paths []string) {
	for _, r := range pair.Counting() {
		paths = append(paths, filepath.Join(raw.Dir(dir, r.Round, record.Pair, ""), target+".log"))
	}
	return paths
}
