package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/record"
)

// A server that fails gets no number and a reason, and spoils no other's.
func TestFaultyServersGetNoNumber(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	for _, name := range []string{"exits", "mute", "dies", "tenth-fails", "all-fail", "hangs", "buffers-4k"} {
		p.wrong(name)
	}
	p.wrong("unbuildable")
	p.write("servers/relay/unbuildable/broken.go", "package main\n\nfunc broken() { missing() }\n")
	p.wrong("absent")
	p.write("servers/relay/absent/server.json", `{"workload": "relay", "language": "go", "framework": "none", "build": ["go", "version"], "run": ["bin/nothing"], "versions": {"go": ["go", "version"]}}`)

	p.wrong("escapes")
	p.write("servers/relay/escapes/server.json", `{"workload": "relay", "language": "go", "framework": "none", "build": ["go", "build", "-o", "bin/server", "."],
		"run": ["sh", "-c", "setsid -f bin/server right; sleep 60"], "versions": {"go": ["go", "version"]}}`)

	p.bench("build", "unbuildable", "exits").expect(t, 1, "build: unbuildable: go: exited with status 1", "undefined: missing", "build: exits: done")

	r := p.bench("run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw")
	r.expect(t, 1)
	records, _, planned, err := record.FromRaw(filepath.Join(p.root, "raw"))
	p.must(err)
	if len(records) != planned || planned != 12 {
		t.Fatalf("%d records of %d, want 12 of 12", len(records), planned)
	}
	want := map[string]struct {
		status record.Status
		why    string
	}{
		"go-http":     {record.OK, ""},
		"direct":      {record.OK, ""},
		"tenth-fails": {record.Warning, " x status"},
		"hangs":       {record.Warning, " x timeout"},
		"escapes":     {record.Invalid, "a process outside the process group of sh listens on it"},
		"all-fail":    {record.Invalid, " x status"},
		"dies":        {record.Invalid, "into ranking: exited with status 7; its last lines:\n    out of luck"},
		"exits":       {record.Invalid, "exited with status 4; its last lines:\n    cannot open the configuration"},
		"mute":        {record.Invalid, "not ready after 5s: GET http://127.0.0.1:"},
		"buffers-4k":  {record.Invalid, "verify: C4 lock-step (and 5 more; scripts/bench verify lists them): request 1 on its connection: event 1 "},
		"unbuildable": {record.Invalid, "undefined: missing"},
		"absent":      {record.Invalid, "bin/nothing: no such program"},
	}
	for _, rec := range records {
		w := want[rec.Server.Name]
		// A busy machine may cast a warning of its own on a good server.
		if rec.Status != w.status && !(w.status == record.OK && rec.Status == record.Warning) {
			t.Errorf("%s: status %s, want %s", rec.Server.Name, rec.Status, w.status)
		}
		if !strings.Contains(strings.Join(rec.Why, "\n"), w.why) {
			t.Errorf("%s: why %q, want %q in it", rec.Server.Name, rec.Why, w.why)
		}
		rate, known := rec.Metrics.Get("rate_per_s")
		if known != (w.status != record.Invalid) || known && rate <= 0 {
			t.Errorf("%s: rate %v, known %v, with status %s", rec.Server.Name, rate, known, rec.Status)
		}
		if !strings.Contains(r.stdout, rec.Server.Name) {
			t.Errorf("%s is not in the table", rec.Server.Name)
		}
	}
	t.Log("\n" + r.stdout)
}

// A fault of the harness is reported, even after a fault of a server.
func TestAFaultOfTheHarnessIsReportedFirst(t *testing.T) {
	p := newProject(t)
	p.must(os.Remove(filepath.Join(p.root, "stub")))
	p.copy("../stub", "stub")
	// It dies of a request that only k6 sends: the pace of baseline.
	chat, err := os.ReadFile("../stub/relay/chat.go")
	p.must(err)
	dying := strings.Replace(string(chat), "number := c.Server.Stats.Requests.Add(1)\n", `number := c.Server.Stats.Requests.Add(1)
	if strings.Contains(string(r.Body), "@tokens=20 @itl=50ms") {
		os.Exit(9)
	}
`, 1)
	p.write("stub/relay/chat.go", strings.Replace(dying, "\"time\"", "\"os\"\n\t\"strings\"\n\t\"time\"", 1))
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	p.wrong("exits")
	r := p.bench("run", "-quick", "-scenario", "baseline", "-o", "raw")
	r.expect(t, 3, "run: ranking, round 1 of 3: stub: died")
}

// k6 that does not get a core when it needs one measures itself. Here it is
// stopped half of the time.
func TestAStarvedK6IsWarned(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	cmd := p.command("run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw")
	r := p.beside(cmd, func(ctx context.Context) {
		for ctx.Err() == nil {
			k6 := p.k6()
			for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
				if k6 > 0 {
					syscall.Kill(k6, s) // it may have ended
				}
				sleep(ctx, 100*time.Millisecond)
			}
		}
	})
	r.expect(t, 0)
	records, _, _, err := record.FromRaw(filepath.Join(p.root, "raw"))
	p.must(err)
	for _, rec := range records {
		if why := strings.Join(rec.Why, "\n"); rec.Status != record.Warning || !strings.Contains(why, "k6 or the stub was delayed") {
			t.Errorf("%s: %s %q, want a warning: delayed", rec.Target(), rec.Status, why)
		}
	}
}

// beside runs a command, and something of the test beside it until the command has ended.
func (p testProject) beside(cmd *exec.Cmd, do func(context.Context)) result {
	ctx, over := context.WithCancel(p.Context())
	var doing sync.WaitGroup
	doing.Go(func() { do(ctx) })
	r := p.finish(cmd)
	over()
	doing.Wait()
	return r
}

// k6 is the process id of the project's k6 under load, or 0.
func (p testProject) k6() int { return p.under("k6/bin/k6\x00run\x00") }

// under is the process id of the project's program with these words in its command
// line, or 0.
func (p testProject) under(words string) int {
	for _, pid := range p.processes() {
		cmdline, _ := os.ReadFile("/proc/" + pid + "/cmdline") // it may have ended
		if strings.Contains(string(cmdline), words) {
			n, _ := strconv.Atoi(pid) // digits
			return n
		}
	}
	return 0
}

// All fail or none is there: then direct has nothing to stand beside.
func TestWithoutAServerNothingIsLoaded(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("exits")
	r := p.bench("run", "-quick", "-rounds", "1", "-o", "raw")
	r.expect(t, 1)
	records, _, planned, err := record.FromRaw(filepath.Join(p.root, "raw"))
	p.must(err)
	if len(records) != 10 || planned != 10 {
		t.Errorf("%d records of %d, want 10 of 10", len(records), planned)
	}
	for _, rec := range records {
		if rec.Status != record.Invalid {
			t.Errorf("%s %s: %s", rec.Target(), rec.Scenario, rec.Status)
		}
	}
}
