package github

import (
	"context"
	"fmt"
	"time"
)

// A Job belongs to a workflow run.
type Job struct {
	Name    string    `json:"name"`
	Status  string    `json:"status"` // queued means that it waits for a runner
	Labels  []string  `json:"labels"` // labels that its runner must have
	URL     string    `json:"html_url"`
	Created time.Time `json:"created_at"`
}

// maxRuns limits how many unfinished runs of each status are read, newest first.
const maxRuns = 100

// WaitingJobs lists the jobs of all workflows that wait for a runner. It leaves out jobs that wait for
// another job of their concurrency group.
func (c Client) WaitingJobs(ctx context.Context) (waiting []Job, err error) {
	for _, status := range []string{"queued", "in_progress"} {
		var runs struct {
			Runs []struct {
				ID int64 `json:"id"`
			} `json:"workflow_runs"`
		}
		if err := c.call(ctx, "GET", fmt.Sprintf("/actions/runs?status=%s&per_page=%d", status, maxRuns), nil, &runs); err != nil {
			return nil, err
		}
		for _, run := range runs.Runs {
			var jobs struct {
				Jobs []Job `json:"jobs"`
			}
			if err := c.call(ctx, "GET", fmt.Sprintf("/actions/runs/%d/jobs?filter=latest&per_page=%d", run.ID, perPage), nil, &jobs); err != nil {
				return nil, err
			}
			for _, job := range jobs.Jobs {
				if job.Status == "queued" {
					waiting = append(waiting, job)
				}
			}
		}
	}
	return waiting, nil
}

// RunJobs lists the jobs of a run's attempt.
func (c Client) RunJobs(ctx context.Context, run Run) (all []Job, err error) {
	for page := 1; page <= maxPages; page++ {
		var some struct {
			Jobs []Job `json:"jobs"`
		}
		if err := c.call(ctx, "GET", fmt.Sprintf("/actions/runs/%s/attempts/%d/jobs?per_page=%d&page=%d", run.ID, run.Attempt, perPage, page), nil, &some); err != nil {
			return nil, err
		}
		if all = append(all, some.Jobs...); len(some.Jobs) < perPage {
			break
		}
	}
	return all, nil
}

// CancelRun asks GitHub to end a run. Jobs with always() still run.
func (c Client) CancelRun(ctx context.Context, run Run) error {
	return c.call(ctx, "POST", "/actions/runs/"+run.ID+cancelPath, nil, nil)
}

// cancelPath ends the path of a POST that is safe to repeat.
const cancelPath = "/cancel"
