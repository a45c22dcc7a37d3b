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
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/show/report"
)

// compareCommand replays the verdicts of a pair from its records.
func compareCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	format := flags.String("format", "text", "one of "+strings.Join(report.VerdictFormats(), ", "))
	return leaving(func(args []string) error {
		if err := report.CheckVerdictFormat(*format); err != nil {
			return usageError{fmt.Errorf("compare: %w", err)}
		}
		answers, doubts, err := compared(args)
		if err != nil {
			return usageError{fmt.Errorf("compare: %w", err)}
		}
		for _, doubt := range doubts {
			fmt.Fprintln(os.Stderr, "compare:", report.Plain(doubt))
		}
		if err := report.WriteVerdicts(stdout, *format, answers); err != nil {
			return err
		}
		return verdictError(answers)
	})
}

// compared are the verdicts of a pair's records, and of which servers more was to come.
func compared(names []string) (answers []verdict.Answer, doubts []string, err error) {
	if len(names) == 0 {
		return nil, nil, errors.New("want files of records, as written by scripts/bench pair")
	}
	var all []record.Record
	var files []recordFile
	var priors verdict.Priors
	for _, name := range names {
		records, err := readFile(name, record.Read)
		if err != nil {
			return nil, nil, fmt.Errorf("%w; want records, as written by scripts/bench pair", err)
		}
		if err := paired(name, records, all); err != nil {
			return nil, nil, err
		}
		all, files = append(all, records...), append(files, recordFile{name, records})
		beside, err := readFile(filepath.Join(filepath.Dir(name), priorsFile), verdict.ReadPriors)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("%w; want what scripts/bench pair wrote beside the records, or no such file", err)
		}
		if err == nil { // of one pair, so all are the same
			priors = beside
		} else {
			doubts = append(doubts, fmt.Sprintf("no %s beside %s: where the pair knew from earlier ones how much this machine's figures differ, its own verdicts may be others", priorsFile, name))
		}
	}
	if err := cmp.Or(twice(files...), cutShort(files...)); err != nil {
		return nil, nil, err
	}
	answers = verdict.Compare(all, priors)
	for _, a := range answers {
		if !a.Done && a.Verdict != verdict.Regressed {
			doubts = append(doubts, fmt.Sprintf("%s: %d rounds of %d that are planned, and not all is decided: the pair was interrupted, or its records were cut short", a.Server, rounds(all), all[0].Run.Rounds))
		}
	}
	return answers, doubts, nil
}

// paired refuses records of which no verdict can be had: base and head that were
// not loaded in the same minutes, or on different machines.
func paired(name string, records, others []record.Record) error {
	sides := map[string]bool{}
	for _, r := range records {
		sides[r.Server.Side] = true
	}
	if !sides["base"] && !sides["head"] {
		return fmt.Errorf("%s: its records are of no pair; what was loaded in different minutes cannot be told apart from what the machine did: load both with scripts/bench pair -base REVISION -head REVISION", name)
	}
	for _, r := range append(others, records...) {
		if record.Epoch(r) != record.Epoch(records[0]) {
			return fmt.Errorf("%s: is of another machine or ruler (epoch %s, the others %s); compare what one machine measured", name, record.Epoch(records[0]), record.Epoch(r))
		}
		if r.Run.ID != records[0].Run.ID {
			return fmt.Errorf("%s: is of run %s and the others of %s; compare one pair at a time", name, records[0].Run.ID, r.Run.ID)
		}
	}
	return nil
}
