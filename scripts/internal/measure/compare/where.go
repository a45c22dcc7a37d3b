package compare

import (
	"context"
	"slices"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/show/report"
)

// functions lists the functions that changed in servers whose CPU time or throughput did, or in all with Where.
func (c *Comparison) functions(ctx context.Context, targets []load.Target, answers []verdict.Answer) error {
	asks := func(t load.Target) bool {
		i := slices.IndexFunc(answers, func(a verdict.Answer) bool { return a.Server == t.Server.Name })
		return t.Broken == nil && i >= 0 && len(answers[i].Cells) > 0 && (c.Where || c.Changed && costChanged(answers[i]))
	}
	some := slices.DeleteFunc(slices.Clone(targets), func(t load.Target) bool { return !asks(t) })
	if len(some) == 0 {
		return nil
	}
	found, err := c.Functions(ctx, some, c.Dir, c.load)
	if err != nil || len(found) == 0 {
		return err
	}
	return report.Where(cli.Stdout, cli.Width(), found)
}

// costChanged reports whether CPU time or throughput changed.
func costChanged(a verdict.Answer) bool {
	return slices.ContainsFunc(a.Cells, func(c verdict.Cell) bool {
		return (c.Criterion.Decides == "CPU" || c.Criterion.Decides == "throughput") && (c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved)
	})
}
