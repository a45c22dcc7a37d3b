package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Two users whose only processes are those of these tests.
const laneUser, otherUser = 64901, 64902

const source = "../../../.github/runner"

// apart tells whether the test may go on. What it tests ends all processes of a
// user; with a mistake in it, perhaps of any user. So the test is started again
// where there are no processes but its own, and only there it may go on.
func apart(t *testing.T) bool {
	t.Helper()
	if os.Getenv("FAIRSTREAM_APART") != "" {
		if os.Getpid() != 1 {
			t.Fatal("FAIRSTREAM_APART is set, but this is no process namespace of our own")
		}
		// A lane's directories are not in /tmp, where root removes all that is a lane's.
		if err := syscall.Mount("none", "/opt", "tmpfs", 0, ""); err != nil {
			t.Fatal(err)
		}
		return true
	}
	command := []string{"env", "FAIRSTREAM_APART=1", "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", os.Args[0], "-test.run", "^" + t.Name() + "$", "-test.v"}
	if os.Geteuid() != 0 {
		if os.Getenv("CI") == "" {
			t.Skip("NOT TESTED: needs root, for users and a process namespace of its own: sudo go test -C scripts ./e2e/pipeline")
		}
		command = append([]string{"sudo", "-n"}, command...)
	}
	if out, err := exec.Command("unshare", "--pid", "--fork", "--mount-proc", "true").CombinedOutput(); err != nil && os.Geteuid() == 0 {
		t.Skipf("NOT TESTED: no process namespace to be had here: %s", out)
	}
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("apart: %v\n%s", err, out)
	}
	return false
}

// A machine is an installed gate for a lane whose user is laneUser. A listener and a worker, which are bash
// by another name, stand in for the runner.
type machine struct {
	t    *testing.T
	gate string // root's
	dir  string // the lane's
}

func newMachine(t *testing.T, lane string, lines ...string) machine {
	t.Helper()
	root, err := os.MkdirTemp("/opt", "")
	m := machine{t, filepath.Join(root, "gate"), filepath.Join(root, "lane")}
	m.must(err)
	m.must(os.Chmod(root, 0o755))
	m.must(os.CopyFS(m.gate, os.DirFS(filepath.Join(source, "gate"))))
	m.must(os.Mkdir(m.dir, 0o700))
	m.must(os.Chown(m.dir, laneUser, laneUser))
	list, err := os.ReadFile(filepath.Join(m.gate, lane+".conf"))
	m.must(err)
	var kept []string // the directories that the list empties are the real lane's, and root's answer needs a booted machine
	for line := range strings.Lines(string(list)) {
		if key, _, _ := strings.Cut(line, " "); key != "wipe" && key != "ask" && key != "keep" {
			kept = append(kept, line)
		}
	}
	for _, line := range append([]string{"repository acme/bench"}, lines...) {
		kept = append(kept, line+"\n")
	}
	m.must(os.WriteFile(filepath.Join(m.gate, fmt.Sprint(laneUser, ".conf")), []byte(strings.Join(kept, "")), 0o644))
	for _, name := range []string{"Runner.Listener", "Runner.Worker"} {
		m.program("/bin/bash", filepath.Join(m.gate, name), 0o755)
	}
	m.must(os.CopyFS(filepath.Join(m.gate, "testdata"), os.DirFS("testdata/runner")))
	return m
}

func (m machine) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) program(from, to string, mode os.FileMode) {
	m.t.Helper()
	content, err := os.ReadFile(from)
	m.must(err)
	m.must(os.WriteFile(to, content, mode))
	m.must(os.Chmod(to, mode))
}

// as starts a program as a user, in a session of its own and with that
// environment alone; it is killed when the test ends.
func (m machine) as(uid uint32, out io.Writer, env []string, args ...string) *exec.Cmd {
	m.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = m.dir, env, out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	if uid != laneUser {
		cmd.Dir = "/"
	}
	m.must(cmd.Start())
	m.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// job runs one job with the variables that the runner gives its hooks, and returns the output.
func (m machine) job(event map[string]string) string {
	m.t.Helper()
	var out bytes.Buffer
	env := []string{"PATH=/usr/bin:/bin", "HOME=" + m.dir}
	for name, value := range event {
		env = append(env, name+"="+value)
	}
	cmd := m.as(laneUser, &out, env, filepath.Join(m.gate, "Runner.Listener"), filepath.Join(m.gate, "testdata", "listener.sh"), m.gate, m.dir, filepath.Join(m.gate, "testdata"))
	over := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer over.Stop()
	if err := cmd.Wait(); err != nil {
		m.t.Fatalf("the listener did not outlive its worker: %v\n%s", err, &out)
	}
	return out.String()
}

func (m machine) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(m.dir, name))
	return err == nil
}

// push is what a push to main gives, with some variables changed or, if empty, left out.
func push(changed ...string) map[string]string {
	event := map[string]string{
		"GITHUB_REPOSITORY": "acme/bench", "GITHUB_REPOSITORY_ID": "77", "GITHUB_EVENT_NAME": "push", "GITHUB_REF": "refs/heads/main",
		"GITHUB_WORKFLOW_REF": "acme/bench/.github/workflows/benchmark.yml@refs/heads/main", "GITHUB_ACTIONS": "true",
	}
	for i := 0; i < len(changed); i += 2 {
		event[changed[i]] = changed[i+1]
	}
	maps.DeleteFunc(event, func(_, value string) bool { return value == "" })
	return event
}

const pullWorkflow = "acme/bench/.github/workflows/pull-request.yml@refs/heads/main"

func TestTheGateLetsItsLanesJobsPass(t *testing.T) {
	if !apart(t) {
		return
	}
	for _, c := range []struct {
		lane  string
		event map[string]string
	}{
		{"fairstream-main", push()},
		{"fairstream-main", push("GITHUB_EVENT_NAME", "schedule")},
		{"fairstream-main", push("GITHUB_EVENT_NAME", "workflow_dispatch")},
		{"fairstream-pr", push("GITHUB_EVENT_NAME", "workflow_run", "GITHUB_WORKFLOW_REF", pullWorkflow)},
		{"fairstream-pr", push("GITHUB_EVENT_NAME", "workflow_dispatch", "GITHUB_WORKFLOW_REF", pullWorkflow)},
	} {
		m := newMachine(t, c.lane, "repository_id 77")
		out := m.job(c.event)
		if !m.exists("step") || !m.exists("always") || !strings.Contains(out, "worker: 0") {
			t.Errorf("%s: %v: did not run\n%s", c.lane, c.event, out)
		}
	}
}

func TestTheGateKillsTheWorkerOfAnyOtherJob(t *testing.T) {
	if !apart(t) {
		return
	}
	for _, c := range []struct {
		lane string
		want string
		with []string
	}{
		{"fairstream-main", "event: seen pull_request, wanted push or schedule or workflow_dispatch", []string{"GITHUB_EVENT_NAME", "pull_request"}},
		{"fairstream-main", "event: seen pull_request_target", []string{"GITHUB_EVENT_NAME", "pull_request_target"}},
		{"fairstream-main", "event: seen ''", []string{"GITHUB_EVENT_NAME", ""}},
		{"fairstream-main", `event: seen $'pull_request\nevent push'`, []string{"GITHUB_EVENT_NAME", "pull_request\nevent push"}},
		{"fairstream-main", `event: seen \*`, []string{"GITHUB_EVENT_NAME", "*"}},
		{"fairstream-main", "ref: seen refs/heads/mine, wanted refs/heads/main", []string{"GITHUB_REF", "refs/heads/mine"}},
		{"fairstream-main", "ref: seen refs/pull/7/merge", []string{"GITHUB_REF", "refs/pull/7/merge"}},
		{"fairstream-main", "ref: seen refs/tags/refs/heads/main", []string{"GITHUB_REF", "refs/tags/refs/heads/main"}},
		{"fairstream-main", "repository: seen acme/other, wanted acme/bench", []string{"GITHUB_REPOSITORY", "acme/other"}},
		{"fairstream-main", "repository_id: seen 78, wanted 77", []string{"GITHUB_REPOSITORY_ID", "78"}},
		{"fairstream-main", "workflow: seen .github/workflows/evil.yml@refs/heads/main", []string{"GITHUB_WORKFLOW_REF", "acme/bench/.github/workflows/evil.yml@refs/heads/main"}},
		{"fairstream-main", "workflow: seen .github/workflows/benchmark.yml@refs/heads/mine", []string{"GITHUB_WORKFLOW_REF", "acme/bench/.github/workflows/benchmark.yml@refs/heads/mine"}},
		{"fairstream-main", "workflow: seen evil/x/.github/workflows/benchmark.yml@refs/heads/main", []string{"GITHUB_WORKFLOW_REF", "evil/x/.github/workflows/benchmark.yml@refs/heads/main"}},
		{"fairstream-main", "workflow: seen .github/workflows/pull-request.yml@refs/heads/main", []string{"GITHUB_WORKFLOW_REF", pullWorkflow}},
		{"fairstream-pr", "workflow: seen .github/workflows/benchmark.yml@refs/heads/main", []string{"GITHUB_EVENT_NAME", "workflow_dispatch"}},
		{"fairstream-pr", "event: seen push, wanted workflow_run or workflow_dispatch", []string{"GITHUB_WORKFLOW_REF", pullWorkflow}},
	} {
		denied(t, newMachine(t, c.lane, "repository_id 77"), push(c.with...), c.want)
	}
	m := newMachine(t, "fairstream-main")
	m.must(os.Remove(filepath.Join(m.gate, fmt.Sprint(laneUser, ".conf"))))
	denied(t, m, push(), "no list")
	m = newMachine(t, "fairstream-main")
	m.must(os.Remove(filepath.Join(m.gate, "leftovers.sh")))
	denied(t, m, push(), "leftovers.sh")
	denied(t, newMachine(t, "fairstream-main", "ask /nowhere/main"), push(), "curl: ") // root does not answer
}

// denied runs a job that must end before its first step.
func denied(t *testing.T, m machine, event map[string]string, want string) {
	t.Helper()
	out := m.job(event)
	if !strings.Contains(out, want) {
		t.Errorf("%v: want %q in\n%s", event, want, out)
	}
	if m.exists("step") || m.exists("always") || !strings.Contains(out, "worker: 137") {
		t.Errorf("%v: step %v, always() step %v, want a worker that was killed\n%s", event, m.exists("step"), m.exists("always"), out)
	}
}

// What of the environment could reach a shell script: PATH, functions, and
// the file that bash reads first. Here they pretend that nothing is killed.
func TestTheGateTrustsNothingOfTheEnvironment(t *testing.T) {
	if !apart(t) {
		return
	}
	functions := map[string]string{}
	for _, name := range []string{"kill", "exec", "exit", "env", "readlink", "trap", "set", "source", ".", "[", "local", "read", "command", "builtin"} {
		functions["BASH_FUNC_"+name+"%%"] = "() { echo " + name + " was taken over; return 0; }"
	}
	m := newMachine(t, "fairstream-main")
	fake := filepath.Join(m.gate, "fake")
	m.must(os.Mkdir(fake, 0o755))
	for _, name := range []string{"kill", "env", "id", "readlink", "grep", "bash", "sleep", "logger"} {
		m.must(os.WriteFile(filepath.Join(fake, name), []byte("#!/bin/sh\necho "+name+" was taken over\nexit 0\n"), 0o755))
	}
	before := filepath.Join(m.gate, "before")
	m.must(os.WriteFile(before, []byte("kill() { :; }; exec() { :; }; trap() { :; }; alias kill=true; PATH="+fake+"\n"), 0o644))
	for _, with := range []map[string]string{
		functions, {"PATH": fake}, {"BASH_ENV": before}, {"ENV": before},
		{"BASHOPTS": "expand_aliases"}, {"IFS": "_"}, {"LANG": "xx"}, {"lane": "fairstream-pr", "list": "/dev/null"},
	} {
		event := push("GITHUB_EVENT_NAME", "pull_request")
		maps.Copy(event, with)
		out := m.job(event)
		if m.exists("step") || m.exists("always") || !strings.Contains(out, "worker: 137") || strings.Contains(out, "taken over") {
			t.Errorf("%v: not denied\n%s", with, out)
			os.Remove(filepath.Join(m.dir, "step"))   // it need not be there
			os.Remove(filepath.Join(m.dir, "always")) // it need not be there
		}
	}
	// Where a job is allowed, a file that bash reads first is still none of its business.
	denied(t, m, push("BASH_ENV", before), "BASH_ENV, ENV or LD_PRELOAD is set")
}
