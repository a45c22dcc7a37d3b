package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fairstream/scripts/manifest"
	"fairstream/scripts/process"
	"fairstream/scripts/progress"
	"fairstream/scripts/setup"
	"fairstream/scripts/verify"
)

func verifyCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	asJSON := flags.Bool("json", false, "print every check's result as JSON Lines")
	return func(ctx context.Context, args []string) error {
		root, servers, err := projectOrDirs(args)
		if err != nil {
			return err
		}
		if err := setup.Toolchains(servers); err != nil {
			return err
		}
		if err := setup.Stub(ctx, root); err != nil {
			return err
		}
		logs, err := os.MkdirTemp("", "fairstream-verify-")
		if err != nil {
			return err
		}
		targets := buildAll(ctx, servers)
		bar := progress.New(os.Stderr, 0)
		defer bar.End()
		failed := false
		for _, t := range targets {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			bar.Step("verify: "+t.Server.Name, 0)
			var results []verify.Result
			if t.Broken == nil {
				if results, err = verify.Server(ctx, root, filepath.Join(logs, t.Server.Name), t.Server, process.FreePort); err != nil {
					return fmt.Errorf("verify: %s: %w", t.Server.Name, err)
				}
			}
			bar.End()
			if t.Broken != nil {
				fmt.Fprintln(os.Stderr, "bench:", t.Broken)
				failed = true
				continue
			}
			if !tell(t.Server.Name, results, *asJSON) {
				failed = true
			}
		}
		if failed {
			fmt.Fprintf(os.Stderr, "logs of servers and stubs: %s\n", logs)
			return errNo
		}
		return os.RemoveAll(logs)
	}
}

// tell prints the results of a server and says whether it does all it must.
func tell(name string, results []verify.Result, asJSON bool) bool {
	passed := map[bool]int{}
	count := map[bool]int{}
	for _, r := range results {
		count[r.Must]++
		if r.Pass {
			passed[r.Must]++
		}
		if asJSON {
			json.NewEncoder(os.Stdout).Encode(struct {
				Server string `json:"server"`
				verify.Result
			}{name, r})
		} else if !r.Pass {
			level := map[bool]string{true: "", false: " (should)"}[r.Must]
			fmt.Printf("verify: %s: %s %s%s: %s\n", name, r.Clause, r.Check, level, r.Evidence)
		}
	}
	if !asJSON {
		fmt.Printf("%-12s %d of %d that it must, %d of %d that it should\n", name, passed[true], count[true], passed[false], count[false])
	}
	return passed[true] == count[true]
}

// projectOrDirs is project, where a name with a slash is a directory with a
// server.json, anywhere.
func projectOrDirs(args []string) (root string, servers []manifest.Server, err error) {
	var names []string
	for _, arg := range args {
		if !strings.Contains(arg, "/") && arg != "." {
			names = append(names, arg)
			continue
		}
		s, err := manifest.Load(arg)
		if err != nil {
			return "", nil, usageError{err}
		}
		servers = append(servers, s)
	}
	if len(servers) > 0 && len(names) == 0 {
		root, err = setup.Root()
		return root, servers, err
	}
	root, named, err := project(names)
	return root, append(named, servers...), errors.Join(err)
}
