package cmd

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
)

// Report turns records into tables and pictures. Those of a comparison are judged, as replay does.
func Report(flags *flag.FlagSet) cli.Action {
	format := flags.String("format", "text", "one of "+strings.Join(report.Formats(), ", "))
	text := report.Text{Width: cli.Width()}
	flags.BoolVar(&text.Full, "full", false, "as text: all tables and notes")
	flags.BoolVar(&text.Notes, "notes", false, "as text: warnings, conditions of the run, rules and versions")
	flags.StringVar(&text.Show, "show", "", "as text: the table of this `scenario`, with the range of its rounds")
	return cli.Abandonable(func(args []string) error {
		if len(args) == 0 {
			return cli.Usagef("report: want files of records, as written by scripts/bench run")
		}
		if err := report.CheckFormat(*format); err != nil {
			return cli.UsageError{Err: err}
		}
		if given := slices.DeleteFunc([]string{"full", "notes", "show"}, func(name string) bool { return !cli.Given(flags, name) }); len(given) > 0 && *format != "text" {
			return cli.Usagef("report: -%s with -format %s: want the format text", given[0], *format)
		}
		var all []record.Record
		var files []record.File
		for _, name := range args {
			records, err := cli.ReadFile(name, record.Read)
			if err != nil {
				return cli.Usagef("report: %w; want records, as written by scripts/bench run", err)
			}
			all, files = append(all, records...), append(files, record.File{Name: name, Records: records})
		}
		if err := record.CheckUnique(files...); err != nil {
			return cli.Usagef("report: %w", err)
		}
		err := write(*format, text, all, args)
		if wrong, ok := errors.AsType[report.InputError](err); ok {
			return cli.Usagef("%w: %s", wrong, strings.Join(args, ", "))
		}
		return err
	})
}

// write writes records in a format. The verdicts of a comparison are in their formats, over the rounds that count.
func write(format string, text report.Text, records []record.Record, files []string) error {
	isSide := func(r record.Record) bool { return r.Server.Side != "" }
	switch {
	case slices.Contains(report.VerdictFormats(), format) && slices.ContainsFunc(records, isSide):
	case format == "text":
		return text.Write(cli.Stdout, records)
	default:
		return report.Write(cli.Stdout, format, records)
	}
	answers, warnings, err := compare.Replay(files)
	if err != nil {
		return cli.Usagef("report: %w", err)
	}
	for _, warning := range warnings {
		fmt.Fprintln(os.Stderr, "report:", answer.Plain(warning))
	}
	return report.Verdicts{Width: text.Width, Reasons: text.Notes || text.Full}.Write(cli.Stdout, format, answers)
}
