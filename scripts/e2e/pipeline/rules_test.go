package pipeline

import (
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/branch"
)

// A rule is something that neither linter knows. It says what breaks it.
type rule struct {
	name  string
	check func(all []workflow) []string
}

var rules = []rule{
	{"triggers", triggers},
	{"followed workflows exist", followed},
	{"nothing is granted to a whole workflow", noTopGrants},
	{"grants", grants},
	{"no secret, and no token beside foreign code", noSecrets},
	{"pins", pins},
	{"checkouts", checkouts},
	{"timeouts", timeouts},
	{"the machine", whoLoads},
	{"concurrency", groups},
	{"a lost runner", watched},
	{"caches", caches},
	{"one command a step", oneCommand},
	{"commands that exist", knownCommands},
	{"branches in full", branches},
	{"inputs", inputs},
	{"zips stay zips", zips},
	{"inputs that actions have", knownInputs},
	{"chart suites", suites},
	{"what was loaded is waited for", waits},
}

func TestRules(t *testing.T) {
	all, err := parse(ours(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		for _, broken := range r.check(all) {
			t.Errorf("%s: %s", r.name, broken)
		}
	}
}

// eachJob and eachStep collect what check says of jobs and steps, each behind its place.
func eachJob(all []workflow, check func(w workflow, name string, j job) string) (broken []string) {
	for _, w := range all {
		for _, name := range slices.Sorted(maps.Keys(w.Jobs)) {
			if why := check(w, name, w.Jobs[name]); why != "" {
				broken = append(broken, w.name+": "+name+": "+why)
			}
		}
	}
	return broken
}

func eachStep(all []workflow, check func(w workflow, s step) string) (broken []string) {
	return eachJob(all, func(w workflow, _ string, j job) string {
		var whys []string
		for i, s := range j.Steps {
			if why := check(w, s); why != "" {
				whys = append(whys, fmt.Sprintf("step %d: %s", i+1, why))
			}
		}
		return strings.Join(whys, "; ")
	})
}

// What starts each workflow. pull_request runs the pull request's own file, so
// it is for ci alone; pull_request_target is for none. issue_comment runs main's file.
var startedBy = map[string]string{
	"ci":           "pull_request push",
	"benchmark":    "push schedule workflow_dispatch",
	"pull-request": "issue_comment workflow_dispatch workflow_run",
	"load":         "workflow_call",
	"compare":      "workflow_call",
	"publish":      "workflow_call",
	"equal":        "workflow_call",
	"pages":        "push workflow_call workflow_dispatch",
	"watch":        "schedule workflow_dispatch",
}

func triggers(all []workflow) (broken []string) {
	for _, w := range all {
		if w.isAction() {
			continue
		}
		if got := strings.Join(slices.Sorted(maps.Keys(w.On)), " "); got != startedBy[w.name] {
			broken = append(broken, fmt.Sprintf("%s: started by %q, want %q", w.name, got, startedBy[w.name]))
		}
		if push, ok := w.On["push"]; ok {
			var filter struct{ Branches []string }
			if err := push.Decode(&filter); err != nil || !slices.Equal(filter.Branches, []string{"main"}) {
				broken = append(broken, fmt.Sprintf("%s: push: branches %q, want main alone", w.name, filter.Branches))
			}
		}
	}
	return broken
}

// A workflow_run of a name that no workflow has is never started, and nothing says so.
func followed(all []workflow) (broken []string) {
	var names []string
	for _, w := range all {
		names = append(names, w.Name)
	}
	for _, w := range all {
		node, ok := w.On["workflow_run"]
		if !ok {
			continue
		}
		var run struct{ Workflows []string }
		if err := node.Decode(&run); err != nil {
			broken = append(broken, fmt.Sprintf("%s: workflow_run: %v", w.name, err))
		}
		for _, name := range run.Workflows {
			if !slices.Contains(names, name) {
				broken = append(broken, fmt.Sprintf("%s: follows %q; the workflows are %q", w.name, name, names))
			}
		}
	}
	return broken
}

var pinned = regexp.MustCompile(`^[\w-]+/[\w.-]+(?:/[\w.-]+)*@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// A tag can be moved to other code, a commit cannot; the comment is what
// people and the dependency bot read.
func pins(all []workflow) (broken []string) {
	seen := map[string]string{}
	for _, w := range all {
		for line := range strings.Lines(w.text) {
			uses, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(line), "- "), "uses: ")
			if !ok || strings.HasPrefix(uses, "./") {
				continue
			}
			uses = strings.TrimSpace(uses)
			name, version, _ := strings.Cut(uses, "@")
			switch {
			case !pinned.MatchString(uses):
				broken = append(broken, fmt.Sprintf("%s: %s: want OWNER/NAME@40HEX # vN.N.N", w.name, uses))
			case seen[name] != "" && seen[name] != version:
				broken = append(broken, fmt.Sprintf("%s: %s: elsewhere it is %s", w.name, uses, seen[name]))
			}
			seen[name] = version
		}
	}
	return broken
}

// A checkout takes the run's commit. That of the site takes the newest commit of main, since the calling run
// may have an older one. It never takes a commit that an event names, and it leaves no token in .git for
// later steps.
func checkouts(all []workflow) []string {
	return eachStep(all, func(w workflow, s step) string {
		switch ref := s.With["ref"]; {
		case s.action() != "actions/checkout":
			return ""
		case s.With["persist-credentials"] != "false":
			return "checkout keeps the token in .git; want persist-credentials: false"
		case w.name == "pages" && ref != "refs/heads/main":
			return fmt.Sprintf("checkout of %q, which may be older than what is deployed; want ref: refs/heads/main", ref)
		case calledElsewhere(w) && s.With["repository"] != "":
			// The caller's repository is not ours, so this file names its own, at its own commit.
			if s.With["repository"] != "${{ job.workflow_repository || 'unknown/unknown' }}" || ref != "${{ job.workflow_sha }}" || s.With["path"] != "fairstream" {
				return fmt.Sprintf("checkout of %q at %q; want this file's own repository and commit, in fairstream", s.With["repository"], ref)
			}
			return ""
		case w.name == "compare" && ref == "${{ github.event_name == 'issue_comment' && needs.servers.outputs.revision || '' }}": // was checked
			return ""
		case w.name == "publish" && ref == "${{ github.ref }}": // the newest commit of the branch, for the site
			return ""
		case w.name != "pages" && ref != "":
			return fmt.Sprintf("checkout of %q; revisions are for scripts/bench", ref)
		}
		return ""
	})
}

// calledElsewhere reports whether workflows of other repositories call it.
func calledElsewhere(w workflow) bool {
	return w.name == "compare" || w.name == "publish" || w.name == "equal"
}

func timeouts(all []workflow) []string {
	return eachJob(all, func(w workflow, name string, j job) string {
		most := 240
		if name == watchdogOfLoad {
			most = 360 // GitHub's limit; it watches jobs that follow each other
		}
		switch {
		case w.isAction() || j.Uses != "": // the timeouts of a call are in the called workflow
			return ""
		case j.Timeout == nil:
			return "no timeout-minutes; the default is six hours"
		case *j.Timeout < 5 || *j.Timeout > most:
			return fmt.Sprintf("timeout-minutes %d; want 5 to %d", *j.Timeout, most)
		}
		return ""
	})
}

// Anybody can type a step's commands at home. An expression in a script would be pasted before the shell
// reads it, so a title could end the string.
func oneCommand(all []workflow) []string {
	return eachStep(all, func(_ workflow, s step) string {
		switch {
		case strings.Contains(s.Run, "${{"):
			return "an expression inside run; give it in env"
		case strings.ContainsAny(s.Run, "\n|;&`") || strings.Contains(s.Run, "$("):
			return "more than one command; logic belongs to scripts/"
		}
		return ""
	})
}

var (
	benchCommand = regexp.MustCompile(`(?:scripts/bench|"\$BENCH")((?: ci)? [a-z]+)(.*)`)
	benchFlag    = regexp.MustCompile(` (-[a-z-]+)`)
	helps        = map[string]string{} // of commands
)

// The commands and flags of scripts/bench are in its help.
func knownCommands(all []workflow) []string {
	return eachStep(all, func(_ workflow, s step) string {
		call := benchCommand.FindStringSubmatch(s.Run)
		if call == nil {
			return ""
		}
		help, asked := helps[call[1]]
		if !asked {
			out, err := exec.Command(filepath.Join(root, "scripts/bench"), append(strings.Fields(call[1]), "-h")...).CombinedOutput()
			if err != nil {
				return fmt.Sprintf("%v: %s", err, out)
			}
			help, helps[call[1]] = string(out), string(out)
		}
		for _, flag := range benchFlag.FindAllStringSubmatch(call[2], -1) {
			if !regexp.MustCompile(`(?m)^  ` + flag[1] + `\b`).MatchString(help) {
				return fmt.Sprintf("scripts/bench%s has no flag %s", call[1], flag[1])
			}
		}
		return ""
	})
}

// git takes a tag "origin/main" before the branch of that name, and a checkout with all branches has the tags.
func branches(all []workflow) []string {
	return eachStep(all, func(_ workflow, s step) string {
		for word := range strings.FieldsSeq(s.Run) {
			if strings.HasPrefix(word, "origin/") || word == "main" || word == "gh-pages" {
				return word + " may be a tag; want refs/remotes/origin/..."
			}
		}
		return ""
	})
}

// Text from people and strangers reaches scripts in the file at GITHUB_EVENT_PATH, where it is one value and
// no code.
func inputs(all []workflow) []string {
	return eachJob(all, func(w workflow, _ string, j job) string {
		values := slices.Concat(slices.Collect(maps.Values(w.Env)), slices.Collect(maps.Values(j.Env)), slices.Collect(maps.Values(j.With)))
		for _, s := range j.Steps {
			values = slices.Concat(values, slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.With)))
		}
		for _, value := range values {
			// Made by scripts/bench ci plan.
			asked := strings.NewReplacer("fromJSON(inputs.plan)", "", "fromJSON(inputs.jobs)", "", "${{ inputs.jobs }}", "").Replace(value)
			if calledElsewhere(w) || w.name == "action compare" { // the file of the event has the caller's inputs, and scripts/bench or setup-go checks these
				asked = strings.NewReplacer("inputs.servers", "", "inputs.server", "", "inputs.name", "", "inputs.revision", "", "inputs.setup", "", "inputs.base", "", "inputs.rounds", "", "inputs.quick", "", "inputs.go-version", "", "inputs.repository", "", "github.event.repository.name", "", "github.event.workflow_run.id", "").Replace(asked)
			}
			if strings.Contains(asked, "inputs.") || strings.Contains(asked, "github.event.") || strings.Contains(asked, "github.head_ref") {
				return fmt.Sprintf("%s: read it from GITHUB_EVENT_PATH", value)
			}
		}
		return ""
	})
}

// A job that was started by hand may write caches that each later job of main would restore, and so may code
// that it runs. So caches are read only, by the hash of their content. The one that saves is a push to main in
// ci, which runs reviewed code. The caches of setup actions save by themselves.
func caches(all []workflow) []string {
	return eachStep(all, func(w workflow, s step) string {
		switch action := s.action(); {
		case action == "actions/setup-go" && s.With["cache"] != "false":
			return "setup-go saves a cache; want cache: false"
		case action == "actions/setup-node" && s.With["package-manager-cache"] != "false":
			return "setup-node saves a cache; want package-manager-cache: false"
		case action == "actions/cache/restore" && !strings.Contains(s.With["key"], "hashFiles("):
			return "a cache by its name; want a key with hashFiles"
		case action == "actions/cache/restore" && s.With["restore-keys"] != "":
			return "restore-keys take another content; want the key alone"
		case action == "actions/cache/save" && (w.name != "ci" || s.If != "github.event_name == 'push'"):
			return "a cache is saved; only ci may, if: github.event_name == 'push'"
		case strings.Contains(action, "cache") && action != "actions/cache/restore" && action != "actions/cache/save":
			return action + " restores and saves; want actions/cache/restore"
		}
		return ""
	})
}

// download-artifact unpacks what it downloads, and the names in a zip are its
// maker's: one could overwrite our scripts.
func zips(all []workflow) []string {
	return eachStep(all, func(_ workflow, s step) string {
		switch {
		case s.action() != "actions/download-artifact":
			return ""
		case s.With["skip-decompress"] != "true":
			return "the artifact is unpacked; want skip-decompress: true"
		case !strings.HasPrefix(s.With["path"], "${{ runner.temp }}/"):
			return "the artifact lands in the checkout; want a path in runner.temp"
		}
		return ""
	})
}

// The charts' file has one list of points for each suite's name.
func suites(all []workflow) (broken []string) {
	want := map[string]string{"customBiggerIsBetter": branch.Bigger, "customSmallerIsBetter": branch.Smaller}
	got := map[string]string{}
	eachStep(all, func(_ workflow, s step) string {
		if s.action() == "benchmark-action/github-action-benchmark" {
			got[s.With["tool"]] = s.With["name"]
		}
		return ""
	})
	if !maps.Equal(got, want) {
		broken = append(broken, fmt.Sprintf("suites %q, want %q", got, want))
	}
	return broken
}

// A job that collects waits for all jobs that load, even failed ones. A job that it does not wait for would
// be missing from each run. A job that loads after another one runs even when that one failed.
func waits(all []workflow) []string {
	return eachJob(all, func(w workflow, name string, j job) string {
		collects := slices.ContainsFunc(j.Steps, func(s step) bool { return s.action() == "actions/download-artifact" })
		for _, other := range slices.Sorted(maps.Keys(w.Jobs)) {
			switch needs := slices.Contains(j.Needs, other); {
			case other == name || !callsLoad(w.Jobs[other]):
			case collects && !needs:
				return "does not need " + other
			case collects && !strings.Contains(j.If, "always()"):
				return "does not run always()"
			case callsLoad(j) && needs && !strings.Contains(j.If, "!cancelled()"):
				return "is skipped when " + other + " fails; want !cancelled()"
			}
		}
		return ""
	})
}
