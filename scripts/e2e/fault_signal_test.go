package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// A moment is a start of a command that is to be interrupted.
type moment struct {
	args    []string
	started func() bool // the wait is for what it does, and 3 s more; nil: any moment
	// ended looks at what the command left, after its exit status, and says in a few
	// words how it ended.
	ended func(status int, stdout, stderr string) string
}

// Interruptions, by command: the number of moments without -long, the latest moment, and the next step in a
// project of its own.
var interruptions = map[string]struct {
	few     int
	prepare func(testProject) (within time.Duration, next func(i int) moment)
}{
	"run":     {4, interruptedRun},
	"replay":  {2, interruptedCompare},
	"site":    {2, interruptedPublish},
	"compare": {0, interruptedComparison},
	"prove":   {0, interruptedProve},
}

// Whenever a signal comes, no process and no temporary file stays, and what was
// finished is kept. The moments are random, and the same each time.
func TestSignalsLeaveNoProcessAndKeepFinishedFiles(t *testing.T) {
	t.Parallel()
	for name, of := range interruptions {
		moments := of.few
		if isLong {
			moments = 50 // which takes 30 minutes
		}
		if moments == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			within, next := of.prepare(p)
			ends := map[string]int{}
			for i := range moments {
				random := rand.New(rand.NewPCG(8, uint64(i)))
				after := time.Duration(random.Int64N(int64(within)))
				s, again := syscall.SIGINT, time.Duration(-1)
				switch {
				case i == 4:
					s = syscall.SIGHUP
				case i == 3 && name == "run":
					s = syscall.SIGKILL
				case i%4 == 1:
					s = syscall.SIGTERM
				case i%4 == 2: // an impatient user presses Ctrl-C again
					again = time.Duration(random.Int64N(int64(500 * time.Millisecond)))
				}
				how := p.interrupted(next(i), s, after, again)
				ends[how]++
				t.Logf("%v after %v: %s", s, after.Round(time.Millisecond), how)
			}
			for _, how := range slices.Sorted(maps.Keys(ends)) {
				t.Logf("%s: %d of %d moments: %s", name, ends[how], moments, how)
			}
		})
	}
}

// interrupted sends a command a signal, SIGINT to all of its group as a terminal
// does, and a second one when again is not negative.
func (p testProject) interrupted(m moment, s syscall.Signal, after, again time.Duration) (how string) {
	p.Helper()
	cmd := p.command(m.args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	p.must(cmd.Start())
	if m.started != nil {
		for deadline := time.Now().Add(15 * time.Minute); !m.started() && time.Now().Before(deadline); {
			time.Sleep(50 * time.Millisecond)
		}
		after = 3 * time.Second
	}
	time.Sleep(after)
	to := cmd.Process.Pid
	if s == syscall.SIGINT {
		to = -to
	}
	_ = syscall.Kill(to, s) // it may have ended
	started := time.Now()
	if again >= 0 {
		time.AfterFunc(again, func() { _ = cmd.Process.Signal(s) }) // as above
	}
	_ = cmd.Wait() // its status is looked at
	where := fmt.Sprintf("%q: %v after %v", m.args, s, after)
	if took := time.Since(started); took > 30*time.Second {
		p.Errorf("%s: took %v to end", where, took)
	}
	if s == syscall.SIGKILL { // the kernel and the guard then end the rest, a moment later
		p.emptied()
	}
	p.leftovers()
	if left, err := os.ReadDir(p.temp()); err != nil || len(left) > 0 {
		p.Errorf("%s: left %v, %v", where, left, err)
	}
	status := cmd.ProcessState.ExitCode()
	message := "bench: " + cli.Interrupted{Signal: s}.Error()
	switch ended := cmd.ProcessState.Sys().(syscall.WaitStatus); {
	case ended.Signaled() && ended.Signal() == s && (s == syscall.SIGKILL || stderr.Len() == 0): // it had not started to listen
		status = 128 + int(s)
	case status == 128+int(s):
		if strings.Count(stderr.String(), "bench: ") != 1 || last(stderr.String()) != message {
			p.Errorf("%s: want one line %q last; stderr:\n%s", where, message, stderr.String())
		}
	case status > 1: // else it was quicker
		p.Errorf("%s: exit status %d, want %d; stderr:\n%s", where, status, 128+int(s), stderr.String())
	}
	how = m.ended(status, stdout.String(), stderr.String())
	if p.Failed() {
		p.Fatalf("%s: %s; stderr:\n%s", where, how, stderr.String())
	}
	return how
}

// A run takes about 35 s, 13 of them to verify; longer on a busy machine. One signal
// at least finds finished files, and a load under way.
func interruptedRun(p testProject) (time.Duration, func(int) moment) {
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	return 30 * time.Second, func(i int) moment {
		dir := filepath.Join(p.root, fmt.Sprint("raw", i))
		m := moment{args: []string{"run", "-quick", "-scenario", "baseline", "-rounds", "3", "-o", dir}}
		if i == 0 {
			m.started = func() bool { return len(factsIn(dir)) > 0 }
		}
		m.ended = func(status int, _, _ string) string {
			facts := factsIn(dir)
			if i == 0 && len(facts) == 0 {
				p.Errorf("nothing was kept in %s", dir)
			}
			if status <= 1 && len(facts) != 3 {
				p.Errorf("%s: exit status %d with %d of 3 k6 runs", dir, status, len(facts))
			}
			if !exists(filepath.Join(dir, raw.RunFile)) {
				return "before it loaded"
			}
			records, _, planned, err := record.FromRaw(dir)
			if err != nil || len(records) != 2*len(facts) || planned != 6 { // with direct's
				p.Errorf("%s: %d records of %d from %d facts: %v", dir, len(records), planned, len(facts), err)
			}
			if len(facts) > 0 && status != 128+int(syscall.SIGKILL) {
				if kept := p.records(dir); kept != 2*len(facts) {
					p.Errorf("%s: %d records kept, want %d", dir, kept, 2*len(facts))
				}
			}
			if status <= 1 {
				return "it had finished"
			}
			return fmt.Sprintf("while it loaded, %d of 3 rounds kept", len(facts))
		}
		return m
	}
}

// factsIn are the finished parts of a run.
func factsIn(dir string) []string {
	facts, _ := filepath.Glob(filepath.Join(dir, "*", "*", raw.FactsFile))
	return facts
}

// records is how many records a run has kept.
func (p testProject) records(dir string) int {
	p.Helper()
	records, err := cli.ReadFile(filepath.Join(dir, recordsFile), record.Read)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.Error(err)
	}
	return len(records)
}
