package compare

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/release"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/workload"
)

// A Search looks for the release of a package that changed a server. Each comparison has a directory below Dir. One that
// ended is not measured again.
type Search struct {
	Comparison
	Package, From, To string
	Each              bool // compares every release with the one before, besides the ends
	quick             bool
}

// Releases compares the release From with To, the newest by default, in a server. If they differ, it searches between them.
func (c *Search) Releases(ctx context.Context, options session.Options, name string, s server.Server) error {
	if c.To == "" {
		versions, err := release.Published(ctx, s, c.Package)
		if err != nil {
			return err
		}
		c.To = versions[len(versions)-1].Number
	}
	all, err := release.Range(ctx, s, release.Release{Package: c.Package, Version: c.From}, release.Release{Package: c.Package, Version: c.To})
	if err != nil {
		return err
	}
	if len(all) == 1 {
		return cli.Usagef("releases: -from and -to are both %s; want two releases", c.From)
	}
	names, dirs, err := ownNames(ctx, c.Root, []string{name})
	if err != nil {
		return err
	}
	options.Many, c.quick = true, options.Quick
	_, done, err := c.ofReleases(ctx, options, names, dirs)
	if err != nil {
		return err
	}
	defer done()
	c.announce(options, s, len(all)-1)
	ends, err := c.compared(ctx, s.ID(), all[0], all[len(all)-1])
	switch {
	case err != nil || len(all) == 2:
		return err
	case c.Each:
		return c.chain(ctx, s.ID(), all)
	}
	return c.search(ctx, s.ID(), all, ends)
}

// announce says what a search takes at most: the ends, the halves, and the step alone.
func (c *Search) announce(options session.Options, s server.Server, steps int) {
	most := 2 + bits.Len(uint(steps-1))
	switch {
	case steps == 1:
		most = 1
	case c.Each:
		most = 1 + steps
	}
	limit := fmt.Sprintf("%d rounds of load", c.Rounds)
	if options.Within > 0 {
		limit = fmt.Sprintf("%v of load", options.Within)
	}
	fmt.Fprintf(os.Stderr, "releases: %s: %s after %s up to %s; at most %s, each with its builds and %s\n",
		s.ID(), site.Many(steps, "release"), c.From, c.To, site.Many(most, "comparison"), limit)
	fmt.Fprintf(os.Stderr, "releases: after an interruption, the same command with -o %s goes on\n", c.Dir)
}

// search halves the releases until one is left, and then measures its step alone.
func (c *Search) search(ctx context.Context, server workload.Server, all []release.Release, ends verdict.Answer) error {
	if ends.Verdict != verdict.Regressed && ends.Verdict != verdict.Improved {
		return nil
	}
	from, to, err := bisect(len(all)-1, func(i int) (presence, error) {
		a, err := c.compared(ctx, server, all[0], all[i+1])
		return sameChange(ends, a), err
	})
	if err != nil {
		return err
	}
	before, last := all[from], all[to+1]
	if from == to {
		step, err := c.compared(ctx, server, before, last)
		if err != nil {
			return err
		}
		if sameChange(ends, step) == present {
			fmt.Fprintf(cli.Stdout, "\n%s: %s by %s\n", server, ends.Verdict, last)
			return nil
		}
		before = all[0] // the change adds up on the way to last
	}
	fmt.Fprintf(cli.Stdout, "\n%s: no single release; %s between %s and %s\n", server, ends.Verdict, before, last)
	return nil
}

// chain compares every release with the one before. The comparison of the ends stands beside it.
func (c *Search) chain(ctx context.Context, server workload.Server, all []release.Release) error {
	for i, head := range all[1:] {
		if _, err := c.compared(ctx, server, all[i], head); err != nil {
			return err
		}
	}
	fmt.Fprintf(cli.Stdout, "\nSmall steps may add up, or each may be too small to see. The first line compares the ends directly, and it counts.\n")
	return nil
}

// compared compares two releases, or reads what an earlier comparison of them found, and prints it. A release that cannot be
// built, or fails a vital check, has an answer without figures.
func (c *Search) compared(ctx context.Context, server workload.Server, base, head release.Release) (a verdict.Answer, err error) {
	of := c.Comparison
	of.Base, of.Head = session.Side{Name: "base", Ref: base.String()}, session.Side{Name: "head", Ref: head.String()}
	of.Dir, of.Seed = filepath.Join(c.Dir, base.Version+"-"+head.Version), rand.Uint64N(1<<32)
	if a = c.ended(filepath.Join(of.Dir, session.RecordsFile), server); !a.Done {
		fmt.Fprintf(os.Stderr, "releases: %s against %s, in %s\n", head, base, of.Dir)
		found, err := of.against(ctx, server, of.Head.Ref)
		if err != nil {
			return a, err
		}
		if found == nil {
			return a, errors.New("releases: nothing could be loaded")
		}
		a = *found
	}
	fmt.Fprintln(cli.Stdout, report.Wrap(answer.Plain(answer.Headline(a)), cli.Width()))
	return a, nil
}

// ended is what a comparison found that ended, from its records. They are of the same server, package and load. Where they
// are not, the load says that the directory holds another run.
func (c *Search) ended(name string, server workload.Server) (a verdict.Answer) {
	records, err := cli.ReadFile(name, record.Read)
	if err != nil || len(records) == 0 || records[0].Run.Quick != c.quick || records[0].Run.Once != c.Each {
		return a
	}
	for _, of := range verdict.Compare(records) {
		if of.ID() == server && of.Bump && isOf(of.Packages[0], c.Package) {
			return of
		}
	}
	return a
}

// isOf reports whether a change of versions is of a package, which may have the last part of its name alone.
func isOf(change, name string) bool {
	full, _, _ := strings.Cut(change, " ")
	return full == name || strings.Contains(full, "/"+name)
}
