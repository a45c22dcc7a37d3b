package cmd

import (
	"errors"
	"flag"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/session"
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
		var details []record.Details
		var files []record.File
		var read []string // files of details: those of several records may be one
		for _, name := range args {
			records, err := cli.ReadFile(name, record.Read)
			if err != nil {
				return cli.Usagef("report: %w; want records, as written by scripts/bench run", err)
			}
			all, files = append(all, records...), append(files, record.File{Name: name, Records: records})
			path := filepath.Join(filepath.Dir(name), session.DetailsFile)
			if *format != "details" || slices.Contains(read, path) {
				continue
			}
			read = append(read, path)
			beside, err := cli.ReadFile(path, record.ReadDetails)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return cli.Usagef("report: %w; want what scripts/bench run wrote beside the records, or no such file", err)
			}
			details = append(details, beside...)
		}
		if err := record.CheckUnique(files...); err != nil {
			return cli.Usagef("report: %w", err)
		}
		err := report.Write(cli.Stdout, *format, all, details...)
		if wrong, ok := errors.AsType[report.InputError](err); ok {
			return cli.Usagef("%w: %s", wrong, strings.Join(args, ", "))
		}
		return err
	})
}
