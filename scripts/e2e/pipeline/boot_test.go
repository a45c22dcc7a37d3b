package pipeline

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A booted machine has a real systemd with both lanes, which the real install put there. Stand-ins replace
// downloads and the runner. Its root is this machine's, and what it writes is thrown away.
type booted struct {
	t     *testing.T // of the part that runs
	whole *testing.T
	dir   string
	pid   string // of its first process, as seen from here
}

// asRoot starts a test again with sudo where this needs no password, and tells whether the test may go on.
func asRoot(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() == 0 {
		return true
	}
	if os.Getenv("CI") == "" {
		t.Skip("NOT TESTED: needs root, to boot a systemd: sudo go test -C scripts ./e2e/pipeline")
	}
	out, err := exec.Command("sudo", "-n", "--preserve-env=FAIRSTREAM_LONG", os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("as root: %v\n%s", err, out)
	}
	return false
}

// boot starts a machine and installs the lanes. A seed NAME=DIRECTORY is a directory of this machine, which is
// /seed/NAME there.
func boot(t *testing.T, seeds ...string) *booted {
	t.Helper()
	for _, program := range []string{"/lib/systemd/systemd", "/usr/lib/polkit-1/polkitd", "dbus-daemon", "/usr/sbin/cron", "nft", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("NOT TESTED: needs a whole systemd machine: %v; scripts/bench setup -tests installs it on Debian", err)
		}
	}
	if out, err := exec.Command("unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--net", "--cgroup", "mount", "-t", "cgroup2", "none", "/mnt").CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: no namespaces to boot a systemd in: %s", out)
	}
	b := &booted{t: t, whole: t, dir: t.TempDir()}
	here := func(path string) string { return filepath.Join(b.dir, path) }
	bash, err := os.ReadFile("/bin/bash")
	b.must(err)
	listener, err := os.ReadFile("testdata/runner/Runner.Listener")
	b.must(err)
	gomod, err := os.ReadFile("../../go.mod")
	b.must(err)
	downloads, err := os.ReadFile("testdata/runner/downloads.sh")
	b.must(err)
	for path, content := range map[string]string{
		"jobs/out/runner/Runner.Worker": string(bash), "jobs/out/runner/Runner.Listener": string(listener),
		"files/fairstream/scripts/go.mod": string(gomod), "files/fairstream/downloads.sh": string(downloads),
		// So that the tests can read what a lane prints, and need not wait long.
		"files/etc/systemd/system/fairstream@.service.d/test.conf":       "[Service]\nStandardOutput=append:/jobs/%i.log\nStandardError=inherit\nRestartSec=0.2\n",
		"files/etc/systemd/system/fairstream-admit@.service.d/test.conf": "[Service]\nEnvironment=WAIT_S=3\n",
	} {
		b.must(os.MkdirAll(filepath.Dir(here(path)), 0o755))
		b.must(os.WriteFile(here(path), []byte(content), 0o755))
	}
	b.must(os.CopyFS(here("files/fairstream/.github/runner"), os.DirFS(source)))
	for _, path := range []string{b.dir, filepath.Dir(b.dir)} {
		b.must(os.Chmod(path, 0o755))
	}

	var console bytes.Buffer
	cmd := exec.Command("unshare", "--mount", "bash", "testdata/runner/boot.sh", b.dir)
	cmd.Env = append(os.Environ(), "SEEDS="+strings.Join(seeds, " "))
	cmd.Stdout, cmd.Stderr = &console, &console
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	b.must(cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("console of systemd:\n%s\nlane main:\n%s\nlane pr:\n%s", &console, b.log("main"), b.log("pr"))
		}
		// The control groups stay when their processes have ended.
		script := `mount -t cgroup2 none "$1" && for wait in $(seq 50); do find "$1/fairstream-test-$2" -depth -type d -exec rmdir {} + 2>/dev/null && exit; sleep 0.1; done; exit 1`
		if out, err := exec.Command("unshare", "--mount", "sh", "-c", script, "sh", here("cgroup"), fmt.Sprint(cmd.Process.Pid)).CombinedOutput(); err != nil {
			t.Logf("control groups stay: %v\n%s", err, out)
		}
	})
	if !soon(func() bool {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", cmd.Process.Pid))
		if b.pid = strings.TrimSpace(string(children)); err != nil || b.pid == "" {
			return false
		}
		name, _ := os.ReadFile("/proc/" + b.pid + "/comm")                                                                                   // it may not be systemd yet
		out, _ := b.try("systemctl", "is-active", "test.target", "dbus.service", "systemd-logind.service", "polkit.service", "cron.service") // it fails until all are active
		return string(name) == "systemd\n" && out == strings.Repeat("active\n", 5)
	}) {
		out, err := b.try("systemctl", "--no-pager", "status", "test.target", "dbus.service", "systemd-logind.service", "polkit.service", "cron.service")
		t.Fatalf("systemd does not start: %v\n%s", err, out)
	}
	b.install()
	return b
}

func (b *booted) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// try runs a program as root in the machine, but in no unit of it.
func (b *booted) try(args ...string) (string, error) {
	cmd := exec.Command("nsenter", append([]string{"-a", "-t", b.pid, "--"}, args...)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (b *booted) run(args ...string) string {
	b.t.Helper()
	out, err := b.try(args...)
	if err != nil {
		b.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out
}

func (b *booted) holds(args ...string) bool {
	_, err := b.try(args...)
	return err == nil
}

// as runs a program as the user of a lane, but outside of its unit: like a job that found a way out.
func (b *booted) as(lane string, args ...string) (string, error) {
	user := "fairstream-" + lane
	return b.try(append([]string{"setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--"}, args...)...)
}

const installs = `. /fairstream/downloads.sh && downloads /fairstream/.github/runner/install /jobs/out && echo secret | /fairstream/.github/runner/install acme/bench`

func (b *booted) install() {
	b.t.Helper()
	b.run("bash", "-c", installs)
	for _, lane := range []string{"main", "pr"} {
		b.waitFor(lane, 0, "listener: idle\n")
	}
}

func (b *booted) log(lane string) string {
	content, err := os.ReadFile(filepath.Join(b.dir, "jobs", lane+".log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(content)
}

// waitFor waits until a lane has printed a text after some point of its log, and returns what it printed after it.
func (b *booted) waitFor(lane string, from int, text string) string {
	b.t.Helper()
	if !soon(func() bool { return strings.Contains(b.log(lane)[from:], text) }) {
		status, _ := b.try("systemctl", "--no-pager", "status", "fairstream@"+lane+".service") // it fails for a unit that is not active
		b.t.Fatalf("lane %s: no %q in\n%s\n%s", lane, text, b.log(lane)[from:], status)
	}
	return b.log(lane)[from:]
}

// start gives a lane a job, and returns when the runner has it. The runner never sees a job that is not yet written whole.
func (b *booted) start(lane, steps string) (from int) {
	b.t.Helper()
	job := filepath.Join(b.dir, "jobs", "fairstream-"+lane)
	from = len(b.log(lane))
	b.must(os.WriteFile(job+".new", []byte(steps), 0o644))
	b.must(os.Rename(job+".new", job))
	b.waitFor(lane, from, "listener: took\n")
	b.must(os.Remove(job))
	return from
}

// job runs a whole job, and returns what the lane printed until its runner was idle again.
func (b *booted) job(lane, steps string) string {
	b.t.Helper()
	from := b.start(lane, steps)
	over := strings.Index(b.waitFor(lane, from, "listener: over"), "listener: over")
	b.waitFor(lane, from+over, "listener: idle\n")
	return b.log(lane)[from:]
}

// processes lists those of a lane's user, with their control groups.
func (b *booted) processes(lane string) string {
	out, _ := b.try("ps", "-ww", "-o", "pid=,stat=,cgroup=,args=", "-u", "fairstream-"+lane) // status 1: there is none
	return out
}

func (b *booted) show(unit, property string) string {
	b.t.Helper()
	return strings.TrimSpace(b.run("systemctl", "show", "-P", property, unit))
}

// within fails when something does not hold soon.
func (b *booted) within(limit time.Duration, what string, holds func() bool) {
	b.t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Errorf("%s: not after %s", what, limit)
			return
		}
	}
}
