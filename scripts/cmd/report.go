package cmd

import (
	"errors"
	"flag"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/show/report"
)

// Report turns records into tables and pictures.
func Report(flags *flag.FlagSet) cli.Action {
	format := flags.String("format", "text", "one of "+strings.Join(report.Formats(), ", "))
	return cli.Abandonable(func(args []string) error {
		if len(args) == 0 {
			return cli.Usagef("report: want files of records, as written by scripts/bench run")
		}
		if err := report.CheckFormat(*format); err != nil {
			return cli.UsageError{Err: err}
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
		err := report.Write(cli.Stdout, *format, all)
		if wrong, ok := errors.AsType[report.InputError](err); ok {
			return cli.Usagef("%w: %s", wrong, strings.Join(args, ", "))
		}
		return err
	})
}
