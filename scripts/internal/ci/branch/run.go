package branch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// NewRun reads the files of Do, and what github-action-benchmark added to its charts. lack names the
// suites that have points but no entry.
func NewRun(ctx context.Context, to Remote, root string, p plan.Plan, dir string, of github.Run) (run Run, lack []string, err error) {
	attempt := strconv.Itoa(of.Attempt)
	trendRuns, err := recordsIn(dir, recordsFile)
	if err != nil {
		return run, nil, err
	}
	leaderboard, err := recordsIn(dir, leaderboardFile)
	if err != nil {
		return run, nil, err
	}
	if run.Path, err = RunPath(slices.Concat(trendRuns, leaderboard), p.Revision, of.ID, attempt); err != nil {
		return run, nil, cli.UsageError{Err: err}
	}
	// Ratios and differences hold what records of direct say.
	if run.TrendRuns, err = linesOf(record.Filter(trendRuns, record.Record.OfServer)); err != nil {
		return run, nil, err
	}
	if run.Leaderboard, err = linesOf(leaderboard); err != nil {
		return run, nil, err
	}
	// Without these files, Do failed after it wrote the records.
	if run.Events, err = cli.ReadFile(filepath.Join(dir, eventsFile), verdict.ReadEvents); err != nil && !os.IsNotExist(err) {
		return run, nil, err
	}
	if run.Trials, err = os.ReadFile(filepath.Join(dir, trialsFile)); err != nil && !os.IsNotExist(err) {
		return run, nil, err
	}
	if run.Details, err = drawn(dir, p.Leaderboards()); err != nil {
		return run, nil, err
	}
	run.Message, run.Time = Message(p, trendRuns, leaderboard, of.ID, attempt), time.Now()
	run.RepoURL = of.Repository
	if p.Directory != "" {
		return run, nil, nil // in another repository no step charts
	}
	points := map[string][]Bench{}
	points[Bigger], points[Smaller] = Points(trendRuns)
	if len(points[Bigger])+len(points[Smaller]) == 0 {
		return run, nil, nil // there is nothing to chart
	}
	data, err := os.ReadFile(filepath.Join(dir, ChartsFile))
	if err != nil && !os.IsNotExist(err) {
		return run, nil, err
	}
	charts, err := ParseChart(data)
	if err != nil { // a fault of a foreign program must not cost the records
		fmt.Fprintf(os.Stderr, "push: %s: %v\n", ChartsFile, err)
	}
	at, timeErr := to.Time(ctx, root, p.Revision)
	if ctx.Err() != nil {
		return run, nil, ctx.Err()
	}
	run.Points = map[string]Entry{}
	for _, suite := range []string{Bigger, Smaller} {
		if len(points[suite]) == 0 {
			continue
		}
		entry, ok := charts.Last(suite, p.Revision)
		if !ok {
			lack = append(lack, suite)
			continue
		}
		entry.Benches = points[suite] // the original values; the alert saw raised ones
		if timeErr == nil {
			entry.Commit.Timestamp = at // a push has the committer's time, and the API has the author's
		}
		run.Points[suite] = entry
	}
	return run, lack, nil
}

// drawn reads the details of the leaderboard runs of workloads. A run that was lost has none.
func drawn(dir string, workloads []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range workloads {
		of, err := cli.ReadFile(filepath.Join(dir, drawnFile(name)), record.ReadDetails)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := record.WriteDetails(&text, of); err != nil {
			return nil, err
		}
		files[name] = text.Bytes()
	}
	return files, nil
}

// linesOf are records as the branch has them.
func linesOf(records []record.Record) ([]byte, error) {
	var lines bytes.Buffer
	err := record.Write(&lines, records)
	return lines.Bytes(), err
}

// recordsIn reads the records in a file of Do; none without the file.
func recordsIn(dir, name string) ([]record.Record, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, cli.Usagef("push: %w; want a directory that scripts/bench ci check wrote", err)
	}
	records, err := record.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("push: %s: %w", name, err)
	}
	return records, nil
}

// Message makes the commit message of a run: servers and leaderboards with records, and those without.
func Message(p plan.Plan, trendRuns, leaderboard []record.Record, runID, attempt string) string {
	var have, lack []string
	note := func(name string, has bool) {
		if has {
			have = append(have, name)
		} else {
			lack = append(lack, name)
		}
	}
	for _, server := range p.Servers {
		note(server.String(), slices.ContainsFunc(trendRuns, func(r record.Record) bool { return r.ID() == server }))
	}
	for _, name := range p.Leaderboards() {
		note(plan.LeaderboardRun(name), slices.ContainsFunc(leaderboard, func(r record.Record) bool { return r.Workload == name }))
	}
	text := fmt.Sprintf("%.12s: records of %s\n\nRevision %s, run %s, attempt %s.\n", p.Revision, strings.Join(have, ", "), p.Revision, runID, attempt)
	if p.Reason != "" {
		text += "Started by hand: " + p.Reason + "\n"
	}
	if p.Quick {
		text += "Scenarios were shortened (-quick).\n"
	}
	if len(lack) > 0 {
		text += "Missing: " + strings.Join(lack, ", ") + ".\n"
	}
	return text
}
