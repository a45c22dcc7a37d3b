package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/report"
)

// trialsFile holds a trial on each line.
const trialsFile = "trials.jsonl"

// What prove does unless it is told otherwise.
const (
	proveServer = "go-http" // has doses planted
	proveSame   = 60
	proveEdits  = 60
	proveEach   = 40
)

// proveEdited are the servers whose sources are edited, one of each language.
var proveEdited = []string{"go-http", "rust-axum", "bun-hono"}

func proveCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	var p proving
	flags.IntVar(&p.same, "same", proveSame, "trials of a server against itself")
	flags.IntVar(&p.edits, "edits", proveEdits, "trials of a server against itself with its source edited to no effect: of "+strings.Join(proveEdited, ", ")+" in turn")
	flags.IntVar(&p.each, "trials", proveEach, "trials of each planted dose")
	planted := flags.String("planted", "", "`dose`, such as cpu=3,rss=5: by how many per cent quantities are made worse; of cpu, ttft, tail and rss (default: two doses, of all four)")
	flags.DurationVar(&p.limit, "for", 0, "begin no trial after this `duration`, such as 2h; the same command later goes on")
	flags.Uint64Var(&p.seed, "seed", 1, "of the order of trials")
	flags.StringVar(&p.dir, "o", "raw/prove", "`directory` of the trials; those that are in it are not done again")
	tables := flags.Bool("tables", false, "load nothing: print the tables of the trials there are")
	format := flags.String("format", "text", "of what is printed, one of "+strings.Join(prove.Formats(), ", "))
	return func(ctx context.Context, files []string) error {
		p.doses = prove.Combinations
		if *planted != "" {
			dose, err := prove.ParseDose(*planted)
			if err != nil {
				return usageError{err}
			}
			p.doses = []prove.Dose{dose}
		}
		if !slices.Contains(prove.Formats(), *format) {
			return usageError{fmt.Errorf("prove: format %q: want one of %s", *format, strings.Join(prove.Formats(), ", "))}
		}
		file := filepath.Join(p.dir, trialsFile)
		if *tables {
			return leave(ctx, func() error {
				trials, err := p.read(file)
				if err != nil {
					return err
				}
				return printTrials(trials, files, *format)
			})
		}
		release, err := own("prove", p.dir, false)
		if err != nil {
			return err
		}
		defer release()
		trials, err := p.read(file)
		if err != nil {
			return err
		}
		trials, err = p.run(ctx, trials)
		return cmp.Or(err, leave(ctx, func() error { return printTrials(trials, files, *format) }))
	}
}

// printTrials prints the tables of trials, and of those in files: it takes a minute.
func printTrials(trials []prove.Trial, files []string, format string) error {
	for _, name := range files {
		more, err := readFile(name, prove.ReadTrials)
		if err != nil {
			return usageError{fmt.Errorf("prove: %w; want trials, as prove wrote them", err)}
		}
		trials = append(trials, more...)
	}
	type one struct { // trials of several states of the method may share their names
		id      string
		started time.Time
	}
	seen := map[one]bool{}
	for _, t := range trials {
		at := one{t.ID, t.Started}
		if seen[at] {
			return usageError{fmt.Errorf("prove: trial %s of %s is in two of the files, and would count twice; name each file once, and not the %s of -o, which is read, too", t.ID, t.Started.Format(time.DateTime), trialsFile)}
		}
		seen[at] = true
	}
	if len(trials) == 0 {
		return errors.New("prove: no trials yet")
	}
	return prove.Write(stdout, format, trials)
}

// A proving is a plan of trials and where they are kept.
type proving struct {
	same, edits, each int
	doses             []prove.Dose
	limit             time.Duration
	seed              uint64
	dir               string
}

// read reads the trials that there are; none when there is no such file yet.
func (p *proving) read(name string) ([]prove.Trial, error) {
	trials, err := readFile(name, prove.ReadTrials)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("prove: %w; move the file away, or mend it", err)}
	}
	return trials, nil
}

// run does the trials that are planned and not done, one after the other.
func (p *proving) run(ctx context.Context, trials []prove.Trial) ([]prove.Trial, error) {
	tasks := prove.Plan(p.seed, p.same, p.edits, p.each, p.doses, trials)
	if len(tasks) == 0 {
		fmt.Fprintf(os.Stderr, "prove: all trials are done: %s\n", filepath.Join(p.dir, trialsFile))
		return trials, nil
	}
	root, err := setup.Root()
	if err != nil {
		return trials, err
	}
	leave, err := alone(ctx, root)
	if err != nil {
		return trials, err
	}
	defer leave()
	code, err := os.MkdirTemp("", "fairstream-prove-")
	if err != nil {
		return trials, err
	}
	defer os.RemoveAll(code) // else the system removes it some day
	bench := workbench{root: root, code: code}
	if err := bench.open(ctx, p.doses); err != nil {
		return trials, err
	}
	begun := time.Now()
	for i, task := range tasks {
		if p.limit > 0 && time.Since(begun) > p.limit {
			fmt.Fprintf(os.Stderr, "prove: %d trials are left; the same command goes on\n", len(tasks)-i)
			break
		}
		// Which kind it is nobody is told before it is judged.
		fmt.Fprintf(os.Stderr, "prove: trial %d of %d\n", len(trials)+1, len(trials)+len(tasks)-i)
		trial, err := bench.try(ctx, task, past(trials))
		if err != nil {
			return trials, fmt.Errorf("prove: trial %s: %w", task.ID, err)
		}
		trials = append(trials, trial)
		if err := p.keep(trial); err != nil {
			return trials, err
		}
		fmt.Fprintf(os.Stderr, "prove: %s: %s, in %.0f s of load\n", task.ID, report.Headline(trial.Answer()), trial.LoadSeconds)
	}
	return trials, nil
}

// keep adds a trial to the file.
func (p *proving) keep(t prove.Trial) error {
	return prove.AddTrial(filepath.Join(p.dir, trialsFile), t)
}

// past is what trials leave for the priors of the next.
func past(trials []prove.Trial) (lines []verdict.Past) {
	for _, t := range trials {
		lines = append(lines, verdict.Remember(t.Pair, t.ID))
	}
	return lines
}
