// Package verify runs the checks of a workload's contract against a server. It starts the server between
// raw sockets that see every byte and, if the workload has an upstream, a stub that misbehaves on request. A
// package below it has the checks of each workload. The package measures nothing.
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/launch"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/workload"
)

// A Check is one requirement of the contract.
type Check struct {
	Clause string // clause of the contract
	Name   string // unique, one or two words
	Must   bool   // a server that fails it is not measured
	Means  string
	// First runs the check alone, before the others. They do not run when the server does not start, or when
	// the check returns a Stop.
	First bool
	Run   func(context.Context, *Subject) error // its error describes the failure

	ready bool // the start itself is the check
}

// Ready is the check that a server answers GET /healthz soon after its start.
func Ready(clause string) Check { return ReadyWhen(clause, "GET /healthz answers 200 within 5 s") }

// ReadyWhen is Ready of servers that say themselves when they are ready.
func ReadyWhen(clause, means string) Check {
	c := Alone(clause, "ready", true, means, func(context.Context, *Subject) error { return nil })
	c.ready = true
	return c
}

// Alone returns a check that runs before the others and beside none.
func Alone(clause, name string, must bool, means string, run func(context.Context, *Subject) error) Check {
	return Check{Clause: clause, Name: name, Must: must, Means: means, First: true, Run: run}
}

// A Stop is the failure of a first check that makes the others pointless. Err says so.
type Stop struct{ Err error }

func (s Stop) Error() string { return s.Err.Error() }

func (s Stop) Unwrap() error { return s.Err }

// light makes all checks light. The linker sets it in the tool that tests run.
var light string

// Light returns the check with a tenth of its streams or requests, and with a pause of one second. Tests use
// it for servers that pass or fail in the same way.
func (c Check) Light() Check {
	run := c.Run
	c.Run = func(ctx context.Context, s *Subject) error {
		s.Light = true
		return run(ctx, s)
	}
	return c
}

// A Result is the outcome of a check. Evidence describes a failure.
type Result struct {
	Clause   string `json:"clause"`
	Check    string `json:"check"`
	Must     bool   `json:"must"`
	Pass     bool   `json:"pass"`
	Evidence string `json:"evidence,omitempty"`
}

// places limits the concurrent checks over all servers. Each check has a server and a stub. They may run
// together, since no check fails a slow server. A check that takes longer than a moment usually waits, and
// gives its place to the next one. So the waits of a failing server pass together. On a slow machine all
// checks take long, so waiting checks have a limit too.
var (
	places  = make(chan struct{}, 6)
	started = make(chan struct{}, 32)
)

const moment = time.Second

// enter takes a place. The caller calls leave at the end of the check.
func enter() (leave func()) {
	started <- struct{}{}
	places <- struct{}{}
	rise := sync.OnceFunc(func() { <-places })
	time.AfterFunc(moment, rise)
	return func() { rise(); <-started }
}

// checkLimit limits a check to sixty times what the longest one takes alone. On two cores, with 36 other servers and two
// busy loops, one took more than 5 minutes. Only a server that sends event by event in drips takes longer, since every
// wait has its own end.
var checkLimit = 15 * time.Minute

// Choose returns the checks of a list of names, separated by commas, in their order. "" chooses all. Checks of
// several workloads may have the same name.
func Choose(checks []Check, list string) ([]Check, error) {
	if list == "" {
		return checks, nil
	}
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	var chosen []Check
	var known []string
	for _, c := range checks {
		if slices.Contains(names, c.Name) {
			chosen = append(chosen, c)
		}
		if !slices.Contains(known, c.Name) {
			known = append(known, c.Name)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("-only %q: no such check; known are %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// Server runs checks against a built server. It stops when a first check says so. It calls ended with each
// result at once, from several goroutines. Logs go to dir. It returns an error when the harness fails or ctx
// ends.
func Server(ctx context.Context, root, dir string, s server.Server, checks []Check, ports func() (int, error), ended func(Result)) ([]Result, error) {
	with, err := services.For(ctx, root, dir, workload.Named(s.Workload), s.Needs(), false, "", ports)
	if err != nil {
		return nil, err
	}
	defer with.Stop()
	results := make([]Result, len(checks))
	stopped := false // by a first check
	var stopping sync.WaitGroup
	defer stopping.Wait()
	try := func(ctx context.Context, i int, leave func()) error {
		defer leave()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		check := checks[i]
		if light != "" {
			check = check.Light()
		}
		limit := patiently
		if check.ready {
			limit = readyLimit
			if s.Declared != nil {
				limit = launch.ReadyLimit(s)
			}
		}
		sub, err := start(ctx, root, filepath.Join(dir, check.Name), s, with, limit, ports)
		if err == nil {
			if s.Declared != nil {
				defer sub.stop() // the next start prepares the data that this process uses
			} else {
				defer stopping.Go(sub.stop) // may take a while
			}
			before := sub.logged()
			if err = sub.try(ctx, check); err != nil {
				err = sub.withLog(err, before)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if broken, ok := errors.AsType[HarnessError](err); ok {
			return fmt.Errorf("%s: %w", check.Name, broken)
		}
		results[i] = Result{Clause: check.Clause, Check: check.Name, Must: check.Must, Pass: err == nil}
		if err != nil {
			results[i].Evidence = err.Error()
			_, stop := errors.AsType[Stop](err)
			if check.First && (stop || sub == nil) { // others run at the same time
				stopped = true
			}
		}
		ended(results[i])
		return nil
	}
	first := 0
	for ; first < len(checks) && checks[first].First; first++ {
		if err := try(ctx, first, enter()); err != nil || stopped {
			return results[:first+1], err
		}
	}
	all, ctx := errgroup.WithContext(ctx) // a fault of the harness ends the other checks
	for i := first; i < len(checks); i++ {
		leave := enter() // in their order
		all.Go(func() error { return try(ctx, i, leave) })
	}
	return results, all.Wait()
}

// try runs a check. Its error is the server's failure, or a HarnessError.
func (s *Subject) try(ctx context.Context, check Check) error {
	limited, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	unhook := context.AfterFunc(limited, s.stop) // ends the waits of the check
	err := check.Run(limited, s)
	unhook()
	if limited.Err() != nil { // we ended the stub ourselves
		return fmt.Errorf("not ended after %v, though bytes kept coming", checkLimit)
	}
	if s.Stub == nil {
		return err
	}
	select {
	case <-s.Stub.Done():
		return HarnessError{fmt.Errorf("stub: died: %w", s.Stub.Gone())}
	default:
		return err
	}
}

// Name names the check with its clause: "C4 nodelay".
func (r Result) Name() string { return r.Clause + " " + r.Check }

// FailedChecks is an error that lists the required checks that a server failed; nil without any.
func FailedChecks(results []Result) error {
	failed := Failures(results, true)
	switch len(failed) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("verify: %s: %s", failed[0].Name(), failed[0].Evidence)
	default:
		return fmt.Errorf("verify: %s (and %d more; scripts/bench verify lists them): %s", failed[0].Name(), len(failed)-1, failed[0].Evidence)
	}
}

// Failures are those among required checks, or among optional ones.
func Failures(results []Result, must bool) (failed []Result) {
	for _, r := range results {
		if r.Must == must && !r.Pass {
			failed = append(failed, r)
		}
	}
	return failed
}

// Names names the checks of results. It is never nil.
func Names(results []Result) []string {
	names := make([]string, 0, len(results))
	for _, r := range results {
		names = append(names, r.Name())
	}
	return names
}

// A HarnessError is not the server's fault.
type HarnessError struct{ error }

// Harness marks an error that is not the server's fault.
func Harness(err error) error { return HarnessError{err} }

// A Maker makes a check. Its function takes the subject of a contract.
type Maker[S any] func(clause, name, means string, run func(context.Context, S) error) Check

// Must makes checks that a server must pass. own turns a subject into that of the contract.
func Must[S any](own func(*Subject) S) Maker[S] { return maker(own, true) }

// Should makes checks that a server may fail.
func Should[S any](own func(*Subject) S) Maker[S] { return maker(own, false) }

func maker[S any](own func(*Subject) S, must bool) Maker[S] {
	return func(clause, name, means string, run func(context.Context, S) error) Check {
		return Check{Clause: clause, Name: name, Must: must, Means: means,
			Run: func(ctx context.Context, s *Subject) error { return run(ctx, own(s)) }}
	}
}

// First makes a check run before the others.
func First(c Check) Check {
	c.First = true
	return c
}

// WriteJSON writes a line for each result.
func WriteJSON(w *cli.Output, server workload.Server, results []Result) {
	out := json.NewEncoder(w)
	for _, r := range results {
		out.Encode(struct { // Output remembers the error
			workload.Server
			Result
		}{server, r}) // as above
	}
}

// WriteText writes how many checks a server passed, and each failed check.
func WriteText(w *cli.Output, server workload.Server, results []Result) {
	passed, count := map[bool]int{}, map[bool]int{}
	for _, r := range results {
		count[r.Must]++
		if r.Pass {
			passed[r.Must]++
		}
	}
	verdict := "passes"
	if passed[true] < count[true] {
		verdict = "FAILS"
	}
	fmt.Fprintf(w, "%-18s %-6s  must %d of %d, should %d of %d\n", server, verdict, passed[true], count[true], passed[false], count[false])
	for _, r := range results {
		if !r.Pass {
			fmt.Fprintf(w, "  %s\n", r.Failure())
		}
	}
}

// Failure describes a failed check for people.
func (r Result) Failure() string {
	level := map[bool]string{true: "must", false: "should"}[r.Must]
	return fmt.Sprintf("%s %s (%s): %s", r.Clause, r.Check, level, r.Evidence)
}
