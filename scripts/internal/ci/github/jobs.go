package github

import (
	"context"
	"fmt"
	"time"
)

// A Job is one of a workflow's run.
type Job struct {
	Name    string    `json:"name"`
	Status  string    `json:"status"` // queued: it waits for a runner
	Labels  []string  `json:"labels"` // of the runner that it wants
	URL     string    `json:"html_url"`
	Created time.Time `json:"created_at"`
}

// maxRuns that have not ended are looked at, the newest of each status.
const maxRuns = 100

// WaitingJobs lists the jobs of all workflows that wait for a runner. What waits
// for another job of its concurrency group is not among them.
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
