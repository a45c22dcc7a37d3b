// Package usage reads from /proc how the CPU time of this machine is used, and by which programs. A reading
// takes some milliseconds, and nothing runs between two readings.
package usage

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// A Reading is the CPU use up to a moment, in ticks of 10 ms: the kernel's USER_HZ is 100 wherever Go runs.
type Reading struct {
	CPU       Ticks // of the CPUs that this process may use
	Cores     int   // their number; 0: unknown
	Processes map[int]Process
}

// Ticks are sums of the columns of a line of /proc/stat.
type Ticks struct{ Busy, Steal, All int64 }

// A Process is a program that runs. Its command may have control characters; Printable removes them.
type Process struct {
	Command string
	Parent  int
	Used    int64 // ticks of all its threads
	Waited  int64 // ticks of the ended children that it waited for
	Started int64 // ticks from boot to its start; with the pid it identifies a process
}

// Read reads the machine whose files are below root: / for this one.
func Read(root fs.FS) Reading {
	r := Reading{Processes: map[int]Process{}}
	r.CPU, r.Cores = CPUs(root)
	files, _ := fs.Glob(root, "proc/[0-9]*/stat") // the pattern is valid
	for _, file := range files {
		if pid, err := strconv.Atoi(path.Base(path.Dir(file))); err == nil {
			if p, ok := ParseProcess(text(root, file)); ok { // a failure means that it has ended
				r.Processes[pid] = p
			}
		}
	}
	return r
}

// CPUs reads the use of the CPUs that this process may use, and counts them; 0: unknown.
func CPUs(root fs.FS) (Ticks, int) { return cpuTicks(text(root, "proc/stat"), Allowed(root)) }

func text(root fs.FS, file string) string {
	data, _ := fs.ReadFile(root, file) // "" is unknown
	return string(data)
}

// cpuTicks sums the lines of /proc/stat for some CPUs, or for all if none is named, and counts them.
func cpuTicks(text string, cpus []int) (sum Ticks, cores int) {
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
		sum.Busy += busy
		sum.Steal += n[7]
		sum.All += busy + n[3] + n[4] + n[7]
		cores++
	}
	return sum, cores
}

// ParseProcess reads /proc/PID/stat. The command stands in brackets, and may contain brackets and spaces.
func ParseProcess(text string) (p Process, ok bool) {
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return p, false
	}
	rest := strings.Fields(text[shut+1:]) // from the third column on
	const parent, user, system, waitedUser, waitedSystem, started = 1, 11, 12, 13, 14, 19
	if len(rest) <= started {
		return p, false
	}
	n := map[int]int64{}
	for _, column := range []int{parent, user, system, waitedUser, waitedSystem, started} {
		value, err := strconv.ParseInt(rest[column], 10, 64)
		if err != nil {
			return p, false
		}
		n[column] = value
	}
	return Process{
		Command: text[open+1 : shut], Parent: int(n[parent]),
		Used: n[user] + n[system], Waited: n[waitedUser] + n[waitedSystem], Started: n[started],
	}, true
}

// Allowed lists the CPUs that this process may use; nil is unknown.
func Allowed(root fs.FS) []int {
	for line := range strings.Lines(text(root, "proc/self/status")) {
		if list, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			return ParseList(list)
		}
	}
	return nil
}

// ParseList parses a list of CPUs such as 0-3,6. It returns nil for other texts.
func ParseList(text string) (cpus []int) {
	const most = 1 << 13 // the kernel's own limit, NR_CPUS
	for part := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to < from || to >= most {
			return nil
		}
		for cpu := from; cpu <= to; cpu++ {
			cpus = append(cpus, cpu)
		}
		if len(cpus) > most {
			return nil
		}
	}
	return cpus
}

// Printable returns a name from another user without control characters.
func Printable(name string) string {
	quoted := strconv.QuoteToGraphic(name)
	return quoted[1 : len(quoted)-1]
}
