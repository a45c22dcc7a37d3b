package alert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
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

// A Watchdog watches the jobs of a call.
type Watchdog struct {
	Names    []string // of the jobs, as the matrix has them
	Jobs     func(context.Context) ([]github.Job, error)
	Cancel   func(context.Context) error
	Patience time.Duration
	Say      func(line string)
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
}

// Do returns when all jobs have ended, or after Longest. It cancels the run and returns Lost when a job waited
// and none ran for longer than Patience. It cancels nothing that it does not see wait: neither after a look
// that failed, nor when GitHub shows no job of these names.
func (w Watchdog) Do(ctx context.Context) error {
	if w.now == nil {
		w.now, w.sleep = time.Now, cli.Sleep
	}
	began := w.now()
	idle, before := began, seen{}
	for w.now().Sub(began) < Longest {
		jobs, err := w.Jobs(ctx)
		switch now := w.look(jobs); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			w.Say(fmt.Sprint("the jobs are not known: ", err))
		case now.named == len(w.Names):
			return nil
		case now.running > 0 || now != before:
			idle, before = w.now(), now
		case w.now().Sub(idle) <= w.Patience:
		case now.waiting == 0:
			w.Say("GitHub shows no job that waits; nothing is watched any more")
			return nil
		default:
			return errors.Join(fmt.Errorf("%w for %.0f minutes, so the run is cancelled and the machine is free for others; check the runner: systemctl status 'fairstream@*'", Lost, w.Patience.Minutes()), w.Cancel(ctx))
		}
		if err := w.sleep(ctx, min(pause, w.Patience)); err != nil {
			return err
		}
	}
	w.Say(fmt.Sprintf("%.1f hours are over; the rest of the jobs is not watched", Longest.Hours()))
	return nil
}

// seen counts jobs for the machine by their state, and those of w.Names that have ended.
type seen struct{ running, waiting, ended, named int }

// look counts the jobs. GitHub shows a job of a called workflow as "CALLER / NAME". The label tells that a job
// is for the machine.
func (w Watchdog) look(jobs []github.Job) (all seen) {
	for _, j := range jobs {
		named := slices.ContainsFunc(w.Names, func(name string) bool {
			return j.Name == "load "+name || strings.HasSuffix(j.Name, " / load "+name)
		})
		labelled := slices.ContainsFunc(j.Labels, func(l string) bool { return strings.HasPrefix(l, plan.MachineLabel) })
		switch {
		case !named && !labelled:
		case j.Status == "in_progress":
			all.running++
		case j.Status != "completed":
			all.waiting++
		default:
			all.ended++
			if named {
				all.named++
			}
		}
	}
	return all
}
