package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
)

// A sabotage is done to a comparison while it is loaded; it ends with ctx. What it
// does it does to the processes of the comparison alone, or beside them.
var sabotages = []struct {
	name string
	do   func(context.Context, saboteur)
}{
	{"a neighbour on one core", func(ctx context.Context, s saboteur) { burn(ctx, 1, func() time.Duration { return time.Second }) }},
	{"a neighbour on all cores", func(ctx context.Context, s saboteur) {
		burn(ctx, runtime.NumCPU(), func() time.Duration { return time.Second })
	}},
	{"a neighbour that comes and goes", func(ctx context.Context, s saboteur) {
		burn(ctx, 1, func() time.Duration {
			sleep(ctx, time.Duration(s.random.Int64N(int64(3*time.Second))))
			return time.Duration(s.random.Int64N(int64(3 * time.Second)))
		})
	}},
	{"a neighbour on one core while head works", func(ctx context.Context, s saboteur) { s.follow(ctx, 5*time.Millisecond) }},
	{"a neighbour on a tenth of one core while head works", func(ctx context.Context, s saboteur) { s.follow(ctx, 500*time.Microsecond) }},
	{"the stub stopped for 200 ms now and then", func(ctx context.Context, s saboteur) { s.stop(ctx, "stub") }},
	{"the stub stopped for 200 ms now and then while head works", func(ctx context.Context, s saboteur) { s.stopWith(ctx, "stub", "head") }},
	{"k6 stopped for 200 ms now and then", func(ctx context.Context, s saboteur) { s.stop(ctx, "k6") }},
	{"pidstat stopped for 200 ms now and then", func(ctx context.Context, s saboteur) { s.stop(ctx, "pidstat") }},
	{"the stub killed once", func(ctx context.Context, s saboteur) { s.kill(ctx, "stub") }},
	{"k6 killed once", func(ctx context.Context, s saboteur) { s.kill(ctx, "k6") }},
	{"pidstat killed once", func(ctx context.Context, s saboteur) { s.kill(ctx, "pidstat") }},
	{"head killed once", func(ctx context.Context, s saboteur) { s.kill(ctx, "head") }},
	{"base killed once", func(ctx context.Context, s saboteur) { s.kill(ctx, "base") }},
	{"half of the machine taken away half-way", func(ctx context.Context, s saboteur) { s.squeeze(ctx) }},
}

// No sabotage makes an unchanged server regressed or improved. The same comparison without sabotage finds a
// real change. The test makes one comparison of each. FAIRSTREAM_SABOTAGED=100 makes that many, by number,
// for -run to choose.
func TestLongSabotagedComparisonsSayNothingFalse(t *testing.T) {
	long(t, "16 minutes")
	comparisons := len(sabotages)
	if n, err := strconv.Atoi(os.Getenv("FAIRSTREAM_SABOTAGED")); err == nil {
		comparisons = n
	}
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.copy("../servers/relay/go-http", "servers/relay/go-http")
	commit := p.commit()
	t.Run("a change that is there", func(t *testing.T) {
		p := testProject{t, p.root}
		main := "servers/relay/go-http/main.go"
		code := p.text(main)
		p.write(main, strings.Replace(code, "if n > 0 {", "for i, k := 0, n; i < 20_000 && k >= 0; i++ {\nk = (k*31 + i) % 1000\n}\nif n > 0 {", 1))
		head := p.commit()
		p.write(main, code)
		_, answer := p.sabotaged(func(context.Context, saboteur) {}, 0, "compare", "-quick", "-rounds", "4", "-base", commit, "-head", head, "-o", "changed", "go-http")
		if answer.Verdict == verdict.Inconclusive && len(answer.Discarded) > 1 {
			t.Skip("the machine is busy: ", answer.Why)
		}
		if answer.Verdict != verdict.Regressed {
			t.Errorf("work for each read added to head: %s %s; want regressed", answer.Verdict, answer.Why)
		}
	})
	counts := map[verdict.Verdict]int{}
	for i := range comparisons {
		sabotage := sabotages[i%len(sabotages)]
		t.Run(fmt.Sprintf("%02d %s", i, sabotage.name), func(t *testing.T) {
			p := testProject{t, p.root}
			dir := "out" + strconv.Itoa(i)
			status, answer := p.sabotaged(sabotage.do, uint64(i), "compare", "-quick", "-rounds", "4", "-same", "-base", commit, "-head", commit, "-seed", strconv.Itoa(i), "-o", dir, "go-http")
			counts[answer.Verdict]++
			t.Logf("exit status %v; %s %s; %d rounds discarded", status, answer.Verdict, answer.Why, len(answer.Discarded))
			if answer.Verdict == verdict.Regressed || answer.Verdict == verdict.Improved {
				for _, c := range answer.Cells {
					t.Logf("%s %s: %.1f %% [%.1f, %.1f], %s", c.Scenario, c.Metric.Name, 100*c.Change, 100*c.Low, 100*c.High, c.Verdict)
				}
				kept := filepath.Join(os.TempDir(), "sabotaged-"+dir+".jsonl")
				p.must(exec.Command("cp", "-a", filepath.Join(p.root, dir, recordsFile), kept).Run())
				t.Errorf("the records are in %s", kept)
			}
		})
	}
	t.Logf("verdicts: %v", counts)
}

// sabotaged runs a comparison under a sabotage, again while it says that the harness
// broke: what was finished counts. The exit statuses, and what it says.
func (p testProject) sabotaged(do func(context.Context, saboteur), seed uint64, args ...string) (status []int, answer verdict.Answer) {
	p.Helper()
	for range 5 {
		cmd := p.command(args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		var stderr strings.Builder
		cmd.Stderr = &stderr
		p.must(cmd.Start())
		ctx, stop := context.WithCancel(p.Context())
		done := make(chan struct{})
		go func() {
			do(ctx, saboteur{p, rand.New(rand.NewPCG(seed, uint64(len(status)))), cmd.Process.Pid, len(status)})
			close(done)
		}()
		err := cmd.Wait()
		stop()
		<-done
		p.leftovers()
		status = append(status, cmd.ProcessState.ExitCode())
		if status[len(status)-1] <= 1 {
			break
		}
		p.Logf("%v: %s", err, last(stderr.String()))
	}
	out := args[slices.Index(args, "-o")+1]
	records, err := cli.ReadFile(filepath.Join(p.root, out, recordsFile), record.Read)
	if err != nil {
		p.Errorf("no records: %v", err)
		return status, answer
	}
	answers := verdict.Compare(records)
	if len(answers) != 1 {
		p.Fatalf("%d answers, want one", len(answers))
	}
	return status, answers[0]
}

func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// A saboteur knows the processes of a comparison.
type saboteur struct {
	testProject
	random *rand.Rand
	pid    int // of the tool
	before int // how often the comparison broke already
}

// find is the process of the comparison that plays a role, or 0.
func (s saboteur) find(role string) int {
	for _, text := range s.processes() {
		cmdline, _ := os.ReadFile("/proc/" + text + "/cmdline") // it may have ended
		cwd, _ := os.Readlink("/proc/" + text + "/cwd")         // it may have ended
		name, _, _ := strings.Cut(string(cmdline), "\x00")
		name = filepath.Base(name)
		if name == role && strings.HasPrefix(string(cmdline), "/") || name == role && role == "pidstat" || name == "server" && strings.Contains(cwd, "/"+role+"/") {
			pid, _ := strconv.Atoi(text) // digits
			return pid
		}
	}
	return 0
}

// wait waits for a process that is at work.
func (s saboteur) wait(ctx context.Context, role string) int {
	for ctx.Err() == nil {
		if s.find("k6") != 0 {
			if pid := s.find(role); pid != 0 {
				return pid
			}
		}
		sleep(ctx, 20*time.Millisecond)
	}
	return 0
}

// stop stops a process for 200 ms, every one to four seconds.
func (s saboteur) stop(ctx context.Context, role string) {
	for ctx.Err() == nil {
		if pid := s.wait(ctx, role); pid != 0 {
			syscall.Kill(pid, syscall.SIGSTOP)
			sleep(ctx, 200*time.Millisecond)
			syscall.Kill(pid, syscall.SIGCONT)
		}
		sleep(ctx, time.Second+time.Duration(s.random.Int64N(int64(3*time.Second))))
	}
}

// stopWith stops a process for 200 ms, every one to four seconds, when another works.
func (s saboteur) stopWith(ctx context.Context, role, other string) {
	for ctx.Err() == nil {
		worker, pid := s.wait(ctx, other), s.wait(ctx, role)
		for before := onCPU(worker); ctx.Err() == nil && before > 0; {
			sleep(ctx, 5*time.Millisecond)
			now := onCPU(worker)
			if now-before > time.Millisecond {
				syscall.Kill(pid, syscall.SIGSTOP)
				sleep(ctx, 200*time.Millisecond)
				syscall.Kill(pid, syscall.SIGCONT)
				sleep(ctx, time.Second+time.Duration(s.random.Int64N(int64(3*time.Second))))
				break
			}
			before = now
		}
	}
}

// kill kills a process once in a comparison, some time after head began to work.
func (s saboteur) kill(ctx context.Context, role string) {
	if s.before > 0 {
		return
	}
	s.wait(ctx, "head")
	sleep(ctx, time.Duration(s.random.Int64N(int64(30*time.Second))))
	if pid := s.wait(ctx, role); pid != 0 {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// squeeze leaves the tool and all that it starts half of the machine, some time
// after load began, by a quota of its control group.
func (s saboteur) squeeze(ctx context.Context) {
	s.wait(ctx, "head")
	sleep(ctx, time.Duration(s.random.Int64N(int64(15*time.Second))))
	if ctx.Err() != nil {
		return
	}
	group := "/sys/fs/cgroup/cpu/fairstream-sabotage"
	if err := os.MkdirAll(group, 0o755); err != nil {
		s.Logf("no quota here: %v", err)
		return
	}
	quota := strconv.Itoa(runtime.NumCPU() * 50_000)
	for name, text := range map[string]string{"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": quota} {
		if err := os.WriteFile(filepath.Join(group, name), []byte(text), 0o644); err != nil {
			s.Logf("no quota here: %v", err)
		}
	}
	for _, pid := range append(s.processes(), strconv.Itoa(s.pid)) {
		os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(pid), 0o644) // it may have ended
	}
	<-ctx.Done()
	for range 50 {
		if os.Remove(group) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// follow burns a core for so long whenever head has just used CPU time.
func (s saboteur) follow(ctx context.Context, long time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for ctx.Err() == nil {
		pid := s.wait(ctx, "head")
		for before := onCPU(pid); ctx.Err() == nil && before > 0; {
			now := onCPU(pid)
			if now == 0 {
				break // it ended: the next round has another
			}
			if now-before > time.Millisecond {
				for started := time.Now(); time.Since(started) < long; {
				}
			}
			before = now
			time.Sleep(5*time.Millisecond - min(long, 4*time.Millisecond))
		}
	}
}

// onCPU is the CPU time of all threads of a process; 0 when it has ended.
func onCPU(pid int) (sum time.Duration) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, path := range tasks {
		text, _ := os.ReadFile(path) // a missing file is fine
		ns, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(ns, 10, 64) // else 0, which the test does not want
		sum += time.Duration(n)
	}
	return sum
}

// burn keeps this many cores busy, each again and again while next returns true.
func burn(ctx context.Context, cores int, next func() time.Duration) {
	done := make(chan struct{})
	for range cores {
		go func() {
			defer func() { done <- struct{}{} }()
			for ctx.Err() == nil {
				for until := time.Now().Add(next()); time.Now().Before(until) && ctx.Err() == nil; {
				}
			}
		}()
	}
	for range cores {
		<-done
	}
}

// sleep is for callers that look at ctx themselves.
func sleep(ctx context.Context, d time.Duration) { _ = cli.Sleep(ctx, d) }
