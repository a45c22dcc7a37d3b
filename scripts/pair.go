package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/files/naming"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/report"
)

// priorsFile holds, beside the records of a pair, the priors that its verdicts
// used: what it takes to replay them.
const priorsFile = "priors.json"

func pairCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	p := pairing{plannedRun: plannedRun{scenarios: "pair"}}
	flags.IntVar(&p.rounds, "rounds", verdict.Rounds, "rounds at most; from 12 on it ends after a third or two thirds of them when all is decided")
	flags.BoolVar(&p.quick, "quick", false, "shorten the load: shows that all works, measures little")
	flags.BoolVar(&p.same, "same", false, "load a server also where both sides are the same program: nothing should be found")
	flags.Uint64Var(&p.seed, "seed", 0, "of the order of turns; 0 draws one")
	flags.StringVar(&p.placement, "placement", "", "as of run")
	flags.StringVar(&p.dir, "o", "", "`directory` for raw files and records (default raw/START); with those of a pair that was interrupted, it goes on")
	flags.StringVar(&p.past, "past", pastFile, "`file` of how much earlier pairs on this machine scattered; this one is added to it")
	flags.StringVar(&p.pastAt, "past-at", "", "`revision` with such a file, "+publishedFile+", which is read in place of -past and not added to; without one nothing is known of earlier pairs")
	flags.BoolVar(&p.confirm, "confirm", false, "load what regressed once more, from new processes on: only what both say has regressed")
	flags.BoolVar(&p.bisect, "bisect", false, "when several commits changed a server that regressed, find out which it was, by halves")
	base := flags.String("base", "main", "`revision` to compare with; it is where head left it that counts")
	head := flags.String("head", "HEAD", "`revision` in question")
	return func(ctx context.Context, names []string) error {
		return p.revisions(ctx, names, side{"base", *base}, side{"head", *head})
	}
}

// A pairing loads base and head of servers in the same minutes until verdicts
// are reached.
type pairing struct {
	plannedRun
	confirm, bisect bool
	past, pastAt    string
	priors          verdict.Priors
	base, head      side
}

// revisions pairs servers as they are at two revisions.
func (p *pairing) revisions(ctx context.Context, names []string, base, head side) error {
	if p.rounds < 2 {
		return usageError{fmt.Errorf("-rounds %d: want 2 or more; how much one scatters is not known", p.rounds)}
	}
	root, err := setup.Root()
	if err != nil {
		return err
	}
	for _, s := range []*side{&base, &head} {
		if s.ref, err = revision.Resolve(ctx, root, s.ref); err != nil {
			return usageError{err}
		}
	}
	p.resume = true
	scenarios, done, err := p.begin(ctx, root)
	if err != nil {
		return err
	}
	defer done()
	from, changed, err := revision.Since(ctx, root, base.ref, head.ref)
	if err != nil {
		return usageError{err}
	}
	base.ref = from
	p.base, p.head = base, head
	if len(names) == 0 && !p.same {
		names = changed.Servers
	} else if len(names) == 0 {
		if names, err = revision.Servers(ctx, root, head.ref); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return nothing(changed, base.ref, head.ref)
	}
	for _, name := range names {
		// One that is not there is at other revisions only.
		if naming.IsServer(name) && isThere(root, name) && revision.Of(ctx, filepath.Join(root, "servers", name)).Commit == nil {
			fmt.Fprintf(os.Stderr, "pair: servers/%s has changes that are not committed; what is loaded is as it was committed\n", name)
		}
	}
	code, err := os.MkdirTemp("", "fairstream-code-")
	if err != nil {
		return err
	}
	targets, err := extract(ctx, root, code, names, []side{base, head})
	if !p.same && err == nil {
		markSame(targets, func(t run.Target) *string { return t.Source.Tree })
	}
	if err == nil && !slices.ContainsFunc(targets, func(t run.Target) bool { return t.Broken != errIdentical }) {
		err = report.WriteVerdicts(stdout, "text", identical(targets))
	} else if err == nil {
		err = p.decide(ctx, root, scenarios, targets)
	}
	return cmp.Or(err, os.RemoveAll(code))
}

func isThere(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, "servers", name))
	return err == nil
}

// nothing says why no server is loaded.
func nothing(changed revision.Changed, base, head string) error {
	if changed.Ruler {
		fmt.Fprintf(stdout, "not measured: no server differs between %.10s and %.10s, but the ruler does: k6/, stub/ or scripts/.\n"+
			"A pair compares servers, with the ruler of this checkout.\n", base, head)
		return errNo
	}
	fmt.Fprintf(stdout, "identical: no server differs between %.10s and %.10s; nothing was loaded (-same would)\n", base, head)
	return nil
}

// decide builds, verifies and loads both sides of each server until there is
// nothing more to decide, and says what was found.
func (p *pairing) decide(ctx context.Context, root string, scenarios []string, targets []run.Target) error {
	past, err := pastIn(p.past)
	if p.pastAt != "" {
		past, err = pastAt(ctx, root, p.pastAt)
	}
	if err != nil {
		return usageError{fmt.Errorf("pair: %w; want what earlier pairs wrote, or name another file with -past", err)}
	}
	if _, err := os.Stat(filepath.Join(p.dir, raw.RunFile)); err == nil { // what this pair itself left is no past
		past = slices.DeleteFunc(past, func(line verdict.Past) bool { return strings.HasPrefix(line.Run, filepath.Base(p.dir)+" ") })
	}
	p.priors, p.identical = verdict.FitPriors(past), !p.same
	ready, err := p.prepare(ctx, root, targets)
	if err != nil {
		return err
	}
	answers, records, runErr, err := p.answer(ctx, root, scenarios, targets, ready)
	if err != nil || len(records) == 0 {
		return cmp.Or(runErr, err)
	}
	if p.confirm && runErr == nil {
		answers, runErr = p.confirmed(ctx, root, scenarios, targets, ready, answers)
	}
	if runErr != nil && ctx.Err() != nil {
		fmt.Fprintf(os.Stderr, "pair: interrupted; the same command with -o %s goes on; so far:\n", p.dir)
	}
	err = report.WriteVerdicts(stdout, "text", answers)
	if runErr != nil {
		return runErr
	}
	err = errors.Join(err, p.remember(records))
	if p.bisect && err == nil {
		err = p.blame(ctx, root, scenarios, answers)
	}
	fmt.Fprintf(os.Stderr, "records: %s\nreport: %s\nreplay: scripts/bench compare %[1]s\n", filepath.Join(p.dir, recordsFile), filepath.Join(p.dir, pageFile))
	return cmp.Or(err, verdictError(answers))
}

// answer loads targets until all is decided, and says what was found; beside the
// records are the priors that it rests on, also where the loading was interrupted.
func (p *pairing) answer(ctx context.Context, root string, scenarios []string, targets []run.Target, ready prepared) (answers []verdict.Answer, records []record.Record, runErr, err error) {
	runErr = p.untilDecided(ctx, root, scenarios, targets, ready)
	if records, err = keep(p.dir, runErr); err == nil && len(records) > 0 {
		answers = verdict.Compare(records, p.priors)
		err = raw.WriteFile(filepath.Join(p.dir, priorsFile), func(w io.Writer) error { return verdict.WritePriors(w, p.priors.In(record.Epoch(records[0]))) })
	}
	return answers, records, runErr, err
}

// untilDecided loads round after round until Judge wants no more of any server.
func (p *pairing) untilDecided(ctx context.Context, root string, scenarios []string, targets []run.Target, ready prepared) error {
	p.repeats, p.enough = verdict.MostSpoiled(p.rounds), func(round int) (bool, error) { return p.enoughOf(targets, round) }
	return p.loadAll(ctx, root, scenarios, targets, ready)
}

var errIdentical = errors.New(verdict.NotLoaded)

// markSame breaks both sides of servers of which they have the same hash: a
// difference that is found where there is none is noise.
func markSame(targets []run.Target, hash func(run.Target) *string) {
	for i := range targets {
		for j := range targets[:i] {
			a, b := &targets[j], &targets[i]
			if a.Server.Name != b.Server.Name || a.Side == b.Side || a.Broken != nil || b.Broken != nil {
				continue
			}
			if x, y := hash(*a), hash(*b); x != nil && y != nil && *x == *y {
				a.Broken, b.Broken = errIdentical, errIdentical
			}
		}
	}
}

// identical are the answers of servers of which nothing differs.
func identical(targets []run.Target) (answers []verdict.Answer) {
	for _, t := range targets {
		if t.Side == "head" {
			answers = append(answers, verdict.Answer{Server: t.Server.Name, Verdict: verdict.Identical, Done: true})
		}
	}
	return answers
}

// enoughOf says whether all is decided.
func (p *pairing) enoughOf(targets []run.Target, round int) (bool, error) {
	records, _, _, err := record.FromRaw(p.dir)
	if err != nil {
		return false, err
	}
	done := true
	for _, a := range verdict.Compare(records, p.priors) {
		broken := slices.ContainsFunc(targets, func(t run.Target) bool { return t.Server.Name == a.Server && t.Broken != nil })
		done = done && (a.Done || broken)
		for _, spoiled := range a.Spoiled {
			if strings.HasPrefix(spoiled, fmt.Sprintf("round %d:", round)) && !a.Done {
				fmt.Fprintf(os.Stderr, "pair: %s: %s; it is measured again\n", a.Server, spoiled)
			}
		}
	}
	return done, nil
}

// remember adds the scatter of this pair to that of the earlier ones.
func (p *pairing) remember(records []record.Record) (err error) {
	if p.quick || p.pastAt != "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(p.past), 0o755); err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, pair := range verdict.Pairs(records) {
		// Two runs may have directories of one name.
		id := records[0].Run.ID + " " + records[0].Started.Format(time.RFC3339)
		if line := verdict.Remember(pair, id); len(line.Cells) > 0 {
			err = errors.Join(err, verdict.WritePast(&lines, line))
		}
	}
	return errors.Join(err, jsonl.Append(p.past, lines.Bytes()))
}

// verdictError is no when a server regressed, was not measured, or was in too
// few rounds for any answer.
func verdictError(answers []verdict.Answer) error {
	for _, a := range answers {
		nothing := a.Verdict == verdict.Inconclusive && len(a.Cells) == 0
		if a.Verdict == verdict.Regressed || a.Verdict == verdict.NotMeasured || nothing {
			return errNo
		}
	}
	return nil
}
