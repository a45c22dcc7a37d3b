package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
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
			fmt.Fprintf(cli.Stdout, "\n%s  nothing between %s and %s is known to have changed it\n", a.Server, short(c.Base.Ref), short(c.Head.Ref))
			continue
		}
		from, to, err := bisect(len(steps), func(i int) (presence, error) { return c.presentAt(ctx, a, steps[i]) })
		if err != nil {
			return err
		}
		if from == to {
			fmt.Fprintf(cli.Stdout, "\n%s  regressed by %s\n", a.Server, steps[to])
		} else {
			fmt.Fprintf(cli.Stdout, "\n%s  regressed in one of %d steps from %s to %s; the measurements cannot say in which\n", a.Server, to-from+1, steps[from], steps[to])
		}
	}
	return nil
}

// presentAt compares base with a commit or release, and returns whether a change is there already.
func (c *Comparison) presentAt(ctx context.Context, change verdict.Answer, at string) (presence, error) {
	f := c.further(short(at))
	fmt.Fprintf(os.Stderr, "comparison: %s: is it worse at %s already? A comparison in %s\n", change.Server, short(at), f.Dir)
	a, err := f.against(ctx, change.ID(), at)
	if err != nil || a == nil {
		return undecided, err
	}
	fmt.Fprintf(os.Stderr, "comparison: %s at %s: %s\n", change.Server, short(at), a.Verdict)
	return sameChange(change, *a), nil
}

// against compares base of one server with a commit or release; nil: nothing could be loaded.
func (c *Comparison) against(ctx context.Context, server workload.Server, head string) (*verdict.Answer, error) {
	targets, remove, err := c.Checkout(ctx, []workload.Server{server}, []session.Side{c.Base, {Name: "head", Ref: head}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = remove() }() // best effort: a temporary directory
	markSame(targets, func(t load.Target) *string { return t.Source.Tree })
	if err := c.prepare(ctx, targets); err != nil {
		return nil, err
	}
	answers, _, runErr, err := c.judge(ctx, targets)
	if err := cmp.Or(runErr, err); err != nil || len(answers) != 1 {
		return nil, err
	}
	return &answers[0], c.KeepVerdicts(c.Dir, answers)
}

// short is the begin of a commit's hash, or a release.
func short(ref string) string {
	if record.IsCommit(ref) {
		return ref[:12]
	}
	return ref
}

// A presence says whether a comparison shows a given regression.
type presence int

const (
	undecided presence = iota
	absent
	present
)

// sameChange looks in one answer for the cells that another says changed. One such cell is enough. The change is absent only
// if none of these cells has it.
func sameChange(change, other verdict.Answer) presence {
	if other.Verdict == verdict.Identical {
		return absent
	}
	fails := func(a verdict.Answer) bool { return a.Verdict == verdict.Regressed && len(a.Cells) == 0 }
	if fails(change) || fails(other) {
		switch {
		case fails(change) && fails(other):
			return present
		case fails(other): // another fault may hide this one
			return undecided
		case other.Verdict == verdict.NotMeasured:
			return undecided
		}
		return absent // inconclusive too: it has figures
	}
	result := absent
	for _, c := range change.Cells {
		if c.Verdict != change.Verdict {
			continue
		}
		i := slices.IndexFunc(other.Cells, c.Same)
		if i < 0 {
			result = undecided
			continue
		}
		switch half(c, other.Cells[i]) {
		case present:
			return present
		case undecided:
			result = undecided
		}
	}
	return result
}

// half says whether a cell shows a change that another one has. Its verdict decides, so that two releases which share a
// change are not lost. Without a verdict its whole 95 % interval does: more than half of the change, or less.
func half(change, other verdict.Cell) presence {
	size := math.Log1p
	if change.Criterion.Absolute {
		size = func(v float64) float64 { return v }
	}
	line, low, high := size(change.Change)/2, size(other.Low), size(other.High)
	if line < 0 {
		line, low, high = -line, -high, -low
	}
	switch {
	case other.Verdict == verdict.NotMeasured: // it has no figures
		return undecided
	case low > line || other.Verdict == change.Verdict:
		return present
	case high < line, slices.Contains([]verdict.Verdict{verdict.Unchanged, verdict.NoLargeChange}, other.Verdict) && other.Excluded() <= math.Abs(change.Change):
		return absent
	}
	return undecided
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
