package session

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
)

// Prepare sets up, builds and verifies. A failing target gets Broken. built, unless nil, is called after
// building.
func (s *Session) Prepare(ctx context.Context, targets []load.Target, built func([]load.Target)) (err error) {
	comparePackages(targets)
	var servers []server.Server
	var begun []*load.Target
	for i := range targets {
		if t := &targets[i]; t.Broken == nil {
			servers, begun = append(servers, t.Server), append(begun, t)
		}
	}
	if s.tools, err = SetUp(ctx, s.root, servers, targets); err != nil {
		return err
	}
	if err := buildAgain(ctx, targets, begun); err != nil {
		return err
	}
	s.pages = func() fs.FS { return Pages(ctx, s.root) }
	if built != nil {
		built(targets)
	}
	if err := agree(ctx, s.root, targets); err != nil {
		return err
	}
	if err := s.Verify(ctx, targets); err != nil {
		return err
	}
	if err := errors.Join(recordAnswers(ctx, s.root, targets), s.tryBaseScripts(ctx, targets)); err != nil {
		return err
	}
	if err := s.install(ctx); err != nil {
		return err
	}
	s.rig, err = build.RigHash(ctx, s.root, s.workload)
	return err
}

// serversAtOnce is the number of servers that are verified at the same time. Most checks wait.
const serversAtOnce = 8

// Verify checks targets against the contract, and sets Broken for those that are not loaded.
func (s *Session) Verify(ctx context.Context, targets []load.Target) error {
	results, err := Verify(ctx, s.root, targets, contracts.Of)
	if err == nil {
		tolerate(targets, results)
	}
	return err
}

// setChecks gives a target the results of its checks.
func setChecks(t *load.Target, results []verify.Result) {
	t.Broken = verify.FailedChecks(results)
	t.FailedChecks = verify.Names(verify.Failures(results, true))
	t.MissingChecks = verify.Names(verify.Failures(results, false))
}

// Verify runs the checks of each workload against the built targets, and sets Broken for those that fail. It prints a failed check
// at once. The results are in the order of targets, and nil for a target that was not built. When a server
// fails, raw/verify keeps the logs of servers and stubs until the next time.
func Verify(ctx context.Context, root string, targets []load.Target, checks func(workload string) []verify.Check) ([][]verify.Result, error) {
	logs := filepath.Join(root, "raw", "verify")
	if err := errors.Join(os.RemoveAll(logs), os.MkdirAll(logs, 0o755)); err != nil {
		return nil, err
	}
	results := make([][]verify.Result, len(targets))
	if !slices.ContainsFunc(targets, func(t load.Target) bool { return t.Broken == nil }) {
		return results, os.RemoveAll(logs)
	}
	bar := cli.NewBar(os.Stderr, 0)
	defer bar.End()
	done, ended := make(chan bool), make(chan string) // "": it passed
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
				result := func(r verify.Result) {
					if r.Pass {
						ended <- ""
					} else {
						ended <- t.Name() + ": " + r.Failure()
					}
				}
				results[i], err = verify.Server(ctx, root, filepath.Join(logs, t.Name()), t.Server, checks(t.Server.Workload), process.FreePort, result)
				if err != nil {
					return fmt.Errorf("verify: %s: %w", t.Name(), err)
				}
				setChecks(t, results[i])
				return nil
			})
		}
	}()
	start, count, planned := time.Now(), 0, 0
	for _, t := range targets {
		planned += len(checks(t.Server.Workload))
	}
	bar.Step(fmt.Sprintf("verify: %d checks of %d servers", planned, len(targets)), 0)
	for n := 0; n < len(targets); {
		bar.Update(fmt.Sprintf("verify: %d of %d servers, %d of %d checks", n, len(targets), count, planned))
		select {
		case failure := <-ended:
			if count++; failure != "" {
				bar.Print("verify: " + failure)
			}
		case <-done:
			n++
		}
	}
	if ctx.Err() == nil {
		bar.Print(fmt.Sprintf("verify: %d of %d servers checked in %.1f s", len(targets), len(targets), time.Since(start).Seconds()))
	}
	bar.End()
	err := all.Wait()
	if ctx.Err() != nil {
		return nil, cmp.Or(os.RemoveAll(logs), ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("%w; logs of servers and stubs: %s", err, logs)
	}
	if slices.ContainsFunc(results, func(r []verify.Result) bool { return verify.FailedChecks(r) != nil }) {
		fmt.Fprintf(os.Stderr, "verify: logs of servers and stubs: %s\n", logs)
		return results, nil
	}
	return results, os.RemoveAll(logs)
}

// otherLoad names a k6 that another command runs on this machine; "" means that there is none. The lock of a
// checkout cannot tell, because the other may have a checkout of its own.
func otherLoad(proc string) string {
	names, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "comm")) // the pattern is well formed
	for _, name := range names {
		if comm, err := os.ReadFile(name); err != nil || string(comm) != "k6\n" {
			continue
		}
		dir := filepath.Dir(name)
		args, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if words := bytes.Split(args, []byte{0}); err == nil && len(words) > 1 && string(words[1]) == "run" {
			return fmt.Sprintf("process %s, %s", filepath.Base(dir), words[0])
		}
	}
	return ""
}
