package load

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/usage"
)

// How often clocks are read while another machine loads the servers. k6 cannot read them at the edges of slices, so they are read all
// the time, and the time between two readings is taken as even. CPU time costs a system call for each process; the rest reads files.
const (
	clockEvery   = 10 * time.Millisecond
	machineEvery = 100 * time.Millisecond
)

// A clocksReader reads the clocks of servers until stop.
type clocksReader struct {
	device string  // of the network card
	pids   [][]int // by process, as names
	base   time.Time
	over   chan struct{}
	done   sync.WaitGroup
	clocks raw.Clocks
}

// readClocks begins to read the clocks of processes by name, of this machine, and of a network card.
func readClocks(names []string, pids [][]int, device string) *clocksReader {
	r := &clocksReader{device: device, pids: pids, base: time.Now(), over: make(chan struct{})}
	r.clocks.Names, r.clocks.CPUMS = names, make([][]float64, len(names))
	r.done.Go(func() {
		tick := time.NewTicker(clockEvery)
		defer tick.Stop()
		for n := 0; ; n++ {
			r.readCPU()
			if n%int(machineEvery/clockEvery) == 0 {
				r.readMachine()
			}
			select {
			case <-r.over:
				r.readCPU()
				r.readMachine()
				return
			case <-tick.C:
			}
		}
	})
	return r
}

// now is our time in Unix ms, on a clock that nobody sets.
func (r *clocksReader) now() float64 {
	return float64(r.base.UnixMicro())/1000 + float64(time.Since(r.base).Microseconds())/1000
}

// stop ends the readings and returns them.
func (r *clocksReader) stop() raw.Clocks {
	close(r.over)
	r.done.Wait()
	return r.clocks
}

func (r *clocksReader) readCPU() {
	r.clocks.AtMS = append(r.clocks.AtMS, r.now())
	for i, pids := range r.pids {
		if len(r.clocks.CPUMS[i]) < len(r.clocks.AtMS)-1 {
			continue // it has ended
		}
		if used, ok := cpuTime(pids); ok {
			r.clocks.CPUMS[i] = append(r.clocks.CPUMS[i], float64(used.Microseconds())/1000)
		}
	}
}

// cpuTime sums the user and system time of processes, with their ended threads. ok is false if one has ended. The clock's id is made
// from the pid; see clock_getcpuclockid(3).
func cpuTime(pids []int) (sum time.Duration, ok bool) {
	for _, pid := range pids {
		var ts unix.Timespec
		if unix.ClockGettime(int32(^pid<<3|2), &ts) != nil {
			return 0, false
		}
		sum += time.Duration(ts.Nano())
	}
	return sum, true
}

func (r *clocksReader) readMachine() {
	reading := raw.Reading{AtMS: r.now()}
	for _, pids := range r.pids {
		peak, err := PeakRSS(pids)
		if err != nil || ResetPeaks(pids) != nil {
			peak = 0 // unknown
		}
		reading.PeakRSSBytes = append(reading.PeakRSSBytes, peak)
	}
	if all, cores := usage.CPUs(os.DirFS("/")); cores > 0 {
		const tickMS = 10
		reading.BusyMS, reading.StealMS = new(float64(tickMS*all.Busy)), new(float64(tickMS*all.Steal))
	}
	dir := filepath.Join("/sys/class/net", r.device)
	reading.ReceivedBytes, reading.SentBytes = number(filepath.Join(dir, "statistics/rx_bytes")), number(filepath.Join(dir, "statistics/tx_bytes"))
	r.clocks.Machine = append(r.clocks.Machine, reading)
}

// number reads a file with a whole number; 0 is unknown.
func number(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
