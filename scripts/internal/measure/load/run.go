// Package load loads servers with k6, samples them with pidstat, and writes raw files. No other package has processes
// under load. It computes nothing that can be computed from the files later; package raw reads them.
package load

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
	"fairstream/scripts/internal/measure/machines"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/workload"
)

// A Target is a server to load, or the reason why it cannot be loaded.
type Target struct {
	Server        server.Server
	Side          string // base or head in a comparison, else ""
	Source        revision.Source
	Artefact      *string // hash of the built program
	Deployed      *int64  // its size, from build.Deployed
	Versions      map[string]string
	FailedChecks  []string          // failed required checks, as verify.Names has them
	MissingChecks []string          // failed optional checks, likewise
	LeftOut       []string          // requests of head that base does not answer; neither side gets them
	Package       string            // that a comparison of releases changed; "": it is of revisions
	Packages      []string          // of head: versions that differ from base's
	Bump          bool              // of head: only the first of Packages was changed
	Dropped       []string          // of head: requests that only base's server.json has
	Added         []string          // of head: requests that base's server.json does not have
	Changed       []string          // of head: requests with other content or weight than in base's
	Recorded      []server.Recorded // right answers to the declared requests
	Script        string            // path of the k6 script that loads it, where each server has one
	ScriptEnv     map[string]string // variables of that script
	Broken        error             // why it cannot be loaded: it was not built, or fails the contract
}

// FirstBroken is why the first target that cannot be loaded cannot be; nil if all can.
func FirstBroken(targets []Target) error {
	for _, t := range targets {
		if t.Broken != nil {
			return t.Broken
		}
	}
	return nil
}

// Direct is the stub itself, loaded like a server.
var Direct = Target{Server: server.Server{Name: raw.Direct}, Versions: map[string]string{}}

// Name identifies a target within its run.
func (t Target) Name() string { return raw.Target(t.Server.Name, t.Side) }

func (t Target) direct() bool { return t.Server.Name == raw.Direct }

// Options control a run.
type Options struct {
	Root      string            // of the project
	Dir       string            // for the raw files; Fresh, or that of the run to resume
	Workload  workload.Workload // of all targets
	Targets   []Target
	Scenarios []string // scripts
	Only      []string // scenarios of a ranking; nil: all
	raw.Asked
	Within    time.Duration // of all rounds together: sets Rounds after the first whole one; 0: no limit
	Repeats   int           // extra rounds that replace discarded ones
	Placement Placement
	Machine   *machines.Machine   // for k6 and the stub; nil: this one
	LoadHost  *raw.LoadHost       // its facts
	Rig       string              // its hash
	Tools     map[string]string   // versions
	Ports     func() (int, error) // process.FreePort, except in tests
	// Left receives the planned time of the rounds that are left, at the begin and after each round. Step receives
	// each load as it begins. Print receives what a person should know; a run with Within needs it.
	Left  func(planned time.Duration)
	Step  func(label string, planned time.Duration)
	Print func(line string)
	// Enough is called after each round. nil means all Rounds and no Repeats.
	Enough func(round int) (Decision, error)
	// Resume continues the run whose raw files are in Dir, if there are any.
	Resume bool
	// Same marks a comparison that also loads identical programs.
	Same bool
	// Profile lets perf sample the servers. Such rounds are never judged.
	Profile bool

	services *services.Services // for servers with a database; Run starts them
}

// A Decision is about the next round of a run.
type Decision struct {
	Done      bool // there is none
	Discarded int  // rounds so far that do not count; as many are measured again
}

// left is the number of rounds that follow a round.
func (o Options) left(round, discarded int) int {
	return max(0, o.Rounds+min(discarded, o.Repeats)-round)
}

// overhead is the time of a k6 run beside the load. eachOverhead is the part of each target: starting,
// warming up, draining, letting pidstat finish, stopping. They only serve the estimate of the time left.
const (
	overhead     = 4 * time.Second
	eachOverhead = 700 * time.Millisecond
)

// Run loads the targets with every script once per round, each time with fresh processes. One k6 loads all
// targets, side by side or in slices. In a solo run each target has its own k6, in random order. A failing
// target becomes a fact and does not stop the others. An error means that the harness failed or ctx ended;
// finished k6 runs stay.
func Run(ctx context.Context, o Options) error {
	shared := [][]Target{o.Targets}
	if o.Solo {
		shared = nil
		for _, t := range o.Targets {
			shared = append(shared, []Target{t})
		}
	}
	plans := map[string]K6Plan{}
	var each time.Duration // round
	for _, scenario := range o.Scenarios {
		plan, err := o.plan(ctx, scenario, shared[0])
		if err != nil {
			return fmt.Errorf("run: %s: %w", scenario, err)
		}
		plans[scenario] = plan
		each += time.Duration(len(shared)) * o.takes(plan, len(shared[0]))
	}
	planned, err := prepare(ctx, o, plans)
	if err != nil {
		return err
	}
	limited := o.Within == 0 || planned.Rounds < o.Rounds
	o.Seed, o.Rounds = planned.Seed, planned.Rounds
	if !limited { // an estimate, until a round was measured
		o.Rounds = roundsWithin(o.Within, each, planned.Rounds)
	}
	if o.services, err = services.For(ctx, o.Root, o.Dir, o.Workload, o.needs(), true, o.Placement.rig(), o.Ports); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	defer o.services.Stop()
	o.Left(time.Duration(o.left(0, 0)) * each)
	for round := 1; round <= o.Rounds+o.Repeats; round++ {
		// Each round has its own seed, so that a resumed round is the same.
		random := rand.New(rand.NewPCG(o.Seed, uint64(round)))
		began, whole := time.Now(), true
		for _, scenario := range o.Scenarios {
			for _, i := range random.Perm(len(shared)) {
				l := k6Run{Options: o, targets: shared[i], scenario: scenario, round: round, plan: plans[scenario], seed: random.Uint32()}
				if done, err := l.done(); done || err != nil {
					if err != nil {
						return fmt.Errorf("run: %s: %w", l.label(), err)
					}
					whole = false
					continue
				}
				o.Step(l.label(), o.takes(l.plan, len(l.targets)))
				if err := l.measure(ctx); err != nil {
					return fmt.Errorf("run: %s: %w", l.label(), err)
				}
			}
		}
		if o.Resume && o.started(round+1) {
			continue // Enough was called after the last existing round
		}
		if !limited && whole { // the first whole round, also where an interrupted run goes on
			took := time.Since(began)
			if text := longerThan(o.Within, took); text != "" {
				o.Print("run: " + text)
			}
			limited, o.Rounds = true, roundsWithin(o.Within, took, planned.Rounds)
			planned.Rounds = o.Rounds
			if err := raw.WriteJSON(filepath.Join(o.Dir, raw.RunFile), planned); err != nil {
				return fmt.Errorf("run: %w", err)
			}
		}
		next := Decision{Done: round >= o.Rounds}
		if o.Enough != nil {
			if next, err = o.Enough(round); err != nil {
				return fmt.Errorf("run: after round %d: %w", round, err)
			}
		}
		if next.Done {
			planned.Ended = round
			return raw.WriteJSON(filepath.Join(o.Dir, raw.RunFile), planned)
		}
		o.Left(time.Duration(o.left(round, next.Discarded)) * each)
	}
	return nil
}

// needs are the services of all targets.
func (o Options) needs() workload.Needs {
	needs := o.Workload.Needs()
	for _, t := range o.Targets {
		needs = needs.And(t.Server.Needs())
	}
	return needs
}

// leastWithin is the number of rounds that a limited run has at least.
const leastWithin = 4

// roundsWithin is how many rounds fit into a time, by how long one took.
func roundsWithin(limit, each time.Duration, most int) int {
	return min(most, max(leastWithin, int(limit/each)))
}

// longerThan says that the least number of rounds takes longer than a limit; "" if it does not.
func longerThan(limit, each time.Duration) string {
	least := leastWithin * each
	if least <= limit {
		return ""
	}
	return fmt.Sprintf("-within is %v, but the least of %d rounds takes about %v", limit, leastWithin, least.Round(time.Second))
}

// started reports whether there are raw files of a round.
func (o Options) started(round int) bool {
	_, err := os.Stat(filepath.Join(o.Dir, strconv.Itoa(round)))
	return err == nil
}

// takes estimates the duration of a k6 run.
func (o Options) takes(plan K6Plan, targets int) time.Duration {
	return plan.Duration + overhead + time.Duration(targets)*eachOverhead
}

// job is what k6 gets of the options, without targets.
func (o Options) job(scenario string) K6Command {
	return K6Command{
		K6: filepath.Join(o.Root, "k6"), Workload: o.Workload.Name, Scenario: scenario, Only: o.Only,
		Quick: o.Quick, LoadMS: o.LoadMS, LoadChange: o.LoadChange, Loads: o.loads(),
	}
}

// plan asks k6 for the plan of a scenario with this number of targets.
func (o Options) plan(ctx context.Context, scenario string, targets []Target) (K6Plan, error) {
	if o.Workload.Scripted {
		return o.planScripts(ctx, targets)
	}
	job := o.job(scenario)
	for _, t := range targets {
		job.Targets = append(job.Targets, K6Target{Name: t.Name()})
	}
	file, remove, err := job.WriteTargets()
	if err != nil {
		return K6Plan{}, err
	}
	defer remove() // best effort: a temporary file
	out, err := process.Output(ctx, process.Command{Args: job.InspectArgs(file), Env: K6Env, Bare: true})
	if err != nil {
		return K6Plan{}, err
	}
	return ParseK6Plan([]byte(out))
}

// loads are the declared requests of the targets that can be loaded, by server; nil if the workload has its own.
func (o Options) loads() map[string]server.Traffic {
	if !o.Workload.Declares {
		return nil
	}
	all := map[string]server.Traffic{}
	for _, t := range o.Targets {
		if d := t.Server.Declared; d != nil && t.Recorded != nil {
			l := server.TrafficOf(*d)
			l.Recorded = t.Recorded
			all[t.Server.Name] = l
		}
	}
	return all
}

// Fresh returns an error unless dir can take the raw files of a run: it is empty, or does not exist.
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

// prepare creates the directory of the raw files and writes run.json, or reads that of the resumed run.
func prepare(ctx context.Context, o Options, plans map[string]K6Plan) (raw.Run, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return raw.Run{}, fmt.Errorf("run: %w", err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	r := raw.Run{
		ID: filepath.Base(o.Dir), Started: now, Asked: o.Asked, Same: o.Same, Workload: o.Workload.Name, WithinMS: o.Within.Milliseconds(),
		Host: host(o.LoadHost), Placement: string(o.Placement), Rig: o.Rig, Tools: o.Tools,
	}
	r.Commit, r.Dirty = revision.Checkout(ctx, o.Root)
	for _, scenario := range o.Scenarios {
		r.Scenarios = append(r.Scenarios, raw.Scenario{Name: scenario, Levels: plans[scenario].Levels})
	}
	for _, t := range o.Targets {
		var margins, limits map[string]float64
		if d := t.Server.Declared; d != nil {
			margins, limits = d.Margins, d.Limits
		}
		r.Servers = append(r.Servers, raw.Server{
			Name: t.Server.Name, Language: t.Server.Language, Framework: t.Server.Framework, Artefact: t.Artefact,
			Versions: t.Versions, FailedChecks: t.FailedChecks, MissingChecks: append([]string{}, t.MissingChecks...),
			Reference: t.Server.Reference, Side: t.Side, Commit: t.Source.Commit, Tree: t.Source.Tree, Margins: margins, Limits: limits,
			LeftOut: t.LeftOut, Dropped: t.Dropped, Added: t.Added, Changed: t.Changed, Packages: t.Packages, Bump: t.Bump,
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
	if r.WithinMS > 0 && r.WithinMS == before.WithinMS {
		r.Rounds = before.Rounds // the first round set it
	}
	// Memory differs by some pages after each start, and a check may depend on the moment.
	r.Host.MemoryBytes = before.Host.MemoryBytes
	for i := range min(len(r.Servers), len(before.Servers)) {
		r.Servers[i].FailedChecks = before.Servers[i].FailedChecks
		r.Servers[i].MissingChecks = before.Servers[i].MissingChecks
	}
	if what := differs(before, r); what != "" {
		return r, fmt.Errorf("run: %s: %w, whose run.json differs in %q, so it cannot be continued; name another directory with -o", o.Dir, ErrAnother, what)
	}
	return r, raw.WriteJSON(path, r)
}

// ErrAnother means that a directory holds another run than the one to continue.
var ErrAnother = errors.New("holds another run")

// differs names the first difference between two runs.
func differs(a, b raw.Run) string {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	for _, field := range reflect.VisibleFields(va.Type()) {
		if !field.Anonymous && !reflect.DeepEqual(va.FieldByIndex(field.Index).Interface(), vb.FieldByIndex(field.Index).Interface()) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			return name
		}
	}
	return ""
}

// done reports whether a k6 run of a resumed run has complete raw files. One with unreadable files is
// measured again.
func (l k6Run) done() (bool, error) {
	var facts raw.Facts
	path := filepath.Join(l.path(), raw.FactsFile)
	err := raw.ReadJSON(path, &facts)
	if err == nil && facts.K6PID != 0 { // otherwise nothing was loaded
		_, err = raw.ReadSummary(filepath.Join(l.path(), raw.SummaryFile))
	}
	if err == nil {
		return true, nil
	}
	// Old files must not pass for those of the new one.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return false, nil
}
