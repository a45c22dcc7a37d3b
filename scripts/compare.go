package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"fairstream/scripts/compare"
	"fairstream/scripts/record"
	"fairstream/scripts/report"
)

// compareCommand replays the verdicts of a pair from its records.
func compareCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	format := flags.String("format", "text", "one of "+strings.Join(report.VerdictFormats(), ", "))
	return leaving(func(args []string) error {
		if len(args) == 0 {
			return usageError{errors.New("compare: want files of records, as written by scripts/bench pair")}
		}
		var all []record.Record
		var priors compare.Priors
		for _, name := range args {
			records, err := readFile(name, record.Read)
			if err != nil {
				return usageError{fmt.Errorf("compare: %w; want records, as written by scripts/bench pair", err)}
			}
			if err := paired(name, records, all); err != nil {
				return usageError{err}
			}
			all = append(all, records...)
			beside, err := readFile(filepath.Join(filepath.Dir(name), priorsFile), compare.ReadPriors)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return usageError{fmt.Errorf("compare: %w; want what scripts/bench pair wrote beside the records, or no such file", err)}
			}
			if err == nil { // of one pair, so all are the same
				priors = beside
			}
		}
		answers := compare.Compare(all, priors)
		if err := report.WriteVerdicts(stdout, *format, answers); err != nil {
			return usageError{err}
		}
		return verdictError(answers)
	})
}

// paired refuses records of which no verdict can be had: base and head that were
// not loaded in the same minutes, or on different machines.
func paired(name string, records, others []record.Record) error {
	sides := map[string]bool{}
	for _, r := range records {
		sides[r.Server.Side] = true
	}
	if !sides["base"] && !sides["head"] {
		return fmt.Errorf("compare: %s: its records are of no pair; what was loaded in different minutes cannot be told apart from what the machine did: load both with scripts/bench pair -base REVISION -head REVISION", name)
	}
	for _, r := range append(others, records...) {
		if record.Epoch(r) != record.Epoch(records[0]) {
			return fmt.Errorf("compare: %s: is of another machine or ruler (epoch %s, the others %s); compare what one machine measured", name, record.Epoch(records[0]), record.Epoch(r))
		}
		if r.Run.ID != records[0].Run.ID {
			return fmt.Errorf("compare: %s: is of run %s and the others of %s; compare one pair at a time", name, records[0].Run.ID, r.Run.ID)
		}
	}
	return nil
}
