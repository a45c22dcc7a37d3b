package common

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// A machine holds the CPU time of cores since boot, over all programs. In a slice, the part that is
// not ours belongs to other programs.
type machine struct {
	busy, steal time.Duration
	cores       int // how many
}

// tick is the unit of /proc/stat: USER_HZ is 100 on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// readMachine sums /proc/stat over cores, or reads the total without any. A container may own some
// cores, and sees all of them. It returns nil for an unreadable file.
func readMachine(cores []int) *machine {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return nil
	}
	names, m := []string{"cpu "}, machine{cores: strings.Count(string(stat), "\ncpu")}
	if len(cores) > 0 {
		names, m.cores = nil, len(cores)
		for _, core := range cores {
			names = append(names, fmt.Sprintf("cpu%d ", core))
		}
	}
	for _, name := range names {
		_, line, found := strings.Cut("\n"+string(stat), "\n"+name)
		// In proc_stat(5)'s order; guest time is within user time.
		var user, nice, system, idle, iowait, irq, softirq, steal int64
		if _, err := fmt.Sscan(line, &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal); err != nil || !found {
			return nil
		}
		m.busy += time.Duration(user+nice+system+irq+softirq) * tick
		m.steal += time.Duration(steal) * tick
	}
	return &m
}

// since is the difference to an earlier reading, in ms; nil is unknown.
func (m *machine) since(before *machine) (busy, steal *float64) {
	if m == nil || before == nil {
		return nil, nil
	}
	b, s := ms(m.busy-before.busy), ms(m.steal-before.steal)
	return &b, &s
}
