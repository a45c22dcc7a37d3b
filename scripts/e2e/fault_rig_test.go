package e2e

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/judge/record"
)

// A rigFault is done to k6, the stub or pidstat of a run of two rounds.
type rigFault struct {
	name      string
	load      string                             // scenario; default baseline
	path      func(*testing.T) string            // $PATH of the run, unless it is ours
	env       []string                           // and more of its environment
	run       []string                           // the server, unless it is right
	do        func(context.Context, testProject) // while the run is under way
	status    int                                // of the run
	stderr    string                             // the output reports it
	rounds    int                                // rounds with records
	disturbed string                             // of records of the last of them
	check     func(testProject, []record.Record) // what else there is to see
}

var rigFaults = []rigFault{
	{name: "k6 killed", do: func(ctx context.Context, p testProject) { p.killIn(ctx, 2, "k6.log", 2*time.Second) },
		status: 3, stderr: "run: ranking, round 2 of 2: k6: ended by signal 9 (killed)", rounds: 1},
	{name: "k6 out of files", do: func(ctx context.Context, p testProject) {
		few := unix.Rlimit{Cur: 20, Max: 20}
		if err := unix.Prlimit(p.writer(ctx, 2, "k6.log"), unix.RLIMIT_NOFILE, &few, nil); err != nil && ctx.Err() == nil {
			p.Error(err)
		}
	}, status: 1, rounds: 2, disturbed: "direct: "},
	{name: "k6 starved by slices", load: "stress", do: func(ctx context.Context, p testProject) {
		p.writer(ctx, 2, "k6.log")
		burn(ctx, 4*runtime.NumCPU(), func() time.Duration { return time.Second })
	}, rounds: 2, disturbed: "other programs used "},
	{name: "stub killed before k6 starts", run: []string{"sh", "-c", "sleep 0.8; exec bin/server right"},
		do:     func(ctx context.Context, p testProject) { p.killIn(ctx, 2, "stub.log", 400*time.Millisecond) },
		status: 3, stderr: "run: ranking, round 2 of 2: stub: died ", rounds: 1},
	{name: "stub killed while k6 loads", do: func(ctx context.Context, p testProject) { p.killIn(ctx, 2, "stub.log", 4*time.Second) },
		status: 3, stderr: "run: ranking, round 2 of 2: stub: died ", rounds: 1},
	{name: "stub killed while a server is verified", do: func(ctx context.Context, p testProject) {
		for ctx.Err() == nil { // a check may just have ended
			p.killIn(ctx, 0, "stub.log", 0)
		}
	},
		status: 3, stderr: ": ended by signal 9 (killed)"},
	{name: "pidstat removed after set-up", path: func(t *testing.T) string { return pathWithout(t) }, do: func(ctx context.Context, p testProject) {
		p.writer(ctx, 1, "k6.log")
		for _, dir := range p.paths() {
			p.must(os.Remove(filepath.Join(dir, "pidstat")))
		}
	}, status: 3, stderr: "run: ranking, round 2 of 2: pidstat: no such program", rounds: 1},
	{name: "pidstat localised", env: []string{"LANG=de_DE.UTF-8", "LC_ALL=de_DE.UTF-8", "S_COLORS=always", "S_TIME_FORMAT=ISO"}, rounds: 2, check: sampled},
}

// What breaks k6 or the stub ends a run, says so, and takes no round that was
// finished; what breaks pidstat takes no figure.
func TestLongFaultsOfTheRig(t *testing.T) {
	long(t, "4 minutes")
	for _, c := range rigFaults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.wrong("right")
			if c.run != nil {
				p.runs("right", c.run)
			}
			cmd := p.command("run", "-quick", "-rounds", "2", "-scenario", cmp.Or(c.load, "baseline"), "-o", "raw")
			cmd.Env = append(cmd.Env, c.env...)
			if c.path != nil {
				p.write("path", c.path(t))
				cmd.Env = append(cmd.Env, "PATH="+p.paths()[0])
			}
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				if c.do != nil {
					c.do(ctx, p)
				}
			}()
			r := p.finish(cmd)
			cancel()
			<-done
			r.expect(t, c.status, c.stderr)
			if c.rounds == 0 {
				if exists(filepath.Join(p.root, "raw")) {
					t.Error("it was loaded")
				}
				return
			}
			records, _, _, err := record.FromRaw(filepath.Join(p.root, "raw"))
			p.must(err)
			if last := records[len(records)-1].Round; last != c.rounds || len(records)%(2*c.rounds) != 0 { // with direct's
				t.Fatalf("%d records of %d rounds; want %d", len(records), last, c.rounds)
			}
			if kept := p.bench("report", "raw/run.jsonl"); kept.status != 0 || !strings.Contains(kept.stdout, "right") {
				t.Errorf("what was kept: exit status %d\n%s\n%s", kept.status, kept.stdout, kept.stderr)
			}
			for _, rec := range records {
				switch why := strings.Join(rec.Conditions.Disturbed, "\n"); {
				case c.disturbed == "" || rec.Round < c.rounds:
					checkFigures(t, rec, record.OK)
				case rec.Status == record.OK || rec.Server.Name != "direct" && !strings.Contains(why, c.disturbed):
					t.Errorf("%s %s: %s, disturbed %q; want %q", rec.Scenario, rec.Target(), rec.Status, why, c.disturbed)
				}
			}
			if c.check != nil {
				c.check(p, records)
			}
		})
	}
}

// sampled wants pidstat's samples of every second, and of no other.
func sampled(p testProject, records []record.Record) {
	for _, rec := range records {
		if rec.Server.Name == "direct" {
			continue
		}
		samples, _ := rec.Metrics.Get("samples")
		mean, _ := rec.Metrics.Get("server_rss_mean_bytes")
		peak, _ := rec.Metrics.Get("server_rss_peak_bytes")
		if strings.Contains(strings.Join(rec.Why, "\n"), "pidstat") || samples < 4 || samples > 20 || mean <= 0 || mean > peak {
			p.Errorf("round %d: %g samples, mean %g and peak %g bytes: %q", rec.Round, samples, mean, peak, rec.Why)
		}
	}
	text, err := os.ReadFile(filepath.Join(p.root, "raw", detailsFile))
	if err == nil {
		_, err = record.ReadDetails(bytes.NewReader(text))
	}
	p.must(err)
}

// paths are the directories of the run's $PATH.
func (p testProject) paths() []string {
	text, err := os.ReadFile(filepath.Join(p.root, "path"))
	p.must(err)
	return filepath.SplitList(string(text))
}

// killIn kills who writes a log some time after it was started.
func (p testProject) killIn(ctx context.Context, round int, log string, after time.Duration) {
	pid := p.writer(ctx, round, log)
	sleep(ctx, after)
	if ctx.Err() == nil {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// writer waits for the process whose output goes to a log of a round; round 0 is
// verify. It is 0 when ctx ended before.
func (p testProject) writer(ctx context.Context, round int, log string) int {
	part := fmt.Sprintf("/raw/%d/", round)
	if round == 0 {
		part = "/raw/verify/"
	}
	for ctx.Err() == nil {
		for _, pid := range p.processes() {
			to, _ := os.Readlink("/proc/" + pid + "/fd/1") // it may have ended
			if strings.Contains(to, part) && filepath.Base(to) == log {
				n, _ := strconv.Atoi(pid) // processes are numbers
				return n
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return 0
}

// A machine without free ports gets an error that blames no server. The test has its own network, where
// another program holds all ports.
func TestLongNoFreePort(t *testing.T) {
	long(t, "10 s")
	p := newProject(t)
	p.wrong("right")
	var r result
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with its network
		err := syscall.Unshare(syscall.CLONE_NEWNET)
		network, openErr := os.Open(fmt.Sprintf("/proc/self/task/%d/ns/net", syscall.Gettid()))
		if err = cmp.Or(err, openErr); err == nil {
			defer network.Close()
			const first, middle, last = 10000, 20000, 32767
			claimed, over := make(chan error), make(chan struct{})
			go holdPorts(int(network.Fd()), first, middle, claimed, over)
			go holdPorts(int(network.Fd()), middle+1, last, claimed, over)
			if err = errors.Join(<-claimed, <-claimed); err == nil {
				r = p.bench("run", "-quick", "-rounds", "1", "-scenario", "baseline", "-o", "raw")
			}
			close(over)
		}
		done <- err
	}()
	if err := <-done; errors.Is(err, syscall.EPERM) {
		t.Skip("it takes the right to make a network: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	r.expect(t, 3, "verify: right: ready: no free port from 10000 to 32767 on 127.0.0.1")
}

// holdPorts holds ports in a network until over. It has a table of files of its own,
// since one may not have room for all of them.
func holdPorts(network, first, last int, claimed chan<- error, over <-chan struct{}) {
	runtime.LockOSThread() // and never unlocked: the thread ends with its files
	err := errors.Join(unix.Setns(network, unix.CLONE_NEWNET), syscall.Unshare(syscall.CLONE_FILES))
	for port := first; port <= last && err == nil; port++ {
		var socket int
		if socket, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0); err == nil {
			err = unix.Bind(socket, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
		}
	}
	claimed <- err
	<-over
}
