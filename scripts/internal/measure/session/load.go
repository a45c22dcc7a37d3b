package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/usage"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/site"
)

// Files beside the raw files. RecordsFile has the records, DetailsFile has the other data of plots, and
// PageFile shows both.
const (
	RecordsFile = "run.jsonl"
	DetailsFile = "details.json"
	PageFile    = "report.html"
	// Where perf sampled the servers: their stacks, and the functions that changed or take most time.
	WhereFile     = "where.json"
	FunctionsFile = "functions.json"
)

// TriedPrefix begins the names of directories with the raw files of loads that did not suit a comparison.
const TriedPrefix = "tried-"

// Rounds controls the rounds of a comparison or a ranking. The zero value loads as often as the options say.
type Rounds struct {
	Repeats int                                    // extra rounds to replace discarded ones
	Enough  func(round int) (load.Decision, error) // called after each round
	Same    bool                                   // also loads identical programs
}

// Measure sets up, builds, verifies and loads the targets. It keeps the records and prints a table.
func (s *Session) Measure(ctx context.Context, targets []load.Target) error {
	if err := s.Prepare(ctx, targets, nil); err != nil {
		return err
	}
	if !s.Solo {
		s.VUDivisor = s.workload.VUDivisor(len(targets))
	}
	if text := differentLoads(targets); text != "" {
		fmt.Fprintf(os.Stderr, "run: %s\n", text)
	}
	before := usage.Read(os.DirFS("/"))
	runErr := s.Load(ctx, targets, s.untilRanked(len(targets)))
	var found []where.Found
	if s.Where && runErr == nil {
		found, runErr = s.Functions(ctx, targets, s.Dir, s.LoadChange)
	}
	others, _ := usage.Between(before, usage.Read(os.DirFS("/")), os.Getpid()) // "" is unknown
	// An error of the harness matters more than a failing server.
	return cmp.Or(runErr, Conclude(s.Dir, s.pages, runErr, others.String()), report.Where(cli.Stdout, cli.Width(), found))
}

// Load writes the raw files of the targets and of direct. Call Prepare first.
func (s *Session) Load(ctx context.Context, targets []load.Target, rounds Rounds) error {
	if other := otherLoad("/proc"); other != "" {
		fmt.Fprintf(os.Stderr, "run: another k6 loads this machine (%s), which makes the figures of both worse; load one after the other\n", other)
	}
	bar := cli.NewBar(os.Stderr, 0)
	defer bar.End()
	enough := rounds.Enough
	bar.AtMost = enough != nil
	if enough != nil {
		enough = func(round int) (load.Decision, error) {
			bar.End() // the line is free for what Enough prints
			return rounds.Enough(round)
		}
	}
	scripts, ranked := s.scripts()
	began := time.Now()
	err := load.Run(ctx, load.Options{
		Root: s.root, Dir: s.Dir, Workload: s.workload, Targets: s.withDirect(targets), Scenarios: scripts, Only: ranked,
		Asked: s.Asked, Within: s.Within, Placement: s.placement, Machine: s.machine, LoadHost: s.loadHost, Rig: s.rig, Tools: s.tools, Ports: process.FreePort,
		Repeats: rounds.Repeats, Enough: enough, Resume: s.Resume, Same: rounds.Same,
		Left: bar.Left, Step: bar.Step, Print: bar.Print,
	})
	if errors.Is(err, load.ErrAnother) {
		return cli.UsageError{Err: err}
	}
	if err == nil {
		bar.End()
		fmt.Fprintf(os.Stderr, "load: done in %.1f s\n", time.Since(began).Seconds())
	}
	return err
}

// withDirect adds direct, which the stub answers. A script asks for what only its server knows.
func (s *Session) withDirect(targets []load.Target) []load.Target {
	if s.workload.Scripted {
		return targets
	}
	return append(targets, load.Direct)
}

// Conclude turns raw files into records, a table and a page, also after an unfinished run. runErr is the error of the
// run. others says which programs used the machine beside it. They matter where a round was disturbed.
func Conclude(dir string, pages func() fs.FS, runErr error, others string) error {
	records, details, err := keep(dir, runErr)
	printBeside(runErr, err)
	if len(records) == 0 {
		return err
	}
	if err := errors.Join(report.Text{Width: cli.Width()}.Write(cli.Stdout, records), err); err != nil {
		return err
	}
	if others != "" && slices.ContainsFunc(records, func(r record.Record) bool { return len(r.Conditions.Disturbed) > 0 }) {
		fmt.Fprintf(os.Stderr, "run: beside this run, %s\n", others)
	}
	if err := keepPage(dir, pages, records, details, nil); err != nil {
		err = incomplete(dir, err)
		printBeside(runErr, err)
		return err
	}
	NameFiles(dir)
	fmt.Fprintf(os.Stderr, "more: scripts/bench report -full %s\n", filepath.Join(dir, RecordsFile))
	if slices.ContainsFunc(records, func(r record.Record) bool {
		failed, _ := r.Metrics.Get("failed_pct")
		return r.Status == record.Invalid || failed > 0
	}) {
		return cli.ErrFindings
	}
	return nil
}

// printBeside prints an error that the caller does not report, since it reports that of the run.
func printBeside(runErr, err error) {
	if err != nil && runErr != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// NameFiles prints the files of a run.
func NameFiles(dir string) {
	fmt.Fprintf(os.Stderr, "records: %s\n", filepath.Join(dir, RecordsFile))
	if page := filepath.Join(dir, PageFile); exists(page) {
		fmt.Fprintf(os.Stderr, "report: %s\n", page)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// KeepRecords writes the records of a comparison beside the raw files. KeepVerdicts writes the rest.
func KeepRecords(dir string, runErr error) ([]record.Record, error) {
	records, _, err := keep(dir, runErr)
	printBeside(runErr, err)
	return records, err
}

// KeepVerdicts writes the page of a comparison, with the answers to its records, and the details of
// the rounds that the answers rest on.
func (s *Session) KeepVerdicts(dir string, answers []verdict.Answer) error {
	records, all, _, err := record.FromRaw(dir)
	if err != nil || len(records) == 0 {
		return err
	}
	counts := verdict.RoundFilter(records, answers)
	of := record.NewDetails(record.FilterDetails(all, func(target string, round int) bool {
		server, _, _ := strings.Cut(target, "@")
		return counts(server, round)
	}))
	of.Workload = records[0].Workload // also where no round counts
	err = raw.WriteFile(filepath.Join(dir, DetailsFile), func(w io.Writer) error { return record.WriteDetails(w, of) })
	if err = errors.Join(err, keepPage(dir, s.pages, records, of, answers)); err != nil {
		err = fmt.Errorf("comparison: %w; the records are complete; `scripts/bench site %s` shows them", err, filepath.Join(dir, RecordsFile))
	}
	return err
}

// keep writes records and details beside the raw files. It returns the records even when it cannot write them.
func keep(dir string, runErr error) (records []record.Record, of record.Details, err error) {
	if _, err := os.Stat(filepath.Join(dir, raw.RunFile)); err != nil && runErr != nil {
		return nil, of, nil // the run never began
	}
	records, all, planned, err := record.FromRaw(dir)
	if err != nil {
		return nil, of, err
	}
	if len(records) < planned {
		fmt.Fprintf(os.Stderr, "run: %d of %d records were finished; their raw files are kept in %s\n", len(records), planned, dir)
	}
	if len(records) == 0 {
		return nil, of, nil
	}
	of = record.NewDetails(all)
	err = errors.Join(
		raw.WriteFile(filepath.Join(dir, RecordsFile), func(w io.Writer) error { return record.Write(w, records) }),
		raw.WriteFile(filepath.Join(dir, DetailsFile), func(w io.Writer) error { return record.WriteDetails(w, of) }))
	if err != nil {
		err = incomplete(dir, err)
	}
	return records, of, err
}

// incomplete is the error of a run whose files could not all be written.
func incomplete(dir string, err error) error {
	return fmt.Errorf("run: %w; the raw files are complete; `scripts/bench record %s > FILE` makes the records", err, dir)
}

// keepPage writes the page of a run, unless there are no pages to make it from.
func keepPage(dir string, pages func() fs.FS, records []record.Record, of record.Details, answers []verdict.Answer) error {
	if pages == nil {
		return nil
	}
	built := pages()
	if built == nil {
		return nil
	}
	functions, err := whereIn(dir)
	if err != nil {
		return err
	}
	return raw.WriteFile(filepath.Join(dir, PageFile), func(w io.Writer) error { return site.WriteRunPage(w, built, records, &of, answers, functions...) })
}

// whereIn reads what perf sampled, if it did.
func whereIn(dir string) (files []where.File, err error) {
	err = raw.ReadJSON(filepath.Join(dir, WhereFile), &files)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		err = errors.Join(err, f.Check())
	}
	return files, err
}
