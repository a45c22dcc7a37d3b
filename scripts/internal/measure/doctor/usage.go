package doctor

import (
	"path"
	"strconv"
	"strings"
)

// A usage is the CPU use up to a moment, in ticks of 10 ms: the kernel's USER_HZ is 100 wherever Go runs.
type usage struct {
	cpu       ticks // of the CPUs that this process may use
	cores     int   // their number; 0: unknown
	processes map[int]process
	throttled int64 // how often the processor slowed down for heat; -1: unknown
}

// ticks are the columns of a line of /proc/stat.
type ticks struct{ busy, steal, all int64 }

type process struct {
	command string
	used    int64 // ticks of all its threads
}

func (m *machine) usage() usage {
	u := usage{processes: map[int]process{}, throttled: m.throttleCount()}
	u.cpu, u.cores = cpuTicks(m.text("/proc/stat"), m.allowed())
	for _, file := range m.glob("/proc/[0-9]*/stat") {
		if pid, err := strconv.Atoi(path.Base(path.Dir(file))); err == nil {
			if p, _, ok := parseStat(m.text(file)); ok { // a failure means that it has ended
				u.processes[pid] = p
			}
		}
	}
	return u
}

// cpuTicks sums the lines of /proc/stat for some CPUs, or for all if none is named, and counts them.
func cpuTicks(text string, cpus []int) (sum ticks, cores int) {
	wanted := map[string]bool{}
	for _, cpu := range cpus {
		wanted["cpu"+strconv.Itoa(cpu)] = true
	}
	for line := range strings.Lines(text) {
		columns := strings.Fields(line)
		if len(columns) < 9 || !strings.HasPrefix(columns[0], "cpu") || columns[0] == "cpu" || cpus != nil && !wanted[columns[0]] {
			continue
		}
		// user nice system idle iowait irq softirq steal; guest time is in user.
		var n [8]int64
		for i := range n {
			n[i], _ = strconv.ParseInt(columns[i+1], 10, 64) // the kernel writes numbers; other text counts nothing
		}
		busy := n[0] + n[1] + n[2] + n[5] + n[6]
		sum.busy += busy
		sum.steal += n[7]
		sum.all += busy + n[3] + n[4] + n[7]
		cores++
	}
	return sum, cores
}

// parseStat reads /proc/PID/stat. The command stands in brackets, and may contain brackets and spaces.
func parseStat(text string) (p process, parent int, ok bool) {
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return p, 0, false
	}
	rest := strings.Fields(text[shut+1:]) // from the third column on
	if len(rest) < 13 {
		return p, 0, false
	}
	parent, err := strconv.Atoi(rest[1])
	user, err1 := strconv.ParseInt(rest[11], 10, 64)
	system, err2 := strconv.ParseInt(rest[12], 10, 64)
	if err != nil || err1 != nil || err2 != nil {
		return p, 0, false
	}
	return process{text[open+1 : shut], user + system}, parent, true
}

// own returns the ids of this process and of its parent; 0 is unknown.
func (m *machine) own() (pid, parent int) {
	text := m.text("/proc/self/stat")
	if _, of, ok := parseStat(text); ok {
		number, _, _ := strings.Cut(text, " ")
		pid, _ = strconv.Atoi(number) // the kernel writes a number; 0 is unknown
		parent = of
	}
	return pid, parent
}

// throttleCount is how often a core or a package slowed down for heat since boot; -1 is unknown. Cores that
// share their cooling count the same events, so it takes the highest count.
func (m *machine) throttleCount() int64 {
	most := int64(-1)
	for _, file := range m.glob("/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count") {
		if n, err := m.number(file); err == nil {
			most = max(most, n)
		}
	}
	return most
}
