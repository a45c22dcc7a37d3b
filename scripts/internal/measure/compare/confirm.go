package compare

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/load"
)

// further is another comparison of the same length. Its raw files have a directory below those of the first.
func (c *Comparison) further(name string) *Comparison {
	f := *c
	f.Dir, f.Seed = filepath.Join(c.Dir, filepath.Base(c.Dir)+"-"+name), rand.Uint64N(1<<32)
	return &f
}

// confirm loads regressed servers once more, and returns the verdicts of both loads together. It reuses the
// built programs. All processes, and the order of slices, are new.
func (c *Comparison) confirm(ctx context.Context, targets []load.Target, answers []verdict.Answer) ([]verdict.Answer, error) {
	regressed := func(a verdict.Answer) bool { return a.Verdict == verdict.Regressed }
	if !slices.ContainsFunc(answers, regressed) {
		return answers, nil
	}
	again := slices.DeleteFunc(slices.Clone(targets), func(t load.Target) bool {
		return !slices.ContainsFunc(answers, func(a verdict.Answer) bool { return regressed(a) && a.Server == t.Server.Name })
	})
	if slices.ContainsFunc(again, func(t load.Target) bool { return t.Broken != nil && t.Artefact != nil }) {
		for i := range again { // a failed contract must fail once more
			if again[i].Artefact != nil {
				again[i].Broken = nil
			}
		}
		if err := c.Verify(ctx, again); err != nil {
			return answers, err
		}
	}
	f := c.further("confirm")
	fmt.Fprintf(os.Stderr, "comparison: a regression; a second comparison confirms it, in %s\n", f.Dir)
	second, records, runErr, err := f.judge(ctx, again)
	if err == nil && runErr == nil && len(records) > 0 {
		err = f.KeepVerdicts(f.Dir, second)
	}
	return confirmAll(answers, second), cmp.Or(runErr, err)
}

// confirmDir is the directory of the comparison that confirms a run.
func confirmDir(dir, run string) string { return filepath.Join(dir, run+"-confirm") }

// confirmAll confirms each answer with the second comparison of the same server.
func confirmAll(answers, second []verdict.Answer) (both []verdict.Answer) {
	for _, a := range answers {
		var with *verdict.Answer
		if j := slices.IndexFunc(second, func(b verdict.Answer) bool { return b.Server == a.Server }); j >= 0 {
			with = &second[j]
		}
		both = append(both, verdict.Confirm(a, with))
	}
	return both
}
