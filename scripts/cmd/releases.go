package cmd

import (
	"context"
	"flag"
	"fmt"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/release"
	"fairstream/scripts/internal/measure/session"
)

// Releases lists the releases of a package, or finds the one that changed a server.
func Releases(flags *flag.FlagSet) cli.Action {
	o := session.Options{Scenarios: record.Compare}
	c := compare.Search{}
	flags.StringVar(&c.From, "from", "", "compare this `version` with -to; if they differ, find the release in between by halves")
	flags.StringVar(&c.To, "to", "", "`version` to end with (default: the newest)")
	flags.BoolVar(&c.Each, "each", false, "compare every release with the one before, in exactly -rounds rounds")
	comparisonFlags(flags, &o)
	return func(ctx context.Context, args []string) (err error) {
		if len(args) != 2 {
			return cli.Usagef("releases: %d arguments; want a package and a server that uses it, such as hono relay/bun-hono", len(args))
		}
		if c.From == "" && (c.To != "" || c.Each) {
			return cli.Usagef("releases: -to and -each need -from, the version to begin with")
		}
		if c.Each && o.Within > 0 {
			return cli.Usagef("releases: -each has a fixed number of rounds; leave out -within")
		}
		c.Package = args[0]
		root, servers, err := session.Servers(args[1:])
		if err != nil {
			return err
		}
		if len(servers) != 1 {
			return cli.Usagef("releases: %q is %d servers; name one", args[1], len(servers))
		}
		c.Root, o.Once = root, c.Each
		if c.From != "" {
			return c.Releases(ctx, o, args[1], servers[0])
		}
		all, err := release.Published(ctx, servers[0], c.Package)
		if err != nil {
			return err
		}
		for _, r := range all {
			date := "unknown"
			if !r.Time.IsZero() {
				date = r.Time.Format(time.DateOnly)
			}
			fmt.Fprintf(cli.Stdout, "%-12s %s\n", r.Version, date)
		}
		return nil
	}
}
