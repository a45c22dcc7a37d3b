package cmd

import (
	"bytes"
	"context"
	"path/filepath"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/collect"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/revision"
)

// mainVerdicts are those of the pairs of main that the artifacts of this
// workflow's run have, and what later pairs may learn from them. The priors are
// those of the branch, never what a machine says of them. unread names the files of
// acknowledgements that cannot be read, and count for nothing.
func mainVerdicts(ctx context.Context, root string, p plan.Plan, legs artifact.Result, pastRef string) (verdicts []collect.Verdict, remember []verdict.Past, unread, err error) {
	if len(p.Pairs) == 0 {
		return nil, nil, nil, nil
	}
	run, err := cli.Env("GITHUB_RUN_ID")
	if err != nil {
		return nil, nil, nil, err
	}
	past, err := compare.PublishedNoise(ctx, root, pastRef)
	if err != nil {
		return nil, nil, nil, err
	}
	accepted, unread := accept.Read(filepath.Join(root, accept.Dir))
	verdicts, remember = collect.Verdicts(p, legs, past, run)
	isAncestor := func(commit, of string) (bool, error) { return revision.IsAncestor(ctx, root, commit, of) }
	for i := range verdicts {
		v := &verdicts[i]
		if v.Acks, err = accept.Between(accept.Valid(accepted, v.Answer.ID(), time.Now()), v.Base, p.Revision, isAncestor); err != nil {
			return nil, nil, nil, err
		}
	}
	return verdicts, remember, unread, nil
}

// verdicts writes what history is to publish of them.
func (c collected) verdicts(verdicts []collect.Verdict, remember []verdict.Past) error {
	var flags []archive.Flag
	for _, v := range verdicts {
		flags = append(flags, v.Flag)
	}
	var text, lines bytes.Buffer
	if err := archive.WriteFlags(&text, flags); err != nil {
		return err
	}
	for _, line := range remember {
		if err := verdict.WritePast(&lines, line); err != nil {
			return err
		}
	}
	if err := c.write(flagsFile, text.Bytes()); err != nil {
		return err
	}
	return c.write(addedFile, lines.Bytes())
}
