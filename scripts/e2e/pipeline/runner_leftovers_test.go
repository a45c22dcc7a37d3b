package pipeline

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// soon waits until something holds: what is killed or ends takes a moment to be gone.
func soon(holds func() bool) bool {
	for range 600 {
		if holds() {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// gone waits until a process is no more, or a zombie of ours.
func gone(pid int) bool { return soon(func() bool { return !alive(pid) }) }

func alive(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err == nil && !strings.Contains(string(status), "\nState:\tZ")
}

// sleeper is a process that an earlier job left: without a tracking id, in a
// session of its own. One that may be executed but not read is undumpable,
// which makes root the owner of its directory in /proc.
func (m machine) sleeper(uid uint32, mode os.FileMode) int {
	m.t.Helper()
	file := filepath.Join(m.gate, fmt.Sprintf("sleep-%o", mode))
	if _, err := os.Stat(file); err != nil {
		m.program("/bin/sleep", file, mode)
	}
	return m.as(uid, io.Discard, []string{"RUNNER_TRACKING_ID="}, file, "300").Process.Pid
}

func TestAJobBeginsWithoutTheProcessesOfTheOneBefore(t *testing.T) {
	if !apart(t) {
		return
	}
	m := newMachine(t, "fairstream-main")
	left, hidden, others := m.sleeper(laneUser, 0o755), m.sleeper(laneUser, 0o711), m.sleeper(otherUser, 0o755)
	if info, err := os.Stat(fmt.Sprintf("/proc/%d", hidden)); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Logf("the hidden process is not hidden: %v", err)
	}
	out := m.job(push())
	if !m.exists("step") {
		t.Errorf("the job did not run\n%s", out)
	}
	if !gone(left) || !gone(hidden) {
		t.Errorf("left %d: gone %v; hidden %d: gone %v\n%s", left, gone(left), hidden, gone(hidden), out)
	}
	if !alive(others) {
		t.Errorf("another user's process %d was ended", others)
	}
	if want := fmt.Sprintf("gate: left by an earlier job: process %d, sleep-755", left); !strings.Contains(out, want) {
		t.Errorf("want %q in\n%s", want, out)
	}
}

// survivor is a step that leaves a process which avoids the runner's own
// clean-up, and writes its pid.
const survivor = `setsid sleep 300 </dev/null >/dev/null 2>&1 &
echo $! >left
mkdir -p home/go/pkg/mod/a work/_temp work/repo _diag/pages && touch home/go/pkg/mod/a/b home/.cached work/_temp/command work/repo/file _diag/pages/log && chmod -R a-w home/go/pkg/mod`

// leaves prepares a job that runs survivor, in a lane that empties its directories:
// those of the real list, by their names.
func leaves(t *testing.T) machine {
	m := newMachine(t, "fairstream-pr")
	lane, err := os.ReadFile(filepath.Join(source, "gate", "fairstream-pr.conf"))
	m.must(err)
	list := filepath.Join(m.gate, fmt.Sprint(laneUser, ".conf"))
	content, err := os.ReadFile(list)
	m.must(err)
	for line := range strings.Lines(string(lane)) {
		if directory, ok := strings.CutPrefix(line, "wipe "); ok {
			content = fmt.Appendf(content, "wipe %s/%s", m.dir, filepath.Base(directory))
		}
	}
	m.must(os.WriteFile(list, content, 0o644))
	m.must(os.WriteFile(filepath.Join(m.dir, "step.sh"), []byte(survivor), 0o644))
	return m
}

func (m machine) pid(name string) (pid int) {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.dir, name))
	m.must(err)
	if _, err = fmt.Sscan(string(content), &pid); err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	return pid
}

func TestAfterAJobItsProcessesAndFilesAreGone(t *testing.T) {
	if !apart(t) {
		return
	}
	m := leaves(t)
	others := m.sleeper(otherUser, 0o755)
	out := m.job(push("GITHUB_EVENT_NAME", "workflow_run", "GITHUB_WORKFLOW_REF", pullWorkflow))
	if pid := m.pid("left"); !gone(pid) {
		t.Errorf("process %d lives\n%s", pid, out)
	}
	if !alive(others) {
		t.Error("another user's process was ended")
	}
	if out, err := m.clean(); err != nil {
		t.Errorf("lane-clean: %v\n%s", err, out)
	}
	for name, want := range map[string]bool{"home": true, "home/go": false, "home/.cached": false, "work": true, "work/repo": false, "work/_temp": false, "_diag/pages": false} {
		if m.exists(name) != want {
			t.Errorf("%s: exists %v, want %v\n%s", name, !want, want, out)
		}
	}
}

// lane-clean does what the hooks cannot: the job's code may have replaced the programs that start them, and
// may start processes faster than they end them.
func TestRootRemovesProcessesThatRestart(t *testing.T) {
	if !apart(t) {
		return
	}
	m := leaves(t)
	m.must(os.WriteFile(filepath.Join(m.gate, "job-completed.sh"), []byte("exit 0\n"), 0o755))
	m.must(os.WriteFile(filepath.Join(m.dir, "step.sh"), []byte(survivor+`
mkdir -p work/_actions && echo again >work/_actions/poisoned && ln -s /etc/passwd home/link && echo x >/dev/shm/fairstream-left
cat >again <<'END'
trap '' TERM HUP
while :; do setsid /bin/bash again & sleep 0.05; done
END
(ulimit -u 60; setsid /bin/bash again >/dev/null 2>&1 & echo $! >again.pid)
sleep 0.3`), 0o644))
	t.Cleanup(func() { m.clean() }) // again, should the test end before
	others := m.sleeper(otherUser, 0o755)
	out := m.job(push("GITHUB_EVENT_NAME", "workflow_run", "GITHUB_WORKFLOW_REF", pullWorkflow))
	if !alive(m.pid("again.pid")) || !m.exists("home/link") {
		t.Fatalf("nothing was left to sweep\n%s", out)
	}
	// No lane of a booted machine can write to this directory.
	if out, err := m.clean(); err == nil || !strings.Contains(out, fmt.Sprint("lane-clean: ", laneUser, " left outside of its sandbox: /dev/shm/fairstream-left\n")) {
		t.Errorf("lane-clean: %v, and it does not name what was left elsewhere\n%s", err, out)
	}
	if !soon(func() bool { return processes(t, laneUser) == 0 }) {
		t.Errorf("%d processes of the lane live", processes(t, laneUser))
	}
	if !alive(others) {
		t.Error("another user's process was ended")
	}
	for _, name := range []string{"home/go", "home/link", "work/_actions", "work/_temp", "_diag/pages"} {
		if m.exists(name) {
			t.Errorf("%s is still there", name)
		}
	}
	if _, err := os.Stat("/dev/shm/fairstream-left"); err == nil {
		t.Error("/dev/shm/fairstream-left is still there")
	}
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Fatal(err)
	}
}

// A directory that a job moved and replaced by a link would reach the next job.
func TestCleaningFollowsNoLink(t *testing.T) {
	if !apart(t) {
		return
	}
	m := leaves(t)
	t.Cleanup(func() { m.clean() }) // what survivor leaves
	for _, home := range []string{"mv home kept && ln -s kept home", "mv home kept"} {
		m.must(os.RemoveAll(filepath.Join(m.dir, "kept")))
		m.must(os.RemoveAll(filepath.Join(m.dir, "home")))
		m.must(os.Mkdir(filepath.Join(m.dir, "home"), 0o755))
		m.must(os.Chown(filepath.Join(m.dir, "home"), laneUser, laneUser))
		m.must(os.WriteFile(filepath.Join(m.dir, "step.sh"), []byte(survivor+"\n"+home+"\n"), 0o644))
		m.job(push("GITHUB_EVENT_NAME", "workflow_run", "GITHUB_WORKFLOW_REF", pullWorkflow))
		if out, err := m.clean(); err == nil || !strings.Contains(out, "/home: no directory") {
			t.Errorf("%s: lane-clean: %v, want it to say that home is no directory\n%s", home, err, out)
		}
		if !m.exists("kept/.cached") || m.exists("work/repo") {
			t.Errorf("%s: kept/.cached is there: %v, work/repo: %v", home, m.exists("kept/.cached"), m.exists("work/repo"))
		}
	}
}

func (m machine) clean() (string, error) {
	out, err := exec.Command(filepath.Join(m.gate, "lane-clean"), fmt.Sprint(laneUser), filepath.Join(m.gate, "../found/lane")).CombinedOutput()
	return string(out), err
}

// processes counts those of a user that are not zombies.
func processes(t *testing.T, uid int) (n int) {
	found, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		status, err := os.ReadFile(file)
		if err == nil && strings.Contains(string(status), fmt.Sprintf("\nUid:\t%d\t", uid)) && !strings.Contains(string(status), "\nState:\tZ") {
			n++
		}
	}
	return n
}

// Started as a user that can end nobody else's processes: a broom without this
// check would take the machine with it.
func TestTheBroomIsForLanesOnly(t *testing.T) {
	if !apart(t) {
		return
	}
	m := newMachine(t, "fairstream-pr")
	for _, user := range []string{"root", "0", "daemon", "1", fmt.Sprint(otherUser)} {
		var out bytes.Buffer
		err := m.as(otherUser, &out, []string{"PATH=/usr/bin:/bin"}, filepath.Join(m.gate, "lane-clean"), user, "/dev/null").Wait()
		if err == nil || !strings.Contains(out.String(), "no lane's user") {
			t.Errorf("lane-clean %q: %v, not refused\n%s", user, err, &out)
		}
	}
}
