package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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
	all, err := release.Range(ctx, s, c.Package, c.From, c.To)
	if err != nil {
		return err
	}
	if len(all) == 1 {
		return cli.Usagef("releases: -from and -to are both %s; want two releases", c.From)
	}
	names, dirs, top, err := ownNames(ctx, c.Root, []string{name})
	if err != nil {
		return err
	}
	options.Many, c.quick = true, options.Quick
	if c.Each {
		options.SharedBy = len(all) // comparisons, with that of the ends
	}
	_, done, err := c.ofReleases(ctx, options, top, names, dirs)
	if err != nil {
		return err
	}
	defer done()
	c.announce(options, s, all)
	ends, err := c.compared(ctx, s.ID(), all[0], all[len(all)-1])
	switch {
	case err != nil:
		return err
	case c.Each && len(all) > 2:
		err = c.chain(ctx, s.ID(), all)
	case len(all) > 2 && (ends.Verdict == verdict.Regressed || ends.Verdict == verdict.Improved):
		err = c.search(ctx, s.ID(), all, ends)
	}
	return cmp.Or(err, Status([]verdict.Answer{ends}))
}

// announce says what a search takes at most: the ends, the halves, and the step alone.
func (c *Search) announce(options session.Options, s server.Server, all []release.Release) {
	steps := len(all) - 1
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
		s.ID(), site.Many(steps, "release"), all[0].Version, all[steps].Version, site.Many(most, "comparison"), limit)
	fmt.Fprintf(os.Stderr, "releases: after an interruption, the same command with -o %s goes on\n", c.Dir)
}

// search halves the releases until one is left, and then measures its step alone. It follows the largest change of the ends.
func (c *Search) search(ctx context.Context, server workload.Server, all []release.Release, ends verdict.Answer) error {
	changed := slices.DeleteFunc(slices.Clone(ends.Cells), func(cell verdict.Cell) bool { return cell.Verdict != ends.Verdict })
	largest := ends
	largest.Cells = changed[:min(1, len(changed))]
	from, to, err := bisect(len(all)-1, func(i int) (presence, error) {
		a, err := c.compared(ctx, server, all[0], all[i+1])
		return sameChange(largest, a), err
	})
	if err != nil {
		return err
	}
	before, last := all[from], all[to+1]
	says := fmt.Sprintf("%s between %s and %s; the measurements cannot say by which release", ends.Verdict, before, last)
	if from == to {
		step, err := c.compared(ctx, server, before, last)
		if err != nil {
			return err
		}
		switch is := sameChange(largest, step); {
		case is == present && wholeChange(changed, step):
			says = fmt.Sprintf("%s by %s", ends.Verdict, last)
		case is == present:
			says = fmt.Sprintf("%s by %s, but not as much as by all from %s to %s; other releases may have changed it too", ends.Verdict, last, all[0], all[len(all)-1])
		case is == absent: // it adds up on the way to last
			says = fmt.Sprintf("no single release; %s between %s and %s", ends.Verdict, all[0], last)
		}
	}
	fmt.Fprintf(cli.Stdout, "\n%s: %s\n", server, says)
	return nil
}

// wholeChange reports whether a step changed all cells that the ends changed, and by as much: their intervals overlap.
func wholeChange(changed []verdict.Cell, step verdict.Answer) bool {
	return !slices.ContainsFunc(changed, func(c verdict.Cell) bool {
		return !slices.ContainsFunc(step.Cells, func(d verdict.Cell) bool {
			return d.Same(c) && half(c, d) == present && d.Low <= c.High && c.Low <= d.High
		})
	})
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
		var unusable notUsable
		switch a = (verdict.Answer{Workload: server.Workload, Server: server.Name, Verdict: verdict.NotMeasured, Why: "nothing could be loaded"}); {
		case errors.As(err, &unusable):
			a.Why = err.Error()
		case err != nil:
			return a, err
		case found != nil:
			a = *found
		}
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
