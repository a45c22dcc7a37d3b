package cmd

import (
	"context"
	"flag"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/session"
)

// Soak loads servers for minutes and looks for leaks.
func Soak(flags *flag.FlagSet) cli.Action {
	o := session.Options{Scenarios: "soak", Asked: raw.Asked{Rounds: 1}}
	loadFlags(flags, &o)
	return func(ctx context.Context, names []string) error {
		root, servers, err := session.Buildable(ctx, names)
		if err != nil {
			return err
		}
		s, done, err := begin(ctx, root, session.IDs(servers), o)
		if err != nil {
			return err
		}
		defer done()
		return session.Soak(ctx, s, session.Targets(ctx, servers))
	}
}
