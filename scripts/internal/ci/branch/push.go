package branch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// ChartPath is the chart's path on the branch.
const ChartPath = "charts/data.js"

// A Run holds what one workflow run adds to the history.
type Run struct {
	Path        string            // on the branch, as RunPath has it
	TrendRuns   []byte            // records without those of direct, as record.Write writes them
	Leaderboard []byte            // records of the leaderboard runs; nil without any
	Details     map[string][]byte // of the leaderboard runs, by workload, as record.WriteDetails writes them
	Events      []verdict.Event   // verdicts of its comparisons
	Trials      []byte            // comparisons of servers with themselves, as prove.WriteTrial writes them; nil without any
	Points      map[string]Entry  // chart points by suite
	RepoURL     string
	Time        time.Time // of publishing
	Message     string    // of the commit
}

var digits = regexp.MustCompile(`^[0-9]{1,20}$`)

// RunPath is the path of a run's file. A rerun has a file of its own for its new records, since published
// files never change.
func RunPath(records []record.Record, revision, runID, attempt string) (string, error) {
	if !digits.MatchString(runID) || !digits.MatchString(attempt) {
		return "", fmt.Errorf("push: run %q, attempt %q; want two numbers, as GITHUB_RUN_ID and GITHUB_RUN_ATTEMPT have them", runID, attempt)
	}
	if len(records) == 0 {
		return "", errors.New("push: no records")
	}
	first := records[0].Started
	for _, r := range records {
		if r.Server.Name != raw.Direct && (r.Server.Commit == nil || *r.Server.Commit != revision) || r.Server.Side != "" {
			return "", fmt.Errorf("push: a record of %s %s is not of %s; the history has records of main, as collect writes them", r.Target(), r.Scenario, revision)
		}
		if r.Started.Before(first) {
			first = r.Started
		}
	}
	return path.Join("runs", first.UTC().Format("2006/01"), fmt.Sprintf("%s-%s-%s.jsonl", revision, runID, attempt)), nil
}

// tries limits how often Publish repeats a failed push. With the waits this takes about two minutes.
const tries = 30

// A wait is random, up to a limit that doubles from try to try.
var firstWait, longestWait = 200 * time.Millisecond, 5 * time.Second

// Publish adds a run to the branch in one commit, and creates the branch if needed. It tries again when
// somebody else moved the branch, and calls say before each retry. An identical run on the branch is fine. A
// run with other bytes is an error, since published runs never change. A branch of another edition is an error too,
// and stays as it is.
//
// An unreadable chart or events file on the branch stays as it is, and so does a directory or submodule
// in its place. Publish then reports it as a Broken after it saved the records, since records cannot be measured again.
func (r Remote) Publish(ctx context.Context, run Run, say func(string)) (tried int, err error) {
	s, err := open(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("push: %w", err)
	}
	defer s.close() // best effort: a temporary directory
	// An earlier try may have pushed although its answer was lost. The next try then has nothing to do.
	var broken *Broken
	for tried = 1; ; tried++ {
		err := s.fetch(ctx)
		if err == nil {
			commit, unread, cannot := s.apply(ctx, run)
			if cannot != nil {
				return tried, fmt.Errorf("push: %w", cannot) // would fail again
			}
			broken = cmp.Or(unread, broken)
			if commit == "" && broken != nil {
				return tried, broken
			}
			if commit == "" {
				return tried, nil
			}
			err = s.push(ctx, commit)
		}
		switch {
		case ctx.Err() != nil:
			return tried, ctx.Err()
		case err == nil && broken != nil:
			return tried, broken
		case err == nil:
			return tried, nil
		case tried == tries:
			return tried, fmt.Errorf("push: %s was not pushed in %d tries; the last: %w", run.Path, tries, err)
		}
		wait := rand.N(min(longestWait, firstWait<<min(tried-1, 10)))
		say(fmt.Sprintf("push: try %d of %d failed, the next is in %.1f s: %v", tried, tries, wait.Seconds(), err))
		if err := cli.Sleep(ctx, wait); err != nil {
			return tried, err
		}
	}
}

// apply commits a run on top of the fetched branch; "" when the branch has the run already.
func (s *store) apply(ctx context.Context, run Run) (commit string, broken *Broken, err error) {
	if err := s.checkEdition(ctx); err != nil {
		return "", nil, err
	}
	files, there := map[string][]byte{}, false
	for path, lines := range map[string][]byte{run.Path: run.TrendRuns, record.LeaderboardPath(run.Path): run.Leaderboard, record.TrialsPath(run.Path): run.Trials} {
		if lines, err = s.unknown(ctx, path, lines); err != nil {
			return "", nil, err
		}
		if len(lines) == 0 {
			continue
		}
		old, err := s.read(ctx, path)
		if err != nil {
			return "", nil, err
		}
		if old != nil && !bytes.Equal(old, lines) {
			return "", nil, fmt.Errorf("%s is on %s already, with other bytes; a run never changes", path, Branch)
		}
		if there = there || old != nil; old == nil {
			files[path] = lines
		}
	}
	if files[record.LeaderboardPath(run.Path)] != nil {
		for workload, drawn := range run.Details {
			files[record.DetailsPathOf(run.Path, workload)] = drawn
		}
	}
	// One broken file is enough for an alert.
	events, broken, err := s.events(ctx, run)
	if err != nil {
		return "", nil, err
	}
	if events != nil {
		files[record.EventsPath(run.Path)] = events
	}
	if there && len(files) == 0 {
		return "", broken, nil
	}
	if len(run.Points) > 0 {
		data, unread, err := s.readOptional(ctx, ChartPath)
		if err != nil {
			return "", nil, err
		}
		broken = cmp.Or(unread, broken)
		if unread == nil {
			if chart, err := ParseChart(data); err != nil {
				broken = &Broken{ChartPath, err}
			} else if files[ChartPath], err = run.chart(chart); err != nil {
				return "", nil, err
			}
		}
	}
	if len(files) == 0 {
		return "", broken, nil
	}
	files[record.EditionPath] = fmt.Appendln(nil, record.Edition)
	commit, err = s.commit(ctx, files, run.Message)
	return commit, broken, err
}

// checkEdition refuses a branch with records of another edition.
func (s *store) checkEdition(ctx context.Context) error {
	runs, err := s.list(ctx, "runs")
	if err != nil || len(runs) == 0 {
		return err
	}
	text, err := s.read(ctx, record.EditionPath)
	return cmp.Or(err, record.CheckEdition(Branch, text))
}

// unknown returns the lines of a run's file that no earlier attempt published. A rerun of failed jobs
// downloads the artifacts of the other jobs again.
func (s *store) unknown(ctx context.Context, own string, lines []byte) ([]byte, error) {
	known := map[string]bool{}
	files, err := s.others(ctx, own)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := s.read(ctx, file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			known[line] = true
		}
	}
	var fresh []byte
	for line := range strings.Lines(string(lines)) {
		if !known[line] {
			fresh = append(fresh, line...)
		}
	}
	return fresh, nil
}

// others lists the files of a run's other attempts in the same directory of the branch.
func (s *store) others(ctx context.Context, own string) (others []string, err error) {
	attempts, _, _ := strings.Cut(path.Base(own), ".")
	attempts = attempts[:strings.LastIndex(attempts, "-")+1] // SHA-RUNID-
	top, _, _ := strings.Cut(own, "/")
	files, err := s.list(ctx, top)
	return slices.DeleteFunc(files, func(file string) bool {
		return file == own || !strings.HasPrefix(path.Base(file), attempts)
	}), err
}

// chart adds points to an old chart.
func (run Run) chart(c Chart) ([]byte, error) {
	for suite, entry := range run.Points {
		c.Merge(suite, entry)
	}
	c.LastUpdate, c.RepoURL = run.Time.UnixMilli(), run.RepoURL
	whole, err := c.Script()
	if err != nil || len(whole) <= maxChart {
		return whole, err
	}
	if err := c.Trim(maxChart); err != nil {
		return nil, err
	}
	script, err := c.Script()
	// Spaces fill the chart up to maxChart. Git compresses a file against files of the same size, and those
	// are then earlier versions of the chart.
	return append(script, bytes.Repeat([]byte(" "), maxChart-len(script))...), err
}
