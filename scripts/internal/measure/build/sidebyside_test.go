package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// watched runs jobs and returns the calls of its Watch, a line each. It closes last when all jobs but one have ended.
func watched(ctx context.Context, jobs []Job, atOnce int, last chan bool) (told []string) {
	SideBySide(ctx, jobs, atOnce, Watch{
		Running: func(done int, names []string) {
			told = append(told, fmt.Sprintf("%d of %d done; now %s", done, len(jobs), strings.Join(names, ", ")))
			if done == len(jobs)-1 {
				close(last)
			}
		},
		Ended: func(i int, _ time.Duration, err error) { told = append(told, fmt.Sprintf("%s: %v", jobs[i].Name, err)) },
	})
	return told
}

// The first job ends last, and yet its end is reported first.
func TestEndsAreToldInTheOrderOfTheJobs(t *testing.T) {
	last := make(chan bool)
	jobs := []Job{
		{"a", func(context.Context) error { <-last; return nil }},
		{"b", func(context.Context) error { return errors.New("no") }},
		{"c", func(context.Context) error { return nil }},
	}
	want := []string{"0 of 3 done; now a, b", "1 of 3 done; now a, c", "2 of 3 done; now a", "a: <nil>", "b: no", "c: <nil>"}
	if got := watched(t.Context(), jobs, 2, last); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestNoMoreJobsRunThanMay(t *testing.T) {
	var now, most atomic.Int64
	var jobs []Job
	for range 20 {
		jobs = append(jobs, Job{"job", func(context.Context) error {
			for n, seen := now.Add(1), most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
			return nil
		}})
	}
	if watched(t.Context(), jobs, 3, make(chan bool)); most.Load() != 3 {
		t.Errorf("%d jobs ran at a time, want 3", most.Load())
	}
}

// One build fails while another runs. Both say how they ended, and the other one is whole.
func TestABuildThatFailsDoesNotStopTheOther(t *testing.T) {
	dir, last := t.TempDir(), make(chan bool)
	job := func(name, script string, before chan bool) Job {
		return Job{name, func(ctx context.Context) error {
			if before != nil {
				<-before
			}
			return Server(ctx, server.Server{Name: name, Dir: dir, Build: sh(script)})
		}}
	}
	jobs := []Job{job("good", "echo whole >good", last), job("bad", "echo 'main.go:3: no' >&2; exit 2", nil)}
	told := watched(t.Context(), jobs, 2, last)
	want := []string{
		"0 of 2 done; now good, bad", "1 of 2 done; now good",
		"good: <nil>", "bad: build: bad: sh: exited with status 2; its last lines:\n    main.go:3: no\n    the command is \"build\" in server.json",
	}
	if !slices.Equal(told, want) {
		t.Errorf("got  %q\nwant %q", told, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "good")); string(text) != "whole\n" {
		t.Errorf("the good build wrote %q, %v", text, err)
	}
}

// A cancelled job leaves no process, and a job that had not begun does not begin.
func TestCancelledJobsLeaveNoProcess(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pidFile := filepath.Join(dir, "pid")
	jobs := []Job{
		{"long", func(ctx context.Context) error {
			return Server(ctx, server.Server{Name: "long", Dir: dir, Build: sh("sleep 1000 & echo $! >pid.part; mv pid.part pid; wait")})
		}},
		{"cancels", func(context.Context) error {
			for _, err := os.Stat(pidFile); err != nil; _, err = os.Stat(pidFile) {
				time.Sleep(time.Millisecond)
			}
			cancel()
			return errors.New("no")
		}},
		{"late", func(context.Context) error { t.Error("a job began after the end"); return nil }},
	}
	told := watched(ctx, jobs, 2, make(chan bool))
	for _, want := range []string{"long: build: long: context canceled", "cancels: no", "late: context canceled"} {
		if !slices.Contains(told, want) {
			t.Errorf("%q: want %q", told, want)
		}
	}
	pid, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		state, err := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "stat"))
		if err != nil || strings.Contains(string(state), ") Z ") { // nobody may reap it here
			return
		}
		if time.Now().After(until) {
			t.Fatalf("process %s is left", pid)
		}
	}
}

func TestBuildsAtOnceHaveACoreAndMemory(t *testing.T) {
	for text, want := range map[string]int{
		"MemTotal:  9 kB\nMemAvailable:   24000000 kB\nCached: 5 kB\n": 4,
		"MemAvailable:   6400000 kB\n":                                 3,
		"MemAvailable:   1000000 kB\n":                                 1,
		"MemTotal:  24000000 kB\n":                                     1,
		"MemAvailable:   many kB\n":                                    1,
	} {
		name := filepath.Join(t.TempDir(), "meminfo")
		testfile.Write(t, name, text)
		if got := atOnce(name, 4); got != want {
			t.Errorf("%q and 4 cores: %d builds, want %d", text, got, want)
		}
	}
	if got := atOnce("/nowhere", 4); got != 1 {
		t.Errorf("an unknown amount of memory: %d builds, want 1", got)
	}
}
