package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A workflowRun is what a workflow did.
type workflowRun struct {
	t       *testing.T
	ok      bool
	steps   []ranStep
	summary map[string]string // of each job
	log     string
}

type ranStep struct {
	job, step, result string
}

// jobs are the names of the jobs that ran, in order of name: some run at the same
// time. act skips a job without a word; so tests compare the whole list.
func (r workflowRun) jobs() (names []string) {
	for _, s := range r.steps {
		if s.job != watchdogOfLoad { // beside each load that is not inlined
			names = append(names, s.job)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// failed are the steps that failed, as JOB: STEP. The result of a job would not
// do: act calls all jobs failed after the first that did.
func (r workflowRun) failed() (names []string) {
	for _, s := range r.steps {
		if s.result == "failure" {
			names = append(names, s.job+": "+s.step)
		}
	}
	return names
}

// want fails the test unless these jobs ran, and these steps failed, in any order:
// some jobs run at the same time.
func (r workflowRun) want(jobs []string, failed ...string) {
	r.t.Helper()
	if got := r.jobs(); !slices.Equal(got, slices.Sorted(slices.Values(jobs))) {
		r.t.Errorf("jobs that ran: %q, want %q", got, jobs)
	}
	if got := slices.Sorted(slices.Values(r.failed())); !slices.Equal(got, slices.Sorted(slices.Values(failed))) {
		r.t.Errorf("steps that failed: %q, want %q", got, failed)
	}
	if r.ok != (len(failed) == 0) {
		r.t.Errorf("the run's success is %t", r.ok)
	}
	if r.t.Failed() {
		r.t.Log(r.log)
		r.t.FailNow()
	}
}

// env is the environment of every process of a hub: nothing of ours but where
// programs are. The proxy is a hole, so that nothing can leave the machine.
func (h *hub) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + h.path("home"), "TMPDIR=" + h.path("tmp"),
		"XDG_CACHE_HOME=" + h.path("cache"), "XDG_CONFIG_HOME=" + h.path("home"),
		"LC_ALL=C", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1",
	}
}

// run starts a workflow with an event, as act does it on this machine.
func (h *hub) run(file, event string, payload map[string]any) workflowRun {
	h.t.Helper()
	h.runs++
	return h.rerun(file, event, payload, 1)
}

// rerun runs the latest run again.
func (h *hub) rerun(file, event string, payload map[string]any, attempt int) workflowRun {
	h.t.Helper()
	built, err := bench()
	if err != nil {
		h.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	payload["repository"] = map[string]any{
		"name": path.Base(h.slug), "full_name": h.slug, "private": false, "default_branch": "main",
		"html_url": "https://github.com/" + h.slug, "owner": user{Login: "acme"},
	}
	data, err := json.Marshal(payload)
	if err != nil {
		h.t.Fatal(err)
	}
	h.write(h.dir, "event.json", string(data))
	mark := fmt.Sprintf("PIPELINE_RUN=%s/%d", h.dir, h.runs)
	args := []string{
		event, "--json", "-C", h.path("clone"), "-W", ".github/workflows/" + file + ".yml", "-e", h.path("event.json"),
		"-P", "self-hosted=-self-hosted", "-P", "ubuntu-24.04=-self-hosted",
		"--no-skip-checkout", "--no-cache-server", "--action-offline-mode", "--action-cache-path", h.path("cache"),
		"-s", "GITHUB_TOKEN=ghs_fake",
	}
	for pinned, dir := range h.actions() {
		args = append(args, "--local-repository", pinned+"="+dir)
	}
	env := append(h.env(), mark)
	for _, value := range slices.Concat(h.built, h.remotes(), []string{
		"GITHUB_REPOSITORY=" + h.slug, "GITHUB_API_URL=" + h.api.URL, "GITHUB_GRAPHQL_URL=" + h.api.URL + "/graphql",
		fmt.Sprintf("GITHUB_RUN_ID=%d", 100+h.runs), fmt.Sprintf("GITHUB_RUN_NUMBER=%d", h.runs), fmt.Sprintf("GITHUB_RUN_ATTEMPT=%d", attempt),
		"BENCH=" + built, "STAND_IN=" + self, "PIPELINE_ARTIFACTS=" + h.path("artifacts"),
	}) {
		args = append(args, "--env", value)
	}
	cmd := exec.Command(tool(h.t, "act"), args...)
	cmd.Env = env
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err = cmd.Run()
	result := parseLog(log.String())
	result.t, result.ok = h.t, err == nil
	h.noProcessLeft(mark)
	if now := actsOwn(); now != actsOwnBefore {
		h.t.Errorf("act wrote outside of the test's directory: %s, was %s", now, actsOwnBefore)
	}
	return result
}

// remotes make whatever asks github.com for a repository get the local one, with and without a token.
func (h *hub) remotes() []string {
	all := map[string]string{h.slug: h.path("remote.git")}
	if h.fairstream != "" {
		all[slug] = h.path("fairstream")
	}
	env := []string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, token := range []string{"", "x-access-token:ghs_fake@"} {
			n := len(env) / 2
			env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=url.file://%s.insteadOf", n, all[name]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=https://%sgithub.com/%s", n, token, name))
		}
	}
	return append(env, fmt.Sprint("GIT_CONFIG_COUNT=", len(env)/2))
}

// actsOwn lists act's files in the user's home directory, which must stay as they are.
func actsOwn() (state string) {
	home, _ := os.UserHomeDir() // then nothing is ours there
	for _, name := range []string{".actrc", ".cache/act", ".cache/actcache", ".config/act", ".local/share/act"} {
		if info, err := os.Stat(filepath.Join(home, name)); err == nil {
			state += fmt.Sprint(name, " ", info.ModTime(), "; ")
		}
	}
	return state
}

var actsOwnBefore = actsOwn()

// parseLog reads act's log: one JSON object a line.
func parseLog(log string) workflowRun {
	r := workflowRun{summary: map[string]string{}}
	var text strings.Builder
	for line := range strings.Lines(log) {
		var l struct {
			Job, Step, Msg, Stage string
			Result                string   `json:"stepResult"`
			ID                    []string `json:"stepID"` // longer within a composite action
			Command, Content      string
		}
		if json.Unmarshal([]byte(line), &l) != nil {
			text.WriteString(line)
			continue
		}
		if strings.HasPrefix(l.Msg, "LocalRepositoryCache ") {
			continue
		}
		job := jobOf(l.Job)
		fmt.Fprintf(&text, "%s | %s | %s\n", job, l.Step, strings.TrimRight(l.Msg, "\n"))
		if l.Command == "summary" {
			r.summary[job] += l.Content
		}
		if l.Result != "" && l.Stage == "Main" && len(l.ID) == 1 {
			r.steps = append(r.steps, ranStep{job, l.Step, l.Result})
		}
	}
	r.log = text.String()
	return r
}

// jobOf is a job's name without what act adds: the calling workflow's before
// it, the number of the matrix' combination and spaces behind it.
func jobOf(name string) string {
	return regexp.MustCompile(`^(?:.*/)?(.*?)(?:-\d+)? *$`).ReplaceAllString(name, "$1")
}

// noProcessLeft looks for processes with the run's mark in their environment.
// act cleans up nothing, where GitHub would kill what a job leaves behind.
func (h *hub) noProcessLeft(mark string) {
	h.t.Helper()
	var found []string
	left := func() bool {
		found = nil
		paths, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range paths {
			environ, err := os.ReadFile(path)
			if err == nil && bytes.Contains(environ, []byte(mark+"\x00")) {
				name, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")) // it may have ended
				found = append(found, filepath.Base(filepath.Dir(path))+" "+strings.ReplaceAll(string(name), "\x00", " "))
			}
		}
		return len(found) > 0
	}
	if !soon(func() bool { return !left() }) {
		h.t.Errorf("processes left behind: %q", found)
	}
}
