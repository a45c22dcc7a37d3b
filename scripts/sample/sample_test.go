package sample

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// usage is the CPU time of a process or a thread as getrusage(2) counts it.
func usage(t *testing.T, who int) time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(who, &used); err != nil {
		t.Error(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func read(t *testing.T, pids ...int) Cost {
	t.Helper()
	cost, err := Read(pids)
	if err != nil {
		t.Fatal(err)
	}
	return cost
}

// eventually waits for what must come true, however slow the machine is.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 10 s: %s", what)
		}
	}
}

func TestTheCPUTimeOfEndedThreadsCounts(t *testing.T) {
	const threads, each = 4, 100 * time.Millisecond
	usedBefore, before := usage(t, unix.RUSAGE_SELF), read(t, os.Getpid())
	var group sync.WaitGroup
	var tids [threads]int
	for i := range threads {
		group.Go(func() {
			runtime.LockOSThread() // and never unlock, so that the thread ends with the goroutine
			tids[i] = unix.Gettid()
			for begin := usage(t, unix.RUSAGE_THREAD); usage(t, unix.RUSAGE_THREAD) < begin+each; {
			}
		})
	}
	group.Wait()
	for _, tid := range tids {
		if tid == os.Getpid() {
			continue // the main thread lives on
		}
		eventually(t, "end of a thread", func() bool {
			_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", tid))
			return os.IsNotExist(err)
		})
	}
	got := read(t, os.Getpid()).CPU - before.CPU
	want := usage(t, unix.RUSAGE_SELF) - usedBefore
	if slack := want/20 + 20*time.Millisecond; got < want-slack || got > want+slack {
		t.Errorf("got %v, but getrusage counts %v", got, want)
	}
	if got < threads*each {
		t.Errorf("got %v, but each of %d threads has used %v", got, threads, each)
	}
}

func TestCostsOfProcessesAreSummed(t *testing.T) {
	us, child := os.Getpid(), sleep(t)
	both, alone, none := read(t, us, child), read(t, child), read(t)
	now := read(t, us)
	const slack = 1 << 20 // the kernel's count of pages is not exact
	if both.PeakRSSBytes < alone.PeakRSSBytes+slack || both.PeakRSSBytes > alone.PeakRSSBytes+now.PeakRSSBytes+slack {
		t.Errorf("peak memory %d of both, %d and %d of each", both.PeakRSSBytes, alone.PeakRSSBytes, now.PeakRSSBytes)
	}
	if both.CPU <= alone.CPU || both.CPU > alone.CPU+now.CPU {
		t.Errorf("CPU time %v of both, %v and %v of each", both.CPU, alone.CPU, now.CPU)
	}
	if none != (Cost{}) {
		t.Errorf("no process costs %+v", none)
	}
}

// sleep starts a process that does nothing until the test ends.
func sleep(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	// Until its own program runs, its memory is still ours.
	eventually(t, "sleep", func() bool {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", cmd.Process.Pid))
		s, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		return string(name) == "sleep\n" && strings.Contains(string(s), ") S ")
	})
	return cmd.Process.Pid
}
