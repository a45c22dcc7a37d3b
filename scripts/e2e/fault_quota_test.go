package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
)

// A quota that comes in the middle of a load is seen, and is not the server's.
func TestAQuotaThatShrinksUnderLoadIsReported(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	base, name, value := "/sys/fs/cgroup", "cpu.max", "20000 100000"
	if exists(base + "/cpu/cpu.cfs_quota_us") { // version 1
		base, name, value = base+"/cpu", "cpu.cfs_quota_us", "20000"
	}
	group, err := os.MkdirTemp(base, "fairstream-test-")
	if err != nil {
		t.Skip("it takes the right to make a cgroup: ", err)
	}
	defer func() { p.must(os.Remove(group)) }() // it has no processes any more
	if !exists(filepath.Join(group, name)) {
		t.Skip("cgroups have no quota here")
	}
	run := p.command("run", "-quick", "-rounds", "1", "-scenario", "stress", "-o", "raw")
	script := fmt.Sprintf(`echo $$ >'%s/cgroup.procs' && exec "$@"`, group)
	cmd := exec.Command("sh", append([]string{"-c", script, "sh"}, run.Args...)...)
	cmd.Dir, cmd.Env = run.Dir, run.Env

	r := p.beside(cmd, func(ctx context.Context) {
		for p.k6() == 0 {
			if cli.Sleep(ctx, 50*time.Millisecond) != nil {
				return
			}
		}
		if err := os.WriteFile(filepath.Join(group, name), []byte(value), 0o644); err != nil {
			t.Error(err)
		}
	})
	records, _, _, err := record.FromRaw(filepath.Join(p.root, "raw"))
	p.must(err)
	if len(records) == 0 {
		t.Fatalf("no record: exit status %d\n%s", r.status, r.stderr)
	}
	for _, rec := range records {
		if why := strings.Join(rec.Conditions.Disturbed, "\n"); rec.Status != record.Invalid && !strings.Contains(why, "a CPU quota stopped the targets, k6 and the stub for ") {
			t.Errorf("%s %s: %s, disturbed %q", rec.Target(), rec.Scenario, rec.Status, why)
		}
		t.Log(rec.Scenario, rec.Target(), rec.Status, rec.Conditions.Disturbed)
	}
}
