package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli/progress"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/builder"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/run"
	"fairstream/scripts/internal/measure/setup"
	"fairstream/scripts/internal/show/report"
)

// project finds the project and its servers; names pick some of them. A name
// with a slash is a directory with a server.json, anywhere.
func project(names []string) (root string, servers []manifest.Server, err error) {
	if root, err = setup.Root(); err != nil {
		return "", nil, err
	}
	var own []string
	var others []manifest.Server
	for _, name := range names {
		if !strings.Contains(name, "/") && name != "." {
			own = append(own, name)
			continue
		}
		dir, err := filepath.Abs(name)
		if err != nil {
			return "", nil, err
		}
		s, err := manifest.Load(dir)
		if err != nil {
			return "", nil, usageError{err}
		}
		others = append(others, s)
	}
	all, err := manifest.All(filepath.Join(root, "servers"))
	if err == nil && (len(own) > 0 || len(others) == 0) {
		servers, err = manifest.Select(all, own)
	}
	if err != nil {
		return "", nil, usageError{err}
	}
	servers = append(servers, others...)
	for i, s := range servers {
		if slices.ContainsFunc(servers[:i], func(t manifest.Server) bool { return t.Name == s.Name }) {
			return "", nil, usageError{fmt.Errorf("%s: two servers of that name; the directory's name tells them apart", s.Name)}
		}
	}
	return root, servers, nil
}

// none refuses arguments that a command does not take.
func none(args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("unexpected argument %q", args[0])}
	}
	return nil
}

func setupCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	browser := flags.Bool("browser", false, "also Chromium, in which the site's pages are tested")
	return func(ctx context.Context, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		root, servers, err := project(nil)
		if err != nil {
			return err
		}
		leave, err := alone(ctx, root)
		if err != nil {
			return err
		}
		defer leave()
		if _, err = setUp(ctx, root, servers); err != nil || !*browser {
			return err
		}
		return setup.Browser(ctx, func(step string) { fmt.Fprintln(os.Stderr, step) })
	}
}

func setUp(ctx context.Context, root string, servers []manifest.Server) (tools map[string]string, err error) {
	bar := progress.New(os.Stderr, 0)
	defer bar.End()
	return setup.Run(ctx, root, servers, func(step string) { bar.Step(step, 0) })
}

func listCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	asJSON := flags.Bool("json", false, "print JSON")
	return func(ctx context.Context, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		root, servers, err := project(nil)
		if err != nil {
			return err
		}
		scenarios, err := load.Scenarios(filepath.Join(root, "k6"))
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(stdout).Encode(map[string]any{"servers": servers, "scenarios": scenarios})
		}
		for _, s := range servers {
			fmt.Fprintf(stdout, "server    %-12s %s, %s\n", s.Name, s.Language, s.Framework)
		}
		for _, s := range scenarios {
			fmt.Fprintf(stdout, "scenario  %s\n", s)
		}
		return nil
	}
}

func buildCommand(*flag.FlagSet) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		root, servers, err := project(args)
		if err != nil {
			return err
		}
		if err := setup.Toolchains(servers); err != nil {
			return err
		}
		leave, err := alone(ctx, root)
		if err != nil {
			return err
		}
		defer leave()
		targets := targets(ctx, servers)
		buildAll(ctx, targets)
		broken := false
		for _, t := range targets {
			if t.Broken != nil && ctx.Err() == nil {
				broken = true
				fmt.Fprintln(os.Stderr, "bench:", t.Broken)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if broken {
			return errNo
		}
		return nil
	}
}

// targets are servers of a working copy.
func targets(ctx context.Context, servers []manifest.Server) []run.Target {
	var all []run.Target
	for _, s := range servers {
		all = append(all, run.Target{Server: s, Source: revision.Of(ctx, s.Dir)})
	}
	return all
}

// buildAll builds targets and says how each went; a broken one does not stop
// the others.
func buildAll(ctx context.Context, targets []run.Target) {
	bar := progress.New(os.Stderr, 0)
	defer bar.End()
	for i := range targets {
		t := &targets[i]
		if ctx.Err() != nil {
			return
		}
		if t.Broken != nil {
			continue
		}
		bar.Step("build: "+t.Name(), 0)
		start := time.Now()
		if t.Broken = builder.Build(ctx, t.Server); t.Broken == nil {
			t.Versions, t.Broken = builder.Versions(ctx, t.Server)
		}
		if t.Broken == nil {
			t.Artefact, t.Broken = builder.Artefact(t.Server)
		}
		bar.End()
		if t.Broken == nil {
			fmt.Fprintf(os.Stderr, "build: %s: done in %.1f s\n", t.Name(), time.Since(start).Seconds())
		}
	}
}

func recordCommand(*flag.FlagSet) func(context.Context, []string) error {
	return leaving(func(args []string) error {
		if len(args) != 1 {
			return usageError{errors.New("record: want one directory of raw files, as named by scripts/bench run")}
		}
		if _, err := os.Stat(filepath.Join(args[0], raw.RunFile)); err != nil {
			return usageError{fmt.Errorf("record: %w; want the directory of a run, as named by scripts/bench run", err)}
		}
		records, _, planned, err := record.FromRaw(args[0])
		if err != nil {
			return err
		}
		if len(records) < planned {
			fmt.Fprintf(os.Stderr, "record: %d of %d records; the run did not finish\n", len(records), planned)
		}
		return record.Write(stdout, records)
	})
}

func reportCommand(flags *flag.FlagSet) func(context.Context, []string) error {
	format := flags.String("format", "text", "one of "+strings.Join(report.Formats(), ", "))
	return leaving(func(args []string) error {
		if len(args) == 0 {
			return usageError{errors.New("report: want files of records, as written by scripts/bench run")}
		}
		if err := report.CheckFormat(*format); err != nil {
			return usageError{err}
		}
		var all []record.Record
		var details []record.Details
		var files []recordFile
		var read []string // files of details: those of several records may be one
		for _, name := range args {
			records, err := readFile(name, record.Read)
			if err != nil {
				return usageError{fmt.Errorf("report: %w; want records, as written by scripts/bench run", err)}
			}
			all, files = append(all, records...), append(files, recordFile{name, records})
			path := filepath.Join(filepath.Dir(name), detailsFile)
			if (*format != "html" && *format != "details") || slices.Contains(read, path) {
				continue
			}
			read = append(read, path)
			beside, err := readFile(path, record.ReadDetails)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return usageError{fmt.Errorf("report: %w; want what scripts/bench run wrote beside the records, or no such file", err)}
			}
			details = append(details, beside...)
		}
		if err := twice(files...); err != nil {
			return usageError{fmt.Errorf("report: %w", err)}
		}
		err := report.Write(stdout, *format, all, details...)
		if wrong, ok := errors.AsType[report.InputError](err); ok {
			return usageError{fmt.Errorf("%w: %s", wrong, strings.Join(args, ", "))}
		}
		return err
	})
}

// readFile reads a file whole; the error names it.
func readFile[T any](name string, read func(io.Reader) (T, error)) (T, error) {
	f, err := os.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close() // it was only read
	v, err := read(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}
