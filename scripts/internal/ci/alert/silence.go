package alert

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
)

// SilenceKey is that of the issue about a pipeline that says nothing. No server
// can be called so.
const SilenceKey = "pipeline.silence"

const (
	// mostAge of the newest run: the schedule is weekly, and a day late is none.
	mostAge = 8 * 24 * time.Hour
	// mostWait for the machine. GitHub ends a job that has waited for a runner for
	// 24 hours, so what is looked at twice a day is seen once between 12 and 24.
	mostWait = 12 * time.Hour
)

// machineLabel begins the labels of jobs for the machine.
const machineLabel = "fairstream-"

// Silence says what has stopped, a line each: when the newest run was published,
// zero for never, and which jobs wait for a runner. A pipeline that never
// published anything is not silent: it has not started.
func Silence(published time.Time, waiting []github.Job, now time.Time) (lines []string) {
	if age := now.Sub(published); !published.IsZero() && age > mostAge {
		lines = append(lines, fmt.Sprintf("nothing has been published since %s UTC, %.0f days ago; want a run at least every %.0f days, since the schedule of the workflow benchmark is weekly",
			published.UTC().Format("2006-01-02 15:04"), age.Hours()/24, mostAge.Hours()/24))
	}
	for _, job := range waiting {
		wait := now.Sub(job.Created)
		if wait > mostWait && slices.ContainsFunc(job.Labels, func(l string) bool { return strings.HasPrefix(l, machineLabel) }) {
			lines = append(lines, fmt.Sprintf("the job `%s` (%s) has waited for the machine for %.0f hours; want at most %.0f; GitHub ends it after 24",
				artifact.Harmless(job.Name), job.URL, wait.Hours(), mostWait.Hours()))
		}
	}
	return lines
}

// Silent is the issue about it.
func Silent(lines []string, run github.Run) Issue {
	body := "The pipeline has stopped, as far as can be seen from GitHub:\n\n"
	for _, line := range lines {
		body += "- " + line + "\n"
	}
	body += fmt.Sprintf("\nSeen by [this run](%s) of the workflow watch. Next: look at the machine's runner, which `.github/runner/README.md` explains, and at the runs of benchmark.\n", run.URL())
	return Issue{Key: SilenceKey, About: "silence", Title: "The pipeline is silent", Body: body}
}
