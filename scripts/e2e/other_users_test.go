package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Another user of the machine does not learn which port is which target. With that, a program could load
// base alone, and so cause a verdict.
func TestOtherUsersSeeNoTarget(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	for dir := p.temp(); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		p.must(os.Chmod(dir, 0o755)) // only the file itself keeps others out
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	seen := make(chan string, 1)
	go func() {
		pid := p.writer(ctx, 1, "k6.log")
		sleep(ctx, 2*time.Second) // it has read its targets by then
		seen <- p.asOther(fmt.Sprintf("tr '\\0' '\\n' </proc/%[1]d/cmdline; cat /proc/%[1]d/environ tmp/*", pid)) + "\n" + p.ports()
	}()
	r := p.bench("run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw", "right")
	cancel()
	r.expect(t, 0)
	seenText, ports, _ := strings.Cut(<-seen, "\nports:")
	if !strings.Contains(seenText, "/bin/k6\nrun\n") || !strings.Contains(seenText, "environ: Permission denied") || !strings.Contains(seenText, "fairstream-targets-") {
		t.Errorf("another user read %q; want k6's command line, and no access to the rest", seenText)
	}
	if len(strings.Fields(ports)) != 2 {
		t.Errorf("ports %q; want those of the server and the stub", ports)
	}
	for _, secret := range append(strings.Fields(ports), "right", "direct") {
		if strings.Contains(seenText, secret) {
			t.Errorf("another user read %q in\n%s", secret, seenText)
		}
	}
}

// asOther returns what a shell prints in the project, as a user who owns nothing.
func (p testProject) asOther(script string) string {
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir, cmd.Env = p.root, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, _ := cmd.CombinedOutput() // it fails where it may not read, and says so
	return string(out)
}

// ports lists the ports that the project's processes were given.
func (p testProject) ports() string {
	text := "ports:"
	for _, pid := range p.processes() {
		environ, _ := os.ReadFile("/proc/" + pid + "/environ") // it may have ended
		for entry := range strings.SplitSeq(string(environ), "\x00") {
			if port, ok := strings.CutPrefix(entry, "PORT="); ok {
				text += " " + port
			}
		}
	}
	return text
}
