package cmd

import (
	"context"
	"encoding/json"
	"flag"
	"os"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/cli/progress"
	"fairstream/scripts/internal/measure/doctor"
)

// Doctor says what makes this machine noisy.
func Doctor(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print JSON, with everything")
	all := flags.Bool("all", false, "show what is fine too, and why the unknown is not known")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		var report doctor.Report
		bar := progress.New(os.Stderr, doctor.WatchTime)
		defer bar.End()
		bar.Step("doctor: looking at the machine", doctor.WatchTime)
		var err error
		report.Findings, err = doctor.Look(os.DirFS("/"), func() error { return doctor.Watch(ctx) })
		if err != nil {
			return err
		}
		bar.End()
		if *asJSON {
			out := json.NewEncoder(cli.Stdout)
			out.SetIndent("", "  ")
			err = out.Encode(report)
		} else {
			err = report.WriteText(cli.Stdout, *all, width())
		}
		if err == nil && doctor.Count(report.Findings, doctor.Fix) > 0 {
			err = cli.ErrFindings
		}
		return err
	}
}

// width is that of the terminal, within what can be read well.
func width() int {
	const narrow, wide = 72, 100
	size, err := unix.IoctlGetWinsize(int(os.Stdout.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return wide
	}
	return min(max(int(size.Col), narrow), wide)
}
