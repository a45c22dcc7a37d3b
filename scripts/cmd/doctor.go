package cmd

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/doctor"
	"fairstream/scripts/internal/measure/services"
)

// Doctor lists what makes this machine noisy.
func Doctor(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print everything as JSON")
	all := flags.Bool("all", false, "also show what is fine, and why something is unknown")
	short := flags.Bool("short", false, "one screen about a machine that is not yours, such as a hosted runner; ends with status 0")
	format := flags.String("format", "text", "with -short, `text` or markdown for the summary of a job")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		switch {
		case *short && (*asJSON || *all):
			return cli.Usagef("doctor: -short: is one screen of text; leave out -json and -all")
		case !*short && *format != "text":
			return cli.Usagef("doctor: -format %s: has no effect without -short; add -short", *format)
		case *short:
			return shortDoctor(ctx, *format)
		}
		findings, err := look(func() ([]doctor.Finding, error) {
			return doctor.Look(os.DirFS("/"), func() error { return doctor.Watch(ctx) })
		})
		if err != nil {
			return err
		}
		report := doctor.Report{Findings: findings}
		if *asJSON {
			out := json.NewEncoder(cli.Stdout)
			out.SetIndent("", "  ")
			err = out.Encode(report)
		} else {
			err = report.WriteText(cli.Stdout, *all, cli.Width())
			if _, missing := services.Find(); missing != nil {
				fmt.Fprintf(cli.Stdout, "\n%v\n", missing)
			}
		}
		if err == nil && doctor.Count(report.Findings, doctor.Fix) > 0 {
			err = cli.ErrFindings
		}
		return err
	}
}

// look examines the machine, and shows for how long.
func look[T any](examine func() (T, error)) (T, error) {
	bar := cli.NewBar(os.Stderr, doctor.WatchTime)
	defer bar.End()
	bar.Step("doctor: looking at the machine", doctor.WatchTime)
	return examine()
}

// shortDoctor prints one screen about this machine.
func shortDoctor(ctx context.Context, format string) error {
	write, known := map[string]func(doctor.Short, io.Writer) error{"text": doctor.Short.WriteText, "markdown": doctor.Short.WriteMarkdown}[format]
	if !known {
		return cli.Usagef("doctor: -format %s: unknown; known are text, markdown", format)
	}
	screen, err := look(func() (doctor.Short, error) { return doctor.LookShort(ctx) })
	if err != nil {
		return err
	}
	return write(screen, cli.Stdout)
}
