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

	"fairstream/k6/common/hist"
)

// maxPID is PID_MAX_LIMIT of Linux. The clock of a larger number would be that
// of another process.
const maxPID = 1 << 22

// itself is the name of this process among what is watched.
const itself = "k6"

// A watch reads what processes and cores have used, at the edges of slices.
type watch struct {
	pids    map[string][]int
	cores   []int
	clocks  map[string]time.Duration // at the slice's begin; of those that could be read
	peaks   map[string]bool          // those whose peaks were reset
	waited  *time.Duration           // of this process, at the slice's begin
	machine *machine                 // likewise
}

// all are the names and pids that are watched, this process among them.
func (w *watch) all(yield func(string, []int) bool) {
	if !yield(itself, []int{os.Getpid()}) {
		return
	}
	for name, pids := range w.pids {
		if !yield(name, pids) {
			return
		}
	}
}

// resetPeaks sets the peak memory of each process to what it holds now: 5 in
// clear_refs, proc(5). It may not be allowed; the peak is then unknown.
func (w *watch) resetPeaks() {
	w.peaks = map[string]bool{}
	for name, pids := range w.all {
		w.peaks[name] = !slices.ContainsFunc(pids, func(pid int) bool {
			return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0) != nil
		})
	}
}

func (w *watch) begin() {
	w.clocks = map[string]time.Duration{}
	for name, pids := range w.all {
		if used, err := cpuTime(pids); err == nil { // else it is lost at the end
			w.clocks[name] = used
		}
	}
	w.waited, w.machine = ownWait(), readMachine(w.cores)
}

// end notes what was used since begin. A process that has ended is lost: its
// figures are unknown, not 0.
func (w *watch) end(r *hist.Slice) {
	r.MachineBusyMS, r.MachineStealMS = readMachine(w.cores).since(w.machine)
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

// ownWait is how long the threads of this process have been ready to run and
// waited for a core: the second number in schedstat, proc_pid_schedstat(5). It
// forgets threads that have ended, which those of Go's runtime hardly do. nil
// where the kernel does not count it.
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

// cpuTime is the CPU time that processes have used, user and system, summed:
// the clock of a process counts threads that have ended, too. Its id is made
// of the pid; see clock_getcpuclockid(3).
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

// peakRSS is the most memory that processes held since it was reset (VmHWM),
// summed, so for several an upper bound. One that has ended has none.
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
