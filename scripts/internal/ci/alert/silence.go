package alert

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fairstream/scripts/internal/ci/artifact"
	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/plan"
)

// SilenceKey identifies the issue about a silent pipeline. No server can have this name.
const SilenceKey = "pipeline.silence"

const (
	// mostAge of the newest run. The schedule is weekly, and one day late is fine.
	mostAge = 8 * 24 * time.Hour
	// mostWait for the machine. GitHub ends a job that waits 24 hours for a runner. A check runs twice a day,
	// so it sees each such job once.
	mostWait = 12 * time.Hour
)

// Silence lists what has stopped, a line each. published is the time of the newest run, or zero. waiting are
// jobs that wait for a runner. A pipeline that never published has not started, and is not silent.
func Silence(published time.Time, waiting []github.Job, now time.Time) (lines []string) {
	if age := now.Sub(published); !published.IsZero() && age > mostAge {
		lines = append(lines, fmt.Sprintf("no run was published since %s UTC, %.0f days ago; want a run at least every %.0f days, because the workflow benchmark runs weekly",
			published.UTC().Format("2006-01-02 15:04"), age.Hours()/24, mostAge.Hours()/24))
	}
	for _, job := range waiting {
		wait := now.Sub(job.Created)
		if wait > mostWait && slices.ContainsFunc(job.Labels, func(l string) bool { return strings.HasPrefix(l, plan.MachineLabel) }) {
			lines = append(lines, fmt.Sprintf("the job `%s` (%s) has waited for the machine for %.0f hours; want at most %.0f; GitHub ends it after 24",
				artifact.Harmless(job.Name), job.URL, wait.Hours(), mostWait.Hours()))
		}
	}
	return lines
}

// Silent makes the issue about a silent pipeline.
func Silent(lines []string, run github.Run) Issue {
	body := "The pipeline has stopped:\n\n"
	for _, line := range lines {
		body += "- " + line + "\n"
	}
	body += fmt.Sprintf("\nFound by [this run](%s) of the workflow watch. Next: check the machine's runner (see `.github/runner/README.md`) and the runs of the workflow benchmark.\n", run.URL())
	return Issue{Key: SilenceKey, About: "silence", Title: "The pipeline is silent", Body: body}
}
