package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// k6 that cannot write its summary ends with 0 all the same. Here it finds no room:
// the raw files are on a file system that is full before k6 ends.
func TestASummaryThatCannotBeWrittenIsTheHarnesssFault(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	dir := filepath.Join(p.root, "raw")
	p.must(os.Mkdir(dir, 0o755))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("it takes the right to mount: ", err)
	}
	defer func() { p.must(syscall.Unmount(dir, syscall.MNT_DETACH)) }()
	args := []string{"run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw"}
	p.bench(args...).expect(t, 3, "run: ranking: k6: its summary cannot be read: ", "is the disk full?")
	if _, err := os.Stat(filepath.Join(raw.Dir(dir, 1, record.Ranking, ""), raw.FactsFile)); err == nil {
		t.Error("the k6 run passes for a whole one")
	}
	// The remains say that they are not finished, and break nothing.
	r := p.bench("record", "raw")
	r.expect(t, 0, "record: 0 of 2 records, because the run did not finish")
	if r.stdout != "" {
		t.Errorf("records: %s", r.stdout)
	}
}

// A pidstat that is killed under load costs its samples. The record says so.
func TestPidstatThatGoesUnderLoadCostsNoK6Run(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	cmd := p.command("run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw")
	r := p.beside(cmd, func(ctx context.Context) {
		for p.under("pidstat\x00-u") == 0 {
			if cli.Sleep(ctx, 50*time.Millisecond) != nil {
				return
			}
		}
		sleep(ctx, 2*time.Second) // it has samples
		if pid := p.under("pidstat\x00-u"); pid > 0 {
			syscall.Kill(pid, syscall.SIGKILL) // of 0 the signal would be for the test itself
		}
	})
	r.expect(t, 0)
	records, _, _, err := record.FromRaw(filepath.Join(p.root, "raw"))
	p.must(err)
	const want = "pidstat: ended by signal 9 (killed) before the load ended"
	for _, rec := range records {
		if why := strings.Join(rec.Conditions.Disturbed, "\n"); rec.Status != record.Warning || !strings.Contains(why, want) {
			t.Errorf("%s: %s, disturbed %q; want %q", rec.Target(), rec.Status, why, want)
		}
	}
	if len(records) != 2 {
		t.Errorf("%d records, want 2", len(records))
	}
}
