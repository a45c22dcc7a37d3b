package load

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// The CPU time of a process in a slice of another machine is known, and so is its end.
func TestClocksOfServersAreReadAllTheTime(t *testing.T) {
	short := exec.Command("sleep", "0.3")
	if err := short.Start(); err != nil {
		t.Fatal(err)
	}
	r := readClocks([]string{"self", "short"}, [][]int{{os.Getpid()}, {short.Process.Pid}}, "lo")
	begin := r.now()
	before, ok := cpuTime([]int{os.Getpid()})
	if !ok {
		t.Fatal("our own clock cannot be read")
	}
	for now := before; now < before+200*time.Millisecond; now, _ = cpuTime([]int{os.Getpid()}) { // burns
	}
	end := r.now()
	if err := short.Wait(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * machineEvery)
	clocks := r.stop()
	clocks.AheadMS = 5000
	dir := t.TempDir()
	if err := raw.WriteJSON(dir+"/"+raw.ClocksFile, clocks); err != nil {
		t.Fatal(err)
	}
	level, _ := clocks.BusiestLink([]hist.Slice{{Level: "x", StartedUnixMS: int64(begin), TookMS: end - begin}})
	n := len(clocks.AtMS)
	if len(clocks.CPUMS[0]) != n || len(clocks.CPUMS[1]) >= n || len(clocks.CPUMS[1]) < 5 {
		t.Errorf("%d readings of our clock in %d, and %d of one that ended; busiest %q", len(clocks.CPUMS[0]), n, len(clocks.CPUMS[1]), level)
	}
	if used := clocks.CPUMS[0][n-1] - clocks.CPUMS[0][0]; used < 150 {
		t.Errorf("%g ms used; want 200 or more", used)
	}
	last := clocks.Machine[len(clocks.Machine)-1]
	if last.BusyMS == nil || *last.BusyMS < 200 || last.PeakRSSBytes[0] < 1<<20 {
		t.Errorf("%+v", last)
	}
}
