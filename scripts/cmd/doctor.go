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

// Doctor lists what makes this machine noisy.
func Doctor(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print everything as JSON")
	all := flags.Bool("all", false, "also show what is fine, and why something is unknown")
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

// width is that of the terminal, within readable limits.
func width() int {
	const narrow, wide = 72, 100
	size, err := unix.IoctlGetWinsize(int(os.Stdout.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return wide
	}
	return min(max(int(size.Col), narrow), wide)
}
