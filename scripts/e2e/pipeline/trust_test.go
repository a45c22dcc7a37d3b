package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The rules about who may do what: permissions, tokens, the machine.

func noTopGrants(all []workflow) (broken []string) {
	for _, w := range all {
		if !w.isAction() && (w.Permissions == nil || len(*w.Permissions) > 0) {
			broken = append(broken, w.name+": want permissions: {}; without it every job gets the repository's default")
		}
	}
	return broken
}

// mayWrite names the jobs that may write, and what. None of them runs the code
// of a pull request. A call of load.yml hands the right to cancel to its watchdog alone.
var mayWrite = map[string]string{
	"benchmark load":        "actions",
	"benchmark leaderboard": "actions",
	"benchmark comparison":  "actions",
	"benchmark trials":      "actions",
	"pull-request load":     "actions",
	"load watchdog":         "actions",
	"benchmark publish":     "contents",
	"benchmark pages":       "id-token pages",
	"benchmark alert":       "issues",
	"pages deploy":          "id-token pages",
	"pull-request announce": "pull-requests statuses",
	"pull-request answer":   "pull-requests statuses",
	"watch watch":           "issues",
	"compare servers":       "statuses",
	"compare refused":       "pull-requests",
	"compare report":        "pull-requests statuses",
	"publish publish":       "contents",
	"publish deploy":        "id-token pages",
}

func grants(all []workflow) []string {
	return eachJob(all, func(w workflow, name string, j job) string {
		if w.isAction() {
			return ""
		}
		if j.Permissions == nil {
			return "no permissions; say what the job needs, or {}"
		}
		var writes []string
		for _, scope := range slices.Sorted(maps.Keys(*j.Permissions)) {
			if (*j.Permissions)[scope] != "read" {
				writes = append(writes, scope)
			}
		}
		if got, want := strings.Join(writes, " "), mayWrite[w.name+" "+name]; got != want {
			return fmt.Sprintf("may write %q, want %q", got, want)
		}
		return ""
	})
}

// runsForeignCode reports whether a job runs code of a pull request: ci, since pull_request starts it, and
// load.yml on the machine, whose revisions come from a plan.
func runsForeignCode(w workflow, j job) bool {
	_, pull := w.On["pull_request"]
	measures := slices.ContainsFunc(j.Steps, func(s step) bool {
		return strings.HasSuffix(s.Uses, "/.github/actions/compare") || strings.Contains(s.Run, "bench compare ") || strings.Contains(s.Run, `"$BENCH" compare `)
	})
	return pull || measures || w.name == "load" && j.RunsOn.Value != hosted || callsLoad(j)
}

// hosted is the label of GitHub's machines.
const hosted = "ubuntu-24.04"

// watchdogOfLoad is the one job of load.yml that is not on the machine.
const watchdogOfLoad = "watchdog"

// The only credential is the job's own token, which may only read. A job with foreign code does not hand even
// that to a step.
func noSecrets(all []workflow) []string {
	broken := eachJob(all, func(w workflow, _ string, j job) string {
		if !j.Secrets.IsZero() {
			return "secrets are handed on"
		}
		if !runsForeignCode(w, j) {
			return ""
		}
		for _, s := range append(j.Steps, step{Env: j.Env, With: j.With}, step{Env: w.Env}) {
			for _, value := range slices.Concat(slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.With))) {
				if strings.Contains(value, "github.token") || strings.Contains(value, "toJSON(github)") {
					return "a token beside a pull request's code"
				}
			}
		}
		return ""
	})
	for _, w := range all {
		if strings.Contains(w.text, "secrets.") || strings.Contains(w.text, "secrets[") {
			broken = append(broken, w.name+": names a secret; there is none")
		}
	}
	return broken
}

// A lost runner holds the machine's group, so each load has a watchdog that waits for nothing.
func watched(all []workflow) (broken []string) {
	for _, w := range all {
		if w.name != "load" {
			continue
		}
		dog, ok := w.Jobs[watchdogOfLoad]
		switch {
		case !ok:
			broken = append(broken, "load: no job "+watchdogOfLoad)
		case len(dog.Needs) > 0 || dog.If != "":
			broken = append(broken, "load: the watchdog waits, or is skipped")
		case !slices.ContainsFunc(dog.Steps, func(s step) bool {
			return s.Run == `exec scripts/bench ci watchdog "$JOBS"` && s.Env["JOBS"] == "${{ inputs.jobs }}"
		}):
			broken = append(broken, "load: the watchdog does not watch the jobs that are loaded")
		}
	}
	return broken
}

func callsLoad(j job) bool { return strings.HasSuffix(j.Uses, "/load.yml") }

// lanes says which workflow may load on the machine, and as which user.
var lanes = map[string]string{"benchmark": "main", "pull-request": "pr"}

// The machine is reached through load.yml alone, and that by two workflows
// whose files are always main's. Any other runner is GitHub's, by a fixed name.
func whoLoads(all []workflow) []string {
	return eachJob(all, func(w workflow, name string, j job) string {
		switch {
		case j.Uses != "" && j.Uses != "./.github/workflows/load.yml" && j.Uses != "./.github/workflows/pages.yml":
			return fmt.Sprintf("calls %s; want a workflow of this commit", j.Uses)
		case callsLoad(j) && lanes[w.name] == "":
			return "calls load.yml; only benchmark and pull-request may"
		case callsLoad(j) && j.With["lane"] != lanes[w.name]:
			return fmt.Sprintf("lane %q, want %q", j.With["lane"], lanes[w.name])
		case j.Uses != "" || w.isAction():
			return ""
		}
		labels := []string{j.RunsOn.Value}
		if j.RunsOn.Value == "" {
			labels = nil
			if err := j.RunsOn.Decode(&labels); err != nil {
				return "runs-on: " + err.Error()
			}
		}
		want := []string{hosted}
		if w.name == "load" && name != watchdogOfLoad {
			want = []string{"self-hosted", "fairstream-${{ inputs.lane }}"}
		}
		switch w.name + " " + name { // they measure on machines of the caller
		case "compare measure":
			want = []string{"${{ inputs.runner }}"}
		case "equal measure":
			want = []string{"${{ matrix.runner }}"}
		}
		if !slices.Equal(labels, want) {
			return fmt.Sprintf("runs on %q, want %q", labels, want)
		}
		return ""
	})
}

// A queue of one lets a newer run replace the one that waits; "max" keeps all,
// and a misspelt value is found by no linter. Everything that loads shares one
// group, and everything that writes history another.
func groups(all []workflow) []string {
	broken := eachJob(all, func(w workflow, name string, j job) string {
		if why := j.Concurrency.broken(); why != "" {
			return why
		}
		want := ""
		switch {
		case callsLoad(j):
			want = "fairstream-machine"
		case name == "publish":
			want = "fairstream-history"
		}
		c := j.Concurrency
		if want != "" && (c == nil || c.Group != want || c.Queue != "max" || c.Cancel != "false") {
			return fmt.Sprintf("want concurrency with group %s, queue max, cancel-in-progress false", want)
		}
		return ""
	})
	for _, w := range all {
		if why := w.Concurrency.broken(); why != "" {
			broken = append(broken, w.name+": "+why)
		}
		if c := w.Concurrency; lanes[w.name] != "" && c != nil && c.Cancel != "false" {
			broken = append(broken, w.name+": concurrency: cancel-in-progress; a load that has started is finished")
		}
	}
	return broken
}

func (c *concurrency) broken() string {
	switch {
	case c == nil:
		return ""
	case c.Queue != "" && c.Queue != "single" && c.Queue != "max":
		return fmt.Sprintf("concurrency: queue %q, want single or max", c.Queue)
	case c.Queue == "max" && c.Cancel != "false":
		return "concurrency: queue max and cancel-in-progress exclude each other"
	}
	return ""
}
