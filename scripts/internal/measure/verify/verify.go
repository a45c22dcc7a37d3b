// Package verify checks a server against the contract in servers/relay/README.md,
// from outside: it starts the server between a stub that misbehaves on request
// and raw sockets that see every byte. Streaming is proven by lock-step and
// not by a clock: the stub sends an event only after the checker has seen the
// one before.
package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/measure/manifest"
)

// A Check is one thing that a server must or should do.
type Check struct {
	Clause string // of the contract
	Name   string // unique, one or two words
	Must   bool   // a server that fails it gets no number
	Means  string
	run    func(context.Context, *subject) error
}

// A Result is how a server did in a check. Evidence says what was seen when
// it failed.
type Result struct {
	Clause   string `json:"clause"`
	Check    string `json:"check"`
	Must     bool   `json:"must"`
	Pass     bool   `json:"pass"`
	Evidence string `json:"evidence,omitempty"`
}

// places is how many checks of all servers run at the same time, each with a server
// and a stub of its own. No check fails a server for being slow, so they may. A check
// that has lasted a moment waits for something, as a rule: it gives its place to the
// next, so that the waits of a server that fails many checks pass side by side. On a
// slow machine all checks last long, so there is a limit to those, too.
var (
	places  = make(chan struct{}, 6)
	started = make(chan struct{}, 32)
)

const moment = time.Second

// enter takes a place. The caller leaves when the check has ended.
func enter() (leave func()) {
	started <- struct{}{}
	places <- struct{}{}
	rise := sync.OnceFunc(func() { <-places })
	time.AfterFunc(moment, rise)
	return func() { rise(); <-started }
}

// checkLimit is how long a check may take, some ten times what the longest does.
// Only a server that drips, event by event, takes so long: each wait ends by itself.
var checkLimit = 5 * time.Minute

// Choose returns the checks that a list names, in the order of Checks. Commas
// separate names; "" chooses all.
func Choose(list string) ([]Check, error) {
	if list == "" {
		return Checks, nil
	}
	names := strings.Split(list, ",")
	var chosen []Check
	for _, c := range Checks {
		if slices.Contains(names, c.Name) {
			chosen = append(chosen, c)
			names = slices.DeleteFunc(names, func(n string) bool { return n == c.Name })
		}
	}
	if len(names) > 0 {
		var known []string
		for _, c := range Checks {
			known = append(known, c.Name)
		}
		return nil, fmt.Errorf("check %q: unknown; known are %s", names[0], strings.Join(known, ", "))
	}
	return chosen, nil
}

// The checks that come first, one after the other. A server that is not ready, or
// answers nothing, would fail all others in the same way.
const ready, header = "ready", "header"

// Server runs checks against a built server. It stops at a server that is not ready,
// or does not answer the first chat. It calls ended with each result as soon as it is
// known, from several goroutines. Logs go to dir. An error means that the harness
// broke or ctx ended.
func Server(ctx context.Context, root, dir string, s manifest.Server, checks []Check, ports func() (int, error), ended func(Result)) ([]Result, error) {
	results := make([]Result, len(checks))
	silent := false // the server answered nothing
	var stopping sync.WaitGroup
	defer stopping.Wait()
	try := func(ctx context.Context, i int, leave func()) error {
		defer leave()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		check := checks[i]
		limit := patiently
		if check.Name == ready {
			limit = readyLimit
		}
		sub, err := start(ctx, root, filepath.Join(dir, check.Name), s, limit, ports)
		if err == nil {
			defer stopping.Go(sub.stop) // which may take a while
			before := sub.logged()
			if err = sub.try(ctx, check); err != nil {
				err = sub.withLog(err, before)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if broken, ok := errors.AsType[harnessError](err); ok {
			return fmt.Errorf("%s: %w", check.Name, broken)
		}
		results[i] = Result{Clause: check.Clause, Check: check.Name, Must: check.Must, Pass: err == nil}
		if err != nil {
			results[i].Evidence = err.Error()
			if check.Name == header && isSilence(err) {
				silent = true
				results[i].Evidence = fmt.Sprintf("POST /chat: %v; the other checks were not run", err)
			}
		}
		ended(results[i])
		return nil
	}
	first := 0
	for ; first < len(checks) && (checks[first].Name == ready || checks[first].Name == header); first++ {
		if err := try(ctx, first, enter()); err != nil || silent || checks[first].Name == ready && !results[first].Pass {
			return results[:first+1], err
		}
	}
	all, ctx := errgroup.WithContext(ctx) // what breaks the harness ends the other checks
	for i := first; i < len(checks); i++ {
		leave := enter() // in their order
		all.Go(func() error { return try(ctx, i, leave) })
	}
	return results, all.Wait()
}

// try runs a check. Its error says what the server failed, or is of the harness.
func (s *subject) try(ctx context.Context, check Check) error {
	limited, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	unhook := context.AfterFunc(limited, s.stop) // ends what the check waits for
	err := check.run(limited, s)
	unhook()
	if limited.Err() != nil { // then it was we who ended the stub
		return fmt.Errorf("not ended after %v, though bytes kept coming", checkLimit)
	}
	select {
	case <-s.stub.Done():
		return harnessError{fmt.Errorf("stub: died: %w", s.stub.Gone())}
	default:
		return err
	}
}

// FailedChecks is an error that tells what a server failed of what it must do; nil
// if there is no such thing.
func FailedChecks(results []Result) error {
	var failed []Result
	for _, r := range results {
		if r.Must && !r.Pass {
			failed = append(failed, r)
		}
	}
	switch len(failed) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("verify: %s %s: %s", failed[0].Clause, failed[0].Check, failed[0].Evidence)
	default:
		return fmt.Errorf("verify: %s %s (and %d more; scripts/bench verify lists them): %s", failed[0].Clause, failed[0].Check, len(failed)-1, failed[0].Evidence)
	}
}

// MissingChecks names what a server failed of what it should do: "C4 nodelay".
func MissingChecks(results []Result) []string {
	names := []string{}
	for _, r := range results {
		if !r.Must && !r.Pass {
			names = append(names, r.Clause+" "+r.Check)
		}
	}
	return names
}

// A harnessError is no fault of the server's.
type harnessError struct{ error }
