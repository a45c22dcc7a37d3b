package cmd

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
)

// Replay judges the records of a comparison again.
func Replay(flags *flag.FlagSet) cli.Action {
	format := flags.String("format", "text", "one of "+strings.Join(report.VerdictFormats(), ", "))
	reasons := flags.Bool("v", false, "say of each discarded round why")
	return cli.Abandonable(func(args []string) error {
		if err := report.CheckVerdictFormat(*format); err != nil {
			return cli.Usagef("replay: %w", err)
		}
		answers, warnings, err := compare.Replay(args)
		if err != nil {
			return cli.Usagef("replay: %w", err)
		}
		for _, warning := range warnings {
			fmt.Fprintln(os.Stderr, "replay:", answer.Plain(warning))
		}
		if err := (report.Verdicts{Width: cli.Width(), Reasons: *reasons}).Write(cli.Stdout, *format, answers); err != nil {
			return err
		}
		return compare.Status(answers)
	})
}
