package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/cli/progress"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/measure/verify"
)

func verifyCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	asJSON := flags.Bool("json", false, "print every check's result as JSON Lines")
	return func(ctx context.Context, args []string) error {
		root, servers, err := project(args)
		if err != nil {
			return err
		}
		if err := setup.Toolchains(servers); err != nil {
			return err
		}
		leave, err := alone(ctx, root)
		if err != nil {
			return err
		}
		defer leave()
		if err := setup.Stub(ctx, root); err != nil {
			return err
		}
		targets := targets(ctx, servers)
		buildAll(ctx, targets)
		results, err := verifyAll(ctx, root, targets)
		if err != nil {
			return err
		}
		failed := false
		for i, t := range targets {
			if t.Broken != nil && results[i] == nil { // not built
				fmt.Fprintln(os.Stderr, "bench:", t.Broken)
			} else if *asJSON {
				printJSON(t.Server.Name, results[i])
			} else {
				printText(t.Server.Name, results[i])
			}
			failed = failed || t.Broken != nil
		}
		if failed {
			return errNo
		}
		return nil
	}
}

// serversAtOnce is how many servers are verified at the same time. Most of it
// is waiting.
const serversAtOnce = 8

// verifyAll checks the targets that were built, and breaks those that fail. What one
// fails is printed as soon as it is known. The logs of servers and stubs are kept then.
func verifyAll(ctx context.Context, root string, targets []run.Target) ([][]verify.Result, error) {
	logs, err := os.MkdirTemp("", "fairstream-verify-")
	if err != nil {
		return nil, err
	}
	bar := progress.New(os.Stderr, 0)
	defer bar.End()
	results := make([][]verify.Result, len(targets))
	done, failures := make(chan bool), make(chan string)
	var all errgroup.Group
	all.SetLimit(serversAtOnce)
	go func() {
		for i := range targets {
			all.Go(func() (err error) {
				defer func() { done <- true }()
				t := &targets[i]
				if t.Broken != nil || ctx.Err() != nil {
					return nil
				}
				failed := func(r verify.Result) { failures <- t.Name() + ": " + failure(r) }
				results[i], err = verify.Server(ctx, root, filepath.Join(logs, t.Name()), t.Server, process.FreePort, failed)
				if err != nil {
					return fmt.Errorf("verify: %s: %w", t.Name(), err)
				}
				t.Broken, t.Lacks = verify.Failed(results[i]), verify.Lacking(results[i])
				return nil
			})
		}
	}()
	step := func(n int) { bar.Step(fmt.Sprintf("verify: %d of %d servers checked", n, len(targets)), 0) }
	step(0)
	for n := 0; n < len(targets); {
		select {
		case text := <-failures:
			bar.Print("verify: " + text)
		case <-done:
			if n++; n < len(targets) {
				step(n)
			}
		}
	}
	bar.End()
	err = all.Wait()
	if ctx.Err() != nil {
		return nil, cmp.Or(os.RemoveAll(logs), ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("%w; logs of servers and stubs: %s", err, logs)
	}
	if slices.ContainsFunc(results, func(r []verify.Result) bool { return verify.Failed(r) != nil }) {
		fmt.Fprintf(os.Stderr, "verify: logs of servers and stubs: %s\n", logs)
		return results, nil
	}
	return results, os.RemoveAll(logs)
}

func printJSON(server string, results []verify.Result) {
	out := json.NewEncoder(stdout)
	for _, r := range results {
		out.Encode(struct { // to output, which remembers
			Server string `json:"server"`
			verify.Result
		}{server, r}) // a reader that has gone does not want the rest either
	}
}

// printText prints how many checks a server passed, and each that it failed.
func printText(server string, results []verify.Result) {
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
	fmt.Fprintf(stdout, "%-12s %-6s  must %d of %d, should %d of %d\n", server, verdict, passed[true], count[true], passed[false], count[false])
	for _, r := range results {
		if !r.Pass {
			fmt.Fprintf(stdout, "  %s\n", failure(r))
		}
	}
}

// failure is a failed check as a person reads it.
func failure(r verify.Result) string {
	level := map[bool]string{true: "must", false: "should"}[r.Must]
	return fmt.Sprintf("%s %s (%s): %s", r.Clause, r.Check, level, r.Evidence)
}
