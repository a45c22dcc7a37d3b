package cmd

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/doctor"
	"fairstream/scripts/internal/measure/machines"
	"fairstream/scripts/internal/measure/services"
	"fairstream/scripts/internal/workload"
)

// Doctor lists what makes this machine noisy.
func Doctor(flags *flag.FlagSet) cli.Action {
	asJSON := flags.Bool("json", false, "print everything as JSON")
	all := flags.Bool("all", false, "also show what is fine, and why something is unknown")
	short := flags.Bool("short", false, "one screen about a machine that is not yours, such as a hosted runner; ends with status 0")
	machinesFile := flags.String("machines", "", "`file` that names a second machine for k6 and the stub: look at both, and at their link")
	format := flags.String("format", "text", "with -short, `text` or markdown for the summary of a job")
	return func(ctx context.Context, args []string) error {
		if err := cli.NoArguments(args); err != nil {
			return err
		}
		switch {
		case *short && (*asJSON || *all || *machinesFile != ""):
			return cli.Usagef("doctor: -short: is one screen of text about this machine; leave out -json, -all and -machines")
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
		theirs := ""
		if *machinesFile != "" {
			link, text, err := lookThere(ctx, *machinesFile, *all)
			if err != nil {
				return err
			}
			findings, theirs = append(findings, link...), text
		}
		report := doctor.Report{Findings: findings}
		if *asJSON {
			out := json.NewEncoder(cli.Stdout)
			out.SetIndent("", "  ")
			err = out.Encode(report)
		} else {
			err = report.WriteText(cli.Stdout, *all, cli.Width())
			if _, missing := services.Find(workload.Needs{Postgres: true, Redis: true}); missing != nil {
				fmt.Fprintf(cli.Stdout, "\n%v\n", missing)
			}
			if theirs != "" {
				fmt.Fprintf(cli.Stdout, "\nThe load machine:\n\n%s", theirs)
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

// lookThere examines the link to a second machine, and lets that one examine itself.
func lookThere(ctx context.Context, path string, all bool) (link []doctor.Finding, theirs string, err error) {
	f, err := machines.Read(path)
	if err != nil {
		return nil, "", cli.UsageError{Err: err}
	}
	root, err := build.Root()
	if err != nil {
		return nil, "", err
	}
	m, err := machines.Connect(ctx, f)
	if err != nil {
		return nil, "", err
	}
	defer m.Close()
	if err := m.Install(ctx, root); err != nil {
		return nil, "", err
	}
	if link, err = m.Look(ctx); err != nil {
		return nil, "", err
	}
	theirs, err = m.Doctor(ctx, all)
	return link, theirs, err
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
