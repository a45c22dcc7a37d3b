package process

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// waited is how long the program's threads had to wait for a core, since its start: the second number of
// proc_pid_schedstat(5), of the thread that waited most. Threads wait at the same time, so a sum could be longer
// than the program's life. Ended threads are left out. Where the kernel does not count, it is 0.
func (p *Process) waited() (most time.Duration) {
	for _, pid := range Group(p.Pid) {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid)) // the pattern is valid
		for _, task := range tasks {
			data, err := os.ReadFile(task)
			if err != nil {
				continue // it has ended meanwhile
			}
			var ran, waits int64 // ns
			if _, err := fmt.Sscan(string(data), &ran, &waits); err == nil {
				most = max(most, time.Duration(waits))
			}
		}
	}
	return most
}
