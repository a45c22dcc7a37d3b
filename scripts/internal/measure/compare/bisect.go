package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// blame prints, for each regressed server, the commit that caused it.
func (c *Comparison) blame(ctx context.Context, answers []verdict.Answer) error {
	for _, a := range answers {
		if a.Verdict != verdict.Regressed {
			continue
		}
		steps, err := c.Steps(ctx, c.Base.Ref, c.Head.Ref, a.ID())
		if err != nil {
			return err
		}
		if len(steps) == 0 { // such as the other side of a merge
			fmt.Fprintf(cli.Stdout, "\n%s  no commit of %.12s..%.12s is known to have changed it\n", a.Server, c.Base.Ref, c.Head.Ref)
			continue
		}
		from, to, err := bisect(len(steps), func(i int) (presence, error) { return c.presentAt(ctx, a, steps[i]) })
		if err != nil {
			return err
		}
		if from == to {
			fmt.Fprintf(cli.Stdout, "\n%s  regressed by %s\n", a.Server, steps[to])
		} else {
			fmt.Fprintf(cli.Stdout, "\n%s  regressed in one of %d commits from %s to %s; the measurements cannot say in which\n", a.Server, to-from+1, steps[from], steps[to])
		}
	}
	return nil
}

// presentAt compares base with a commit, and returns whether a regression is there already.
func (c *Comparison) presentAt(ctx context.Context, regression verdict.Answer, commit string) (presence, error) {
	targets, release, err := c.Checkout(ctx, []workload.Server{regression.ID()}, []session.Side{c.Base, {Name: "head", Ref: commit}})
	if err != nil {
		return undecided, err
	}
	defer func() { _ = release() }() // best effort: a temporary directory
	markSame(targets, func(t load.Target) *string { return t.Source.Tree })
	f := c.further(commit[:12])
	fmt.Fprintf(os.Stderr, "comparison: %s: is it worse at %.12s already? A comparison in %s\n", regression.Server, commit, f.Dir)
	if err := f.prepare(ctx, targets); err != nil {
		return undecided, err
	}
	answers, _, runErr, err := f.judge(ctx, targets)
	if err := cmp.Or(runErr, err); err != nil || len(answers) != 1 {
		return undecided, err
	}
	fmt.Fprintf(os.Stderr, "comparison: %s at %.12s: %s\n", regression.Server, commit, answers[0].Verdict)
	return sameRegression(regression, answers[0]), f.KeepVerdicts(f.Dir, answers)
}

// A presence says whether a comparison shows a given regression.
type presence int

const (
	undecided presence = iota
	absent
	present
)

// sameRegression looks in one answer for the regressed cells of another. One regressed cell is enough. The
// regression is absent only if all of these cells are known not to have regressed.
func sameRegression(regression, other verdict.Answer) presence {
	if other.Verdict == verdict.Identical {
		return absent
	}
	fails := func(a verdict.Answer) bool { return a.Verdict == verdict.Regressed && len(a.Cells) == 0 }
	if fails(regression) || fails(other) {
		switch {
		case fails(regression) && fails(other):
			return present
		case fails(other): // another fault may hide this one
			return undecided
		case other.Verdict == verdict.NotMeasured:
			return undecided
		}
		return absent // inconclusive too: it has figures
	}
	result := absent
	for _, c := range regression.Cells {
		if c.Verdict != verdict.Regressed {
			continue
		}
		i := slices.IndexFunc(other.Cells, func(d verdict.Cell) bool { return d.Scenario == c.Scenario && d.Metric.Name == c.Metric.Name })
		switch {
		case i < 0 || other.Cells[i].Verdict == verdict.Inconclusive || other.Cells[i].Verdict == verdict.NotMeasured:
			result = undecided
		case other.Cells[i].Verdict == verdict.NoLargeChange && other.Cells[i].Excluded() > math.Abs(c.Change):
			result = undecided // a change of that size may be there
		case other.Cells[i].Verdict == verdict.Regressed:
			return present
		}
	}
	return result
}

// bisect finds which of n steps caused a regression that is present after the last and absent before the
// first. It asks about steps other than the last. Where an answer is undecided, from and to are the first and
// last step that may be the cause.
func bisect(n int, ask func(int) (presence, error)) (from, to int, err error) {
	for from, to = 0, n-1; from < to; {
		mid := (from + to) / 2
		answer, err := ask(mid)
		switch {
		case err != nil:
			return from, to, err
		case answer == present:
			to = mid
		case answer == absent:
			from = mid + 1
		default:
			return from, to, nil
		}
	}
	return from, to, nil
}
