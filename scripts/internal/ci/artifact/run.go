package artifact

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
)

// A Run is the workflow run that uploaded the artifacts. The job that reads them knows it from GitHub and from
// its own checkout. A zero value is unknown, and limits nothing.
type Run struct {
	ID      string // GITHUB_RUN_ID
	Attempt int    // GITHUB_RUN_ATTEMPT, which is the newest
	Commit  string // full hash of the checkout, which is main's in each job of the run
	// Made is when that commit was made, and Now the present. Records were started in between.
	Made, Now time.Time
}

// slack is how much the machine's clock, or that of the commit's author, may be wrong.
const slack = time.Hour

// checkAttempt refuses an artifact of an attempt that has not been. The last attempt counts, so a job could
// else replace the records of each later attempt.
func (run Run) checkAttempt(attempt int) error {
	if run.Attempt > 0 && attempt > run.Attempt {
		return fmt.Errorf("its name has attempt %d; the run has had %d", attempt, run.Attempt)
	}
	return nil
}

// check refuses records that another run made. attempt is that of the artifact, 0 if it is not known. All
// records of an artifact have the same Run.
func (run Run) check(records []record.Record, attempt int, confirms bool) error {
	r := records[0].Run
	if run.ID != "" && !run.made(r.ID, attempt, confirms) {
		return fmt.Errorf("run.id is %q; want that of run %s", bounded(r.ID), run.ID)
	}
	if run.Commit != "" {
		if r.Commit == nil || *r.Commit != run.Commit {
			return fmt.Errorf("run.commit is not %s, which the workflow checked out", run.Commit)
		}
		if r.Dirty == nil || *r.Dirty {
			return fmt.Errorf("run.dirty is not false; want the unchanged checkout of %s", run.Commit)
		}
	}
	for _, r := range records {
		if err := run.checkStarted(r.Started); err != nil {
			return fmt.Errorf("%s: %w", at(r), err)
		}
	}
	return nil
}

// checkStarted refuses what was started before the run's commit or after the present.
func (run Run) checkStarted(at time.Time) error {
	if !run.Made.IsZero() && at.Before(run.Made.Add(-slack)) || !run.Now.IsZero() && at.After(run.Now.Add(slack)) {
		return fmt.Errorf("started at %s; the run was between %s and %s", at.UTC().Format(time.RFC3339), run.Made.UTC().Format(time.RFC3339), run.Now.UTC().Format(time.RFC3339))
	}
	return nil
}

// made reports whether a run's name is RUN-ATTEMPT, as the workflow names the directory of raw files.
func (run Run) made(name string, attempt int, confirms bool) bool {
	if confirms {
		var ok bool
		if name, ok = strings.CutSuffix(name, "-confirm"); !ok {
			return false
		}
	}
	text, ok := strings.CutPrefix(name, run.ID+"-")
	n, err := strconv.Atoi(text)
	return ok && err == nil && strconv.Itoa(n) == text && n >= 1 && (attempt == 0 || n == attempt) && run.checkAttempt(n) == nil
}
