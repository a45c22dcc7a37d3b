package process

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A spent is how long a thread ran, and how long it had to wait for a core.
type spent struct{ ran, waited time.Duration }

// threads are the program's threads since their start, by name: the first two numbers of proc_pid_schedstat(5). Ended
// threads are left out. Where the kernel does not count, there are none.
func (p *Process) threads() map[string]spent {
	all := map[string]spent{}
	for _, pid := range Group(p.Pid) {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is valid
		for _, task := range tasks {
			data, err := os.ReadFile(task)
			if err != nil {
				continue // it has ended meanwhile
			}
			var s spent // ns
			if _, err := fmt.Sscan(string(data), (*int64)(&s.ran), (*int64)(&s.waited)); err == nil {
				all[task] = s
			}
		}
	}
	return all
}

// waited is how long the thread that waited most had to wait for a core, since the start of the program. Threads wait at
// the same time, so a sum could be longer than the program's life.
func (p *Process) waited() (most time.Duration) {
	for _, s := range p.threads() {
		most = max(most, s.waited)
	}
	return most
}

// Busy begins to watch the program. The function that it returns says how long the program has run since then, or waited for
// a core. Threads do so at the same time, so their sum is cut to the time that has passed.
func (p *Process) Busy() func() time.Duration {
	began, before := time.Now(), p.threads()
	return func() (sum time.Duration) {
		for thread, s := range p.threads() {
			sum += s.ran + s.waited - before[thread].ran - before[thread].waited
		}
		return min(sum, time.Since(began))
	}
}
