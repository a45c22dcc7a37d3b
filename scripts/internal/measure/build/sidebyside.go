package build

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A Job is one thing to build.
type Job struct {
	Name string
	Do   func(context.Context) error
}

// A Watch reports on jobs. One goroutine calls it. Ended is called in the order of the jobs, however they end.
type Watch struct {
	Running func(done int, names []string) // others run now
	Ended   func(i int, took time.Duration, err error)
}

// SideBySide runs jobs, at most atOnce at a time, and begins them in their order. A job that fails does not
// stop the others. When ctx ends, those that have not begun do not begin. It returns when all have ended.
func SideBySide(ctx context.Context, jobs []Job, atOnce int, w Watch) {
	type end struct {
		i    int
		took time.Duration
		err  error
	}
	ends := make(chan end)
	ended := make([]*end, len(jobs))
	begun, told := 0, 0
	for done := 0; done < len(jobs); done++ {
		for ; begun < len(jobs) && begun-done < atOnce; begun++ {
			go func(i int, err error) {
				start := time.Now()
				if err == nil {
					err = jobs[i].Do(ctx)
				}
				ends <- end{i, time.Since(start), err}
			}(begun, ctx.Err())
		}
		var running []string
		for i, job := range jobs[:begun] {
			if ended[i] == nil {
				running = append(running, job.Name)
			}
		}
		w.Running(done, running)
		e := <-ends
		for ended[e.i] = &e; told < len(jobs) && ended[told] != nil; told++ {
			w.Ended(told, ended[told].took, ended[told].err)
		}
	}
}

// jobBytes is the memory that a build may take. The optimising compilers and linkers of the servers here take
// up to 1.2 GB.
const jobBytes = 2 << 30

// AtOnce is how many builds this machine can do at a time. Each needs a core and memory.
func AtOnce() int { return atOnce("/proc/meminfo", runtime.NumCPU()) }

func atOnce(meminfo string, cores int) int {
	text, err := os.ReadFile(meminfo)
	if err != nil {
		return 1
	}
	_, rest, _ := strings.Cut(string(text), "MemAvailable:")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	kb, err := strconv.Atoi(number)
	if err != nil {
		return 1
	}
	return max(1, min(cores, kb<<10/jobBytes))
}
