package cmd

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/session"
)

// List prints servers and scenarios.
func List(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print JSON")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		root, servers, err := session.Servers(nil)
		if err != nil {
			return err
		}
		scenarios, err := load.Scenarios(filepath.Join(root, "k6"))
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(cli.Stdout).Encode(map[string]any{"servers": servers, "scenarios": scenarios})
		}
		for _, s := range servers {
			fmt.Fprintf(cli.Stdout, "server    %-18s %s, %s\n", s.ID(), s.Language, s.Framework)
		}
		for _, s := range scenarios {
			fmt.Fprintf(cli.Stdout, "scenario  %s\n", s)
		}
		return nil
	}
}
