package common

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/k6/shared/hist"
)

// maxPID is Linux's PID_MAX_LIMIT. A larger number would read the clock of another process.
const maxPID = 1 << 22

// itself is the name of this process among the watched ones.
const itself = "k6"

// A Watch reads the CPU time and memory of processes and cores at the edges of slices.
type Watch struct {
	pids    map[string][]int
	read    func(cores []int) *machine
	cores   []int
	clocks  map[string]time.Duration // at the begin of the slice; readable ones only
	peaks   map[string]bool          // processes whose peaks were reset
	waited  *time.Duration           // wait of this process at the begin of the slice
	machine *machine                 // as above
}

// NewWatch makes a watch of processes by name, and of cores; none are all of the machine.
func NewWatch(pids map[string][]int, cores []int) *Watch {
	return &Watch{pids: pids, cores: cores, read: readMachine}
}

// all returns the names and pids of the watched processes, with this one.
func (w *Watch) all(yield func(string, []int) bool) {
	if !yield(itself, []int{os.Getpid()}) {
		return
	}
	for name, pids := range w.pids {
		if !yield(name, pids) {
			return
		}
	}
}

// ResetPeaks sets the peak memory of this process and of the named ones to their current memory: 5 in clear_refs, proc(5).
// Without names it is all of them. The peak of another is unknown, and without permission too.
func (w *Watch) ResetPeaks(names ...string) {
	w.peaks = map[string]bool{}
	for name, pids := range w.all {
		if name != itself && len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		w.peaks[name] = !slices.ContainsFunc(pids, func(pid int) bool {
			return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0) != nil
		})
	}
}

// Begin reads the clocks at the begin of a slice.
func (w *Watch) Begin() {
	w.clocks = map[string]time.Duration{}
	for name, pids := range w.all {
		if used, err := cpuTime(pids); err == nil { // otherwise it counts as lost at the end
			w.clocks[name] = used
		}
	}
	w.waited, w.machine = ownWait(), w.read(w.cores)
}

// End notes the use since Begin. An ended process is lost: its figures are unknown, not 0.
func (w *Watch) End(r *hist.Slice) {
	r.MachineBusyMS, r.MachineStealMS = w.read(w.cores).since(w.machine)
	r.CPUMS, r.PeakRSSBytes, r.Lost = map[string]float64{}, map[string]int64{}, []string{}
	for name, pids := range w.all {
		before, known := w.clocks[name]
		after, err := cpuTime(pids)
		if !known || err != nil {
			r.Lost = append(r.Lost, name)
			continue
		}
		r.CPUMS[name] = ms(after - before)
		if peak, err := peakRSS(pids); err == nil && w.peaks[name] {
			r.PeakRSSBytes[name] = peak
		}
	}
	slices.Sort(r.Lost)
	if now := ownWait(); now != nil && w.waited != nil {
		waited := ms(*now - *w.waited)
		r.K6WaitMS = &waited
	}
}

// ownWait sums the time that the threads of this process were ready and waited for a core: the
// second number in schedstat, proc_pid_schedstat(5). It leaves out ended threads, which are rare in
// Go. It is nil where the kernel does not count.
func ownWait() *time.Duration {
	tasks, err := filepath.Glob("/proc/self/task/*/schedstat")
	if err != nil || len(tasks) == 0 {
		return nil
	}
	var sum time.Duration
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil { // the thread has just ended
			continue
		}
		var ran, waited int64
		if _, err := fmt.Sscan(string(data), &ran, &waited); err != nil {
			return nil
		}
		sum += time.Duration(waited)
	}
	return &sum
}

// cpuTime sums the user and system time of processes. The clock of a process includes ended
// threads. Its id is made from the pid; see clock_getcpuclockid(3).
func cpuTime(pids []int) (time.Duration, error) {
	var sum time.Duration
	for _, pid := range pids {
		var ts unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|2), &ts); err != nil {
			return 0, err
		}
		sum += time.Duration(ts.Nano())
	}
	return sum, nil
}

// peakRSS sums the peak memory (VmHWM) of processes since its reset, so it is an upper bound for
// several. An ended process has none.
func peakRSS(pids []int) (bytes int64, err error) {
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return 0, err
		}
		_, text, _ := strings.Cut(string(status), "VmHWM:")
		text, _, _ = strings.Cut(text, "kB")
		kb, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("process %d: VmHWM: %w", pid, err)
		}
		bytes += kb << 10
	}
	return bytes, nil
}
