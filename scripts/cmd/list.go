package cmd

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// List prints servers and scenarios.
func List(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print JSON")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		_, servers, err := session.Servers(workload.Names())
		if err != nil {
			return err
		}
		scenarios := map[string][]string{} // by workload
		for _, w := range workload.All {
			scenarios[w.Name] = record.Loadable(w)
		}
		if *asJSON {
			return json.NewEncoder(cli.Stdout).Encode(map[string]any{"servers": servers, "scenarios": scenarios})
		}
		for _, s := range servers {
			fmt.Fprintf(cli.Stdout, "server    %-18s %s, %s\n", s.ID(), s.Language, s.Framework)
		}
		for _, name := range workload.Names() {
			for _, s := range scenarios[name] {
				fmt.Fprintf(cli.Stdout, "scenario  %-18s %s\n", s, name)
			}
		}
		return nil
	}
}
