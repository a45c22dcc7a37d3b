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
	"time"

	"fairstream/scripts/load"
	"fairstream/scripts/manifest"
	"fairstream/scripts/process"
	"fairstream/scripts/raw"
	"fairstream/scripts/revision"
)

// A Target is a server that is to be loaded, or the reason why it cannot be.
type Target struct {
	Server   manifest.Server
	Side     string // base or head where both are loaded; else ""
	Source   revision.Source
	Versions map[string]string
	Broken   error // why it cannot be loaded: it was not built, or fails the contract
}

// Name tells a target from the others of its run.
func (t Target) Name() string { return raw.Target(t.Server.Name, t.Side) }

// Options say what to run.
type Options struct {
	Root      string // of the project
	Dir       string // for the raw files; must be Fresh
	Targets   []Target
	Scenarios []string
	Rounds    int
	Seed      uint64
	Quick     bool
	Tools     map[string]string   // versions
	Ports     func() (int, error) // process.FreePort, unless a test wants otherwise
	// Begin is told the planned duration of everything, Step each load as it begins.
	Begin func(total time.Duration)
	Step  func(label string, planned time.Duration)
}

// overhead is what a load takes beside the load itself: starting, warming up,
// letting pidstat finish, stopping. It only serves the estimate of time left.
const overhead = 5 * time.Second

// Run loads every target with every scenario, once per round, each time with
// fresh processes. Within a round the servers are in a random order; the two
// sides of a pair follow each other directly, each of them first in every
// second round, so that what drifts meets both. A target that fails is noted
// in its raw files and does not stop the others. An error means that the
// harness broke or ctx ended; what was measured before stays.
func Run(ctx context.Context, o Options) error {
	plans := map[string]load.Plan{}
	var total time.Duration
	for _, scenario := range o.Scenarios {
		job := load.Job{K6: filepath.Join(o.Root, "k6"), Scenario: scenario, Quick: o.Quick}
		out, err := process.Output(ctx, process.Command{Args: job.InspectArgs(), Env: load.Env, Bare: true})
		if err != nil {
			return fmt.Errorf("run: %s: %w", scenario, err)
		}
		if plans[scenario], err = load.ParsePlan([]byte(out)); err != nil {
			return fmt.Errorf("run: %s: %w", scenario, err)
		}
		total += (plans[scenario].Duration + overhead) * time.Duration(o.Rounds*len(o.Targets))
	}
	if err := prepare(ctx, o); err != nil {
		return err
	}
	o.Begin(total)
	random := rand.New(rand.NewPCG(o.Seed, 0))
	for round := 1; round <= o.Rounds; round++ {
		for _, turn := range order(o.Targets, round, random) {
			for _, scenario := range o.Scenarios {
				for _, t := range turn {
					l := loading{Options: o, target: t.Target, scenario: scenario, round: round, position: t.position, plan: plans[scenario]}
					o.Step(l.label(), plans[scenario].Duration+overhead)
					if err := l.measure(ctx); err != nil {
						return fmt.Errorf("run: %s: %w", l.label(), err)
					}
				}
			}
		}
	}
	return nil
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

// prepare makes the directory of the raw files and writes run.json.
func prepare(ctx context.Context, o Options) error {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	now := time.Now().UTC().Truncate(time.Second)
	r := raw.Run{
		ID: filepath.Base(o.Dir), Started: now, Quick: o.Quick, Rounds: o.Rounds, Seed: o.Seed,
		Scenarios: o.Scenarios, Host: host(), Tools: o.Tools,
	}
	r.Commit, r.Dirty = revision.Checkout(ctx, o.Root)
	for _, t := range o.Targets {
		r.Servers = append(r.Servers, raw.Server{
			Name: t.Server.Name, Language: t.Server.Language, Framework: t.Server.Framework,
			Versions: t.Versions, Side: t.Side, Commit: t.Source.Commit, Tree: t.Source.Tree,
		})
	}
	return raw.WriteJSON(filepath.Join(o.Dir, raw.RunFile), r)
}
