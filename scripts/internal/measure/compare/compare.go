// Package compare measures base and head of servers in the same minutes until they have verdicts. It confirms
// regressions, and finds their commits. An implementation of Loader loads the servers, and package verdict
// judges them.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/workload"
)

// A Loader extracts, builds, verifies and loads both sides of servers.
type Loader interface {
	// Checkout extracts servers at revisions. release removes their code.
	Checkout(ctx context.Context, servers []workload.Server, sides []session.Side) (targets []load.Target, release func() error, err error)
	// Steps lists the commits after base up to head that changed a server, oldest first.
	Steps(ctx context.Context, base, head string, server workload.Server) ([]string, error)
	// Prepare sets up, builds and verifies. A failing target gets Broken. built is called after building.
	Prepare(ctx context.Context, targets []load.Target, built func([]load.Target)) error
	// Verify checks built targets.
	Verify(ctx context.Context, targets []load.Target) error
	// Load loads round after round until the job has enough. It returns the records of all rounds in the
	// job's directory. With runErr the load ended early, and there may still be records.
	Load(ctx context.Context, targets []load.Target, job Job) (records []record.Record, runErr, err error)
	// KeepVerdicts writes the page of a comparison beside its raw files.
	KeepVerdicts(dir string, answers []verdict.Answer) error
	// Functions names the functions of both sides that changed, in some more rounds with the same load. dir gets the files.
	Functions(ctx context.Context, targets []load.Target, dir string, change raw.LoadChange) ([]where.Found, error)
}

// A Job is one load of both sides.
type Job struct {
	Dir    string // of raw files; an interrupted load continues
	Seed   uint64 // decides the order of slices
	Rounds int
	// Repeats limits the extra rounds that replace discarded ones.
	Repeats int
	// Same also loads servers with identical sides.
	Same bool
	// Enough is called after each round with the records of all rounds.
	Enough func(round int, records []record.Record) load.Decision
	Load   raw.LoadChange
}

// A Comparison compares base and head of some servers.
type Comparison struct {
	Loader
	Base, Head session.Side
	Dir        string // of raw files and records
	Seed       uint64
	Rounds     int           // at most, without repeated ones
	Same       bool          // also loads servers with identical sides
	Verbose    bool          // says of each discarded round why
	Confirm    bool          // loads regressed servers once more
	Bisect     bool          // finds the commit of a regression
	Root       string        // of the project
	Name       string        // of the server in one directory elsewhere; "" is that of the directory
	Where      bool          // lists the functions that changed, also where no verdict asks for it
	Changed    bool          // lists them where CPU time or throughput changed
	Endpoint   string        // name of requests whose distribution is printed; "": none
	Wait       time.Duration // for a quiet machine, at most, before a round that follows a discarded one

	machine fs.FS                                      // has /proc; nil: this machine
	pause   func(context.Context, time.Duration) error // with machine: time passes there
	load    raw.LoadChange                             // the same for base and head
}

// Servers compares servers and prints verdicts.
func (c *Comparison) Servers(ctx context.Context, servers []workload.Server) error {
	if err := sameServers(c.Dir, servers); err != nil {
		return err
	}
	targets, release, err := c.Checkout(ctx, servers, []session.Side{c.Base, c.Head})
	if err != nil {
		return err
	}
	if !c.Same {
		markSame(targets, func(t load.Target) *string { return t.Source.Tree })
	}
	if slices.ContainsFunc(targets, func(t load.Target) bool { return t.Broken != errIdentical }) {
		err = c.decide(ctx, targets)
	} else {
		err = c.write(identical(targets))
	}
	return cmp.Or(err, release())
}

// write prints verdicts.
func (c *Comparison) write(answers []verdict.Answer) error {
	return report.Verdicts{Width: cli.Width(), Reasons: c.Verbose}.Write(cli.Stdout, "text", answers)
}

// decide builds, verifies and loads both sides of each server until all verdicts are decided, and prints
// them.
func (c *Comparison) decide(ctx context.Context, targets []load.Target) error {
	if err := c.prepare(ctx, targets); err != nil {
		return err
	}
	answers, records, runErr, err := c.judge(ctx, targets)
	if err != nil || len(records) == 0 {
		return cmp.Or(runErr, err)
	}
	if c.Confirm && runErr == nil {
		answers, runErr = c.confirm(ctx, targets, answers)
	}
	if runErr != nil && ctx.Err() != nil {
		fmt.Fprintf(os.Stderr, "comparison: interrupted; the same command with -o %s goes on; so far:\n", c.Dir)
	}
	err = c.write(answers)
	if runErr == nil && err == nil {
		err = c.functions(ctx, targets, answers)
	}
	err = errors.Join(err, c.KeepVerdicts(c.Dir, answers))
	if c.Endpoint != "" && err == nil {
		err = Endpoint(c.Dir, c.Endpoint, records, answers)
	}
	if runErr != nil {
		return runErr
	}
	if c.Bisect && err == nil {
		err = c.blame(ctx, answers)
	}
	session.NameFiles(c.Dir)
	fmt.Fprintf(os.Stderr, "replay: scripts/bench replay %s\n", filepath.Join(c.Dir, session.RecordsFile))
	return cmp.Or(err, Status(answers))
}

// prepare builds and verifies. It leaves out servers with identical sides, unless Same.
func (c *Comparison) prepare(ctx context.Context, targets []load.Target) error {
	return c.Prepare(ctx, targets, func(targets []load.Target) {
		if !c.Same {
			markSame(targets, func(t load.Target) *string { return t.Artefact })
		}
	})
}

// judge loads targets until everything is decided.
func (c *Comparison) judge(ctx context.Context, targets []load.Target) (answers []verdict.Answer, records []record.Record, runErr, err error) {
	c.load = recorded(c.load, c.Dir)
	for next := c.load; ; c.load = next {
		var why []string
		var noRoom error
		disturbers := c.disturbers()
		records, runErr, err = c.Load(ctx, targets, Job{
			Dir: c.Dir, Seed: c.Seed, Rounds: c.Rounds, Repeats: verdict.MostDiscarded(c.Rounds), Same: c.Same, Load: c.load,
			Enough: func(round int, records []record.Record) load.Decision {
				if next, why = suited(c.load, records); len(why) > 0 {
					return load.Decision{Done: true}
				}
				if noRoom = tooFast(records); noRoom != nil {
					return load.Decision{Done: true}
				}
				decision, disturbed := c.enough(targets, round, records)
				disturbers.roundEnded(ctx, disturbed, decision.Done)
				return decision
			},
		})
		if noRoom != nil {
			return nil, nil, nil, noRoom
		}
		if err != nil || runErr != nil || len(why) == 0 {
			break
		}
		announce(next, why)
		if err := setAside(c.Dir, c.load); err != nil {
			return nil, nil, nil, err
		}
	}
	if err == nil && len(records) > 0 {
		answers = verdict.Compare(records)
	}
	return answers, records, runErr, err
}

// enough decides after a round, and reports whether the machine disturbed the round.
func (c *Comparison) enough(targets []load.Target, round int, records []record.Record) (next load.Decision, disturbed bool) {
	next.Done = true
	for _, a := range verdict.Compare(records) {
		broken := slices.ContainsFunc(targets, func(t load.Target) bool { return t.Server.Name == a.Server && t.Broken != nil })
		if !a.Done && !broken {
			next.Done, next.Discarded = false, max(next.Discarded, len(a.Discarded))
		}
		for _, why := range a.Discarded {
			if !strings.HasPrefix(why, fmt.Sprintf("round %d:", round)) {
				continue
			}
			disturbed = disturbed || !strings.Contains(why, verdict.OneSideFailed)
			if !a.Done {
				fmt.Fprintf(os.Stderr, "comparison: %s: %s; it is measured again\n", a.Server, why)
			}
		}
	}
	return next, disturbed
}

var errIdentical = errors.New(verdict.NotLoaded)

// markSame sets Broken on both sides of servers with equal hashes, since any difference would be noise. hash
// returns nil for an unknown hash.
func markSame(targets []load.Target, hash func(load.Target) *string) {
	for i := range targets {
		for j := range targets[:i] {
			a, b := &targets[j], &targets[i]
			if a.Server.Name != b.Server.Name || a.Side == b.Side || a.Broken != nil || b.Broken != nil {
				continue
			}
			if x, y := hash(*a), hash(*b); x != nil && y != nil && *x == *y {
				a.Broken, b.Broken = errIdentical, errIdentical
			}
		}
	}
}

// identical returns the answers for servers with identical sides.
func identical(targets []load.Target) (answers []verdict.Answer) {
	for _, t := range targets {
		if t.Side == "head" {
			answers = append(answers, verdict.Answer{Workload: t.Server.Workload, Server: t.Server.Name, Verdict: verdict.Identical, Done: true})
		}
	}
	return answers
}

// Status is cli.ErrFindings when a server regressed, is over a limit, was not measured, or had too few rounds for a verdict;
// else nil.
func Status(answers []verdict.Answer) error {
	for _, a := range answers {
		nothing := a.Verdict == verdict.Inconclusive && len(a.Cells) == 0
		if a.Verdict == verdict.Regressed || a.Verdict == verdict.NotMeasured || nothing || len(a.OverLimit()) > 0 {
			return cli.ErrFindings
		}
	}
	return nil
}
