package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/raw"
	"fairstream/scripts/record"
)

// Whenever a signal comes, no process stays and what was finished is kept.
func TestSignalsLeaveNoProcessAndKeepFinishedFiles(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.copy("../servers/go-http", "servers/go-http")
	for i, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		// A run takes about 35 s, 13 of them to verify; longer on a busy machine.
		after := time.Duration(rand.Int64N(int64(30 * time.Second)))
		dir := filepath.Join(p.root, "raw"+after.String())
		cmd := p.command("run", "-quick", "-scenario", "baseline", "-rounds", "3", "-o", dir)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		p.must(cmd.Start())
		if i == 0 { // at least one signal finds finished files, and a load under way
			for deadline := time.Now().Add(2 * time.Minute); len(factsIn(dir)) == 0 && time.Now().Before(deadline); {
				time.Sleep(50 * time.Millisecond)
			}
			after = 3 * time.Second
		}
		time.Sleep(after)
		cmd.Process.Signal(s)
		begun := time.Now()
		cmd.Wait()
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("%v after %v: took %v to end", s, after, took)
		}
		facts := factsIn(dir)
		if s == syscall.SIGKILL { // the kernel then ends the rest, a moment later
			for deadline := time.Now().Add(10 * time.Second); len(p.processes()) > 0 && time.Now().Before(deadline); {
				time.Sleep(20 * time.Millisecond)
			}
			p.must(os.RemoveAll(p.temp())) // nobody was left to remove those of go build
			p.must(os.Mkdir(p.temp(), 0o755))
		} else if got := cmd.ProcessState.ExitCode(); got != 128+int(s) && !(got == 0 && len(facts) == 3) { // 0: it was quicker
			t.Errorf("%v after %v: exit status %d, want %d; stderr:\n%s", s, after, got, 128+int(s), stderr.String())
		}
		p.leftovers()

		if i == 0 && len(facts) == 0 {
			t.Errorf("%v after %v: nothing was kept; stderr:\n%s", s, after, stderr.String())
		}
		if !exists(filepath.Join(dir, raw.RunFile)) {
			continue // it had not begun to load
		}
		records, _, planned, err := record.FromRaw(dir)
		if err != nil || len(records) != 2*len(facts) || planned != 6 { // with direct's
			t.Errorf("%v after %v: %d records of %d from %d facts: %v", s, after, len(records), planned, len(facts), err)
		}
		if len(facts) > 0 && s != syscall.SIGKILL {
			f, err := os.Open(filepath.Join(dir, recordsFile))
			p.must(err)
			kept, err := record.Read(f)
			f.Close()
			if err != nil || len(kept) != 2*len(facts) {
				t.Errorf("%v after %v: %d records kept, want %d: %v", s, after, len(kept), 2*len(facts), err)
			}
		}
		t.Logf("%v after %v: %d of 6 records kept", s, after.Round(time.Millisecond), len(records))
	}
}

// factsIn are the finished parts of a run.
func factsIn(dir string) []string {
	facts, _ := filepath.Glob(filepath.Join(dir, "*", "*", raw.FactsFile))
	return facts
}
