package cmd

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
)

// Verify checks servers against the contract.
func Verify(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print every check's result as JSON Lines")
	only := flags.String("only", "", "run these `checks` only, such as header,lock-step")
	build.Flag(flags)
	return func(ctx context.Context, args []string) error {
		root, servers, leave, err := lockServers(ctx, args)
		if err != nil {
			return err
		}
		defer leave()
		checks, err := chosen(servers, *only)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		targets := session.Targets(ctx, servers)
		if err := session.Build(ctx, targets, session.ForVerify(root, servers)...); err != nil {
			return err
		}
		results, err := session.Verify(ctx, root, targets, func(workload string) []verify.Check { return checks[workload] })
		if err != nil {
			return err
		}
		var found error
		for i, t := range targets {
			switch {
			case t.Broken != nil && results[i] == nil: // not built
				fmt.Fprintln(os.Stderr, "bench:", t.Broken)
			case *asJSON:
				verify.WriteJSON(cli.Stdout, t.Server.ID(), results[i])
			default:
				verify.WriteText(cli.Stdout, t.Server.ID(), results[i])
			}
			if t.Broken != nil {
				found = cli.ErrFindings
			}
		}
		return found
	}
}

// chosen are the checks of the workloads of servers that a list names.
func chosen(servers []server.Server, list string) (map[string][]verify.Check, error) {
	var workloads []string
	for _, s := range servers {
		if !slices.Contains(workloads, s.Workload) {
			workloads = append(workloads, s.Workload)
		}
	}
	return contracts.Choose(workloads, list)
}
