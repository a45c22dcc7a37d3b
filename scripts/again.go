package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/run"
)

// again is a further pair of the same length, whose raw files lie in a directory
// of their own below those of the first.
func (p *pairing) again(name string) *pairing {
	q := *p
	q.dir, q.seed = filepath.Join(p.dir, filepath.Base(p.dir)+"-"+name), rand.Uint64N(1<<32)
	return &q
}

// confirmed loads what regressed once more. What was built is used again; all
// processes, and the order of turns, are new.
func (p *pairing) confirmed(ctx context.Context, root string, scenarios []string, targets []run.Target, ready prepared, answers []verdict.Answer) ([]verdict.Answer, error) {
	regressed := func(a verdict.Answer) bool { return a.Verdict == verdict.Regressed }
	if !slices.ContainsFunc(answers, regressed) {
		return answers, nil
	}
	of := slices.DeleteFunc(slices.Clone(targets), func(t run.Target) bool {
		return !slices.ContainsFunc(answers, func(a verdict.Answer) bool { return regressed(a) && a.Server == t.Server.Name })
	})
	if slices.ContainsFunc(of, func(t run.Target) bool { return t.Broken != nil && t.Artefact != nil }) {
		for i := range of { // what fails the contract has to fail it once more
			if of[i].Artefact != nil {
				of[i].Broken = nil
			}
		}
		if _, err := verifyAll(ctx, root, of); err != nil {
			return answers, err
		}
	}
	q := p.again("confirm")
	fmt.Fprintf(os.Stderr, "pair: a regression; a second pair in %s is to confirm it\n", q.dir)
	second, records, runErr, err := q.answer(ctx, root, scenarios, of, ready)
	if err == nil && runErr == nil && len(records) > 0 {
		err = q.remember(records)
	}
	for i, a := range answers {
		var with *verdict.Answer
		if j := slices.IndexFunc(second, func(b verdict.Answer) bool { return b.Server == a.Server }); j >= 0 {
			with = &second[j]
		}
		answers[i] = verdict.Confirm(a, with)
	}
	return answers, cmp.Or(runErr, err)
}

// blame says of each server that regressed which commit did it.
func (p *pairing) blame(ctx context.Context, root string, scenarios []string, answers []verdict.Answer) error {
	for _, a := range answers {
		if a.Verdict != verdict.Regressed {
			continue
		}
		steps, err := revision.Steps(ctx, root, p.base.ref, p.head.ref, "servers/"+a.Server)
		if err != nil {
			return err
		}
		if len(steps) == 0 { // such as by a merge's other side
			fmt.Fprintf(stdout, "\n%s  no single commit of %.12s..%.12s is known to have changed it\n", a.Server, p.base.ref, p.head.ref)
			continue
		}
		from, to, err := bisect(len(steps), func(i int) (worse, error) { return p.worseAt(ctx, root, scenarios, a, steps[i]) })
		if err != nil {
			return err
		}
		if from == to {
			fmt.Fprintf(stdout, "\n%s  regressed by %s\n", a.Server, steps[to])
		} else {
			fmt.Fprintf(stdout, "\n%s  regressed by one of %d commits, which could not be told apart, from %s to %s\n", a.Server, to-from+1, steps[from], steps[to])
		}
	}
	return nil
}

// worseAt says whether a regression is there already at a commit.
func (p *pairing) worseAt(ctx context.Context, root string, scenarios []string, of verdict.Answer, commit string) (worse, error) {
	code, err := os.MkdirTemp("", "fairstream-code-")
	if err != nil {
		return unknown, err
	}
	defer os.RemoveAll(code) // else the system removes it some day
	targets, err := extract(ctx, root, code, []string{of.Server}, []side{p.base, {"head", commit}})
	if err != nil {
		return unknown, err
	}
	markSame(targets, func(t run.Target) *string { return t.Source.Tree })
	q := p.again(commit[:12])
	fmt.Fprintf(os.Stderr, "pair: %s: is it worse at %.12s already? A pair in %s\n", of.Server, commit, q.dir)
	ready, err := q.prepare(ctx, root, targets)
	if err != nil {
		return unknown, err
	}
	answers, records, runErr, err := q.answer(ctx, root, scenarios, targets, ready)
	if err := cmp.Or(runErr, err); err != nil || len(answers) != 1 {
		return unknown, err
	}
	fmt.Fprintf(os.Stderr, "pair: %s at %.12s: %s\n", of.Server, commit, answers[0].Verdict)
	return sameRegression(of, answers[0]), q.remember(records)
}

// worse is what a pair of the halves says of the regression that is looked for.
type worse int

const (
	unknown worse = iota
	no
	yes
)

// sameRegression looks for the cells of an answer that regressed in another: any
// that did is enough, and all must be known not to have for it not to be there.
func sameRegression(of, in verdict.Answer) worse {
	if in.Verdict == verdict.Identical {
		return no
	}
	fails := func(a verdict.Answer) bool { return a.Verdict == verdict.Regressed && len(a.Cells) == 0 }
	if fails(of) || fails(in) {
		switch {
		case fails(of) && fails(in):
			return yes
		case fails(in): // another fault: whether this one is behind it cannot be seen
			return unknown
		case in.Verdict == verdict.NotMeasured:
			return unknown
		}
		return no // inconclusive too: it delivered
	}
	answer := no
	for _, c := range of.Cells {
		if c.Verdict != verdict.Regressed {
			continue
		}
		i := slices.IndexFunc(in.Cells, func(d verdict.Cell) bool { return d.Scenario == c.Scenario && d.Metric.Name == c.Metric.Name })
		switch {
		case i < 0 || in.Cells[i].Verdict == verdict.Inconclusive || in.Cells[i].Verdict == verdict.NotMeasured:
			answer = unknown
		case in.Cells[i].Verdict == verdict.Regressed:
			return yes
		}
	}
	return answer
}

// bisect finds which of n steps brought what is there after the last and was not
// before the first: asked is of steps but the last. Where it is not known, the
// steps from and to are the first and last that may have.
func bisect(n int, asked func(int) (worse, error)) (from, to int, err error) {
	for from, to = 0, n-1; from < to; {
		mid := (from + to) / 2
		answer, err := asked(mid)
		switch {
		case err != nil:
			return from, to, err
		case answer == yes:
			to = mid
		case answer == no:
			from = mid + 1
		default:
			return from, to, nil
		}
	}
	return from, to, nil
}
