package common

import (
	"fmt"
	"os"
	"runtime"
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

// eventually waits for what must come true, however slow the machine is.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 2 minutes: %s", what)
		}
	}
}

func TestTheCPUTimeOfEndedThreadsCounts(t *testing.T) {
	const threads, each = 4, 100 * time.Millisecond
	usedBefore := usage(t, unix.RUSAGE_SELF)
	before := used(t)
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
	got := used(t) - before
	want := usage(t, unix.RUSAGE_SELF) - usedBefore
	if slack := want/20 + 20*time.Millisecond; got < want-slack || got > want+slack {
		t.Errorf("got %v, but getrusage counts %v", got, want)
	}
	if got < threads*each {
		t.Errorf("got %v, but each of %d threads has used %v", got, threads, each)
	}
}

// used is the CPU time of this process by its clock.
func used(t *testing.T) time.Duration {
	t.Helper()
	d, err := cpuTime([]int{os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A slice's CPU time is what was used in it, not what was used before.
func TestTheCPUTimeOfASliceIsThatSlicesAlone(t *testing.T) {
	for begin := used(t); used(t) < begin+200*time.Millisecond; { // burns
	}
	_, report := deal(t, Schedule{
		Targets: []Target{{"a", ""}}, Watched: map[string][]int{"a": {os.Getpid()}},
		Slices: []Slice{{Level: "x", Targets: []int{0}, VUs: 1, MS: 20}},
	})
	for name, ms := range report.Slices[0].CPUMS {
		if ms < 0 || ms > 150 {
			t.Errorf("%s used %.1f ms in a slice that slept for 20", name, ms)
		}
	}
	both, err := cpuTime([]int{os.Getpid(), os.Getpid()})
	if one := used(t); err != nil || both < one+200*time.Millisecond {
		t.Errorf("%v, %v of two; one has used %v", both, err, one)
	}
}
