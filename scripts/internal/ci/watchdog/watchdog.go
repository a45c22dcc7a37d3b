// Package watchdog ends a workflow run that holds the benchmark machine while no job of it runs there. It reads
// what GitHub says of the jobs, and judges no figures.
package watchdog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/github"
)

// Patience is how long all jobs of a call may wait for a runner. GitHub would let each wait for a day or two,
// since timeout-minutes counts from the start of a job. Between two jobs a runner restarts within a minute.
const Patience = 15 * time.Minute

// Longest is how long a watchdog watches. GitHub ends a job on its machines after six hours.
const Longest = 5*time.Hour + 30*time.Minute

// pause is the time between two looks. A repository's token has 1000 requests an hour.
const pause = time.Minute

// Lost is the error of a run that was ended.
var Lost = errors.New("no runner took a job")

// A Watch watches the jobs of a call.
type Watch struct {
	Names    []string // of the jobs, as the matrix has them
	Jobs     func(context.Context) ([]github.Job, error)
	Cancel   func(context.Context) error
	Patience time.Duration
	Say      func(line string)
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
}

// Do returns when all jobs have ended, or after Longest. It cancels the run and returns Lost when none ran for
// longer than Patience. A look that failed says nothing of the jobs, so it cancels nothing.
func (w Watch) Do(ctx context.Context) error {
	if w.now == nil {
		w.now, w.sleep = time.Now, sleep
	}
	began := w.now()
	idle, ended := began, -1
	for w.now().Sub(began) < Longest {
		jobs, err := w.Jobs(ctx)
		switch running, done := w.count(jobs); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			w.Say(fmt.Sprint("the jobs are not known: ", err))
		case done == len(w.Names):
			return nil
		case running > 0 || done != ended:
			idle, ended = w.now(), done
		case w.now().Sub(idle) > w.Patience:
			return errors.Join(fmt.Errorf("%w for %.0f minutes, so the run is cancelled and the machine is free for others; check the runner: systemctl status 'fairstream@*'", Lost, w.Patience.Minutes()), w.Cancel(ctx))
		}
		if err := w.sleep(ctx, min(pause, w.Patience)); err != nil {
			return err
		}
	}
	w.Say(fmt.Sprintf("%.1f hours are over; the rest of the jobs is not watched", Longest.Hours()))
	return nil
}

// count counts the jobs that run on the machine, and those that have ended. GitHub shows a job of a called
// workflow as "CALLER / NAME".
func (w Watch) count(jobs []github.Job) (running, done int) {
	for _, name := range w.Names {
		i := slices.IndexFunc(jobs, func(j github.Job) bool {
			return j.Name == "load "+name || strings.HasSuffix(j.Name, " / load "+name)
		})
		switch {
		case i < 0: // GitHub may not have made it yet
		case jobs[i].Status == "completed":
			done++
		case jobs[i].Status == "in_progress":
			running++
		}
	}
	return running, done
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
