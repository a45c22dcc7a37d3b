package pipeline

import (
	"os"
	"strings"
	"testing"
)

// The input that the message of a missing Go names reaches the step that installs Go, in the job that builds the
// server.
func TestTheInputOfAGoVersionReachesTheBuild(t *testing.T) {
	for name, job := range map[string]string{
		"workflows/compare.yml": "", "workflows/publish.yml": "\n  measure:\n", "actions/compare/action.yml": "\nruns:\n",
	} {
		text, err := os.ReadFile("../../../.github/" + name)
		if err != nil {
			t.Fatal(err)
		}
		inputs, jobs, _ := strings.Cut(string(text), "\njobs:\n")
		if job != "" {
			_, jobs, _ = strings.Cut(string(text), job)
		}
		step := "go-version: ${{ inputs.go-version }} # empty is the one of the file\n"
		if job == "" {
			step = "uses: ./fairstream/.github/actions/compare\n"
			if !strings.Contains(jobs, "go-version: ${{ inputs.go-version }}\n") {
				t.Errorf("%s: the input does not reach the action", name)
			}
		}
		build := strings.Index(jobs, "exec \"$BENCH\"")
		if at := strings.Index(jobs, step); at < 0 || build >= 0 && at > build {
			t.Errorf("%s: no %q before the build", name, step)
		}
		if !strings.Contains(inputs, "go-version:\n") {
			t.Errorf("%s: has no such input", name)
		}
	}
}
