// Package verify checks a server against the contract in servers/README.md,
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

// atOnce is how many checks of a server run at the same time, each with a
// server and a stub of its own. No check fails a server for being slow, so they may.
const atOnce = 4

// checkLimit is how long a check may take, some ten times what the longest does.
// Only a server that drips, byte by byte, takes so long: each wait ends by itself.
var checkLimit = 5 * time.Minute

// Server runs every check against a built server; only the first, if that
// fails. Logs go to dir. An error means that the harness broke or ctx ended.
func Server(ctx context.Context, root, dir string, s manifest.Server, ports func() (int, error)) ([]Result, error) {
	results := make([]Result, len(Checks))
	try := func(ctx context.Context, i int) error {
		check := Checks[i]
		if ctx.Err() != nil {
			return ctx.Err()
		}
		limit := patiently
		if i == 0 {
			limit = readyLimit
		}
		sub, err := start(ctx, root, filepath.Join(dir, check.Name), s, limit, ports)
		if err == nil {
			limited, cancel := context.WithTimeout(ctx, checkLimit)
			unhook := context.AfterFunc(limited, sub.stop) // ends what the check waits for
			err = check.run(ctx, sub)
			unhook()
			late := limited.Err() != nil
			cancel()
			if late {
				sub.stop()
				err = fmt.Errorf("not ended after %v, though something came again and again", checkLimit)
			}
			select {
			case <-sub.stub.Done():
				if !late { // then it was we who ended it
					err = harnessError{fmt.Errorf("stub: died: %w", sub.stub.Gone())}
				}
			default:
			}
			sub.stop()
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
		}
		return nil
	}
	if err := try(ctx, 0); err != nil || !results[0].Pass {
		return results[:1], err
	}
	all, ctx := errgroup.WithContext(ctx) // what breaks the harness ends the other checks
	all.SetLimit(atOnce)
	for i := 1; i < len(Checks); i++ {
		all.Go(func() error { return try(ctx, i) })
	}
	return results, all.Wait()
}

// Failed is an error that tells what a server failed of what it must do; nil
// if there is no such thing.
func Failed(results []Result) error {
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
		return fmt.Errorf("verify: %s %s: %s (and %d more; scripts/bench verify lists them)", failed[0].Clause, failed[0].Check, failed[0].Evidence, len(failed)-1)
	}
}

// Lacking names what a server failed of what it should do: "C4 nodelay".
func Lacking(results []Result) []string {
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
