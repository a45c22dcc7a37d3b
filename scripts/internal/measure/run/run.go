// Package run loads servers and writes raw files. It is the only package that
// has processes under load; whatever can be worked out from files afterwards
// is left to others.
package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/revision"
)

// A Target is what is to be loaded, or the reason why it cannot be.
type Target struct {
	Server        manifest.Server
	Side          string // base or head where both are loaded; else ""
	Source        revision.Source
	Artefact      *string // hash of what was built
	Versions      map[string]string
	MissingChecks []string // of what the contract says that it should do, as verify.Lacking has it
	Broken        error    // why it cannot be loaded: it was not built, or fails the contract
}

// Direct is the stub itself, loaded as if it were a server.
var Direct = Target{Server: manifest.Server{Name: raw.Direct}, Versions: map[string]string{}}

// Name tells a target from the others of its run.
func (t Target) Name() string { return raw.Target(t.Server.Name, t.Side) }

func (t Target) direct() bool { return t.Server.Name == raw.Direct }

// Options say what to run.
type Options struct {
	Root      string // of the project
	Dir       string // for the raw files; Fresh, or of the run to resume
	Targets   []Target
	Scenarios []string
	Rounds    int
	Repeats   int // rounds that may be added, since the machine discarded some
	Seed      uint64
	Quick     bool
	Solo      bool          // each target alone, one after the other
	Load      time.Duration // of each level side by side; 0 is as the scenario says
	Slice     time.Duration // of each slice where targets take slices; likewise
	VUDivisor int           // of the VUs of paced levels; 0 leaves all
	Placement Placement
	Rig       string              // its hash
	Tools     map[string]string   // versions
	Ports     func() (int, error) // process.FreePort, unless a test wants otherwise
	// Begin gets the planned duration of the run. Step gets each load as it begins.
	Begin func(total time.Duration)
	Step  func(label string, planned time.Duration)
	// Enough is asked after each round whether the run may end; nil stands for
	// after all Rounds and no Repeats.
	Enough func(round int) (bool, error)
	// Resume goes on with the run whose raw files are in Dir, if there are some.
	Resume bool
	// Same is of a comparison that also loads what is the same program on both sides.
	Same bool
}

// overhead is what a k6 run takes beside the load itself, and eachOverhead what
// each target adds: starting, warming up, draining, letting pidstat finish,
// stopping. They only serve the estimate of time left.
const (
	overhead     = 4 * time.Second
	eachOverhead = 700 * time.Millisecond
)

// Run loads the targets with every scenario, once per round, each time with
// fresh processes: all in one k6, side by side or by slices as the scenario says,
// or, for a solo run, one after the other in random order. A target that fails
// is noted in the raw files and does not stop the others. An error means that
// the harness broke or ctx ended; what was measured before stays.
func Run(ctx context.Context, o Options) error {
	shared := [][]Target{o.Targets}
	if o.Solo {
		shared = nil
		for _, t := range o.Targets {
			shared = append(shared, []Target{t})
		}
	}
	plans := map[string]load.Plan{}
	var total time.Duration
	for _, scenario := range o.Scenarios {
		plan, err := o.plan(ctx, scenario, shared[0])
		if err != nil {
			return fmt.Errorf("run: %s: %w", scenario, err)
		}
		plans[scenario] = plan
		total += time.Duration(o.Rounds*len(shared)) * o.takes(plan, len(shared[0]))
	}
	planned, err := prepare(ctx, o, plans)
	if err != nil {
		return err
	}
	o.Seed = planned.Seed
	o.Begin(total)
	for round := 1; round <= o.Rounds+o.Repeats; round++ {
		// A seed for each round, so that one that is resumed is as it would have been.
		random := rand.New(rand.NewPCG(o.Seed, uint64(round)))
		for _, scenario := range o.Scenarios {
			for _, i := range random.Perm(len(shared)) {
				l := k6Run{Options: o, targets: shared[i], scenario: scenario, round: round, plan: plans[scenario], seed: random.Uint32()}
				if done, err := l.done(); done || err != nil {
					if err != nil {
						return fmt.Errorf("run: %s: %w", l.label(), err)
					}
					continue
				}
				o.Step(l.label(), o.takes(l.plan, len(l.targets)))
				if err := l.measure(ctx); err != nil {
					return fmt.Errorf("run: %s: %w", l.label(), err)
				}
			}
		}
		if o.Resume && o.started(round+1) {
			continue // it was asked after the last that is there
		}
		enough := o.Enough == nil && round >= o.Rounds
		if o.Enough != nil {
			if enough, err = o.Enough(round); err != nil {
				return fmt.Errorf("run: after round %d: %w", round, err)
			}
		}
		if enough {
			planned.Ended = round
			return raw.WriteJSON(filepath.Join(o.Dir, raw.RunFile), planned)
		}
	}
	return nil
}

// started says whether there are raw files of a round.
func (o Options) started(round int) bool {
	_, err := os.Stat(filepath.Join(o.Dir, strconv.Itoa(round)))
	return err == nil
}

// takes is about how long a k6 run lasts.
func (o Options) takes(plan load.Plan, targets int) time.Duration {
	return plan.Duration + overhead + time.Duration(targets)*eachOverhead
}

// plan asks k6 what a scenario asks for, with so many targets.
func (o Options) plan(ctx context.Context, scenario string, targets []Target) (load.Plan, error) {
	job := load.Job{K6: filepath.Join(o.Root, "k6"), Scenario: scenario, Quick: o.Quick, Load: o.Load, Slice: o.Slice, VUDivisor: o.VUDivisor}
	for _, t := range targets {
		job.Targets = append(job.Targets, load.Target{Name: t.Name()})
	}
	out, err := process.Output(ctx, process.Command{Args: job.InspectArgs(), Env: load.Env, Bare: true})
	if err != nil {
		return load.Plan{}, err
	}
	return load.ParsePlan([]byte(out))
}

// Fresh is an error unless dir can take the raw files of a run: it holds
// nothing yet, or does not exist.
func Fresh(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		return fmt.Errorf("run: %s: is not empty; name another directory with -o", dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("run: %w; name another directory with -o", err)
	}
	return nil
}

// prepare makes the directory of the raw files and writes run.json, or finds that
// of the run that is resumed.
func prepare(ctx context.Context, o Options, plans map[string]load.Plan) (raw.Run, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return raw.Run{}, fmt.Errorf("run: %w", err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	r := raw.Run{
		ID: filepath.Base(o.Dir), Started: now, Quick: o.Quick, Solo: o.Solo, Same: o.Same,
		LoadMS: o.Load.Milliseconds(), SliceMS: o.Slice.Milliseconds(), VUDivisor: o.VUDivisor, Rounds: o.Rounds, Seed: o.Seed,
		Host: host(), Placement: string(o.Placement), Rig: o.Rig, Tools: o.Tools,
	}
	r.Commit, r.Dirty = revision.Checkout(ctx, o.Root)
	for _, scenario := range o.Scenarios {
		r.Scenarios = append(r.Scenarios, raw.Scenario{Name: scenario, Levels: plans[scenario].Levels})
	}
	for _, t := range o.Targets {
		if !t.direct() {
			r.Workload = t.Server.Workload
		}
		r.Servers = append(r.Servers, raw.Server{
			Name: t.Server.Name, Language: t.Server.Language, Framework: t.Server.Framework, Artefact: t.Artefact,
			Versions: t.Versions, MissingChecks: append([]string{}, t.MissingChecks...), Side: t.Side, Commit: t.Source.Commit, Tree: t.Source.Tree,
		})
	}
	path := filepath.Join(o.Dir, raw.RunFile)
	var before raw.Run
	switch err := raw.ReadJSON(path, &before); {
	case !o.Resume || errors.Is(err, fs.ErrNotExist):
		return r, raw.WriteJSON(path, r)
	case err != nil:
		return r, fmt.Errorf("run: %w; name another directory with -o", err)
	}
	r.ID, r.Started, r.Seed, before.Ended = before.ID, before.Started, before.Seed, 0
	// A machine has some pages more or less after each start, and what a server
	// should do may hang on the moment.
	r.Host.MemoryBytes = before.Host.MemoryBytes
	for i := range min(len(r.Servers), len(before.Servers)) {
		r.Servers[i].MissingChecks = before.Servers[i].MissingChecks
	}
	if what := differs(before, r); what != "" {
		return r, fmt.Errorf("run: %s: %w, which differs in %s, so it cannot be continued; name another directory with -o", o.Dir, ErrAnother, what)
	}
	return r, raw.WriteJSON(path, r)
}

// ErrAnother is of a directory that holds another run than the one to go on with.
var ErrAnother = errors.New("holds another run")

// differs names the first thing in which two runs do.
func differs(a, b raw.Run) string {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range va.NumField() {
		if !reflect.DeepEqual(va.Field(i).Interface(), vb.Field(i).Interface()) {
			name, _, _ := strings.Cut(va.Type().Field(i).Tag.Get("json"), ",")
			return name
		}
	}
	return ""
}
