package common

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A program that nobody watches and that runs in a slice is in the machine's
// time, beyond that of all that is watched. How much it got of a busy machine
// its own clock says.
func TestANeighbourIsInTheMachinesTimeOfASlice(t *testing.T) {
	neighbour := exec.Command("sh", "-c", "while :; do :; done")
	neighbour.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := neighbour.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = neighbour.Process.Kill()
		_ = neighbour.Wait()
	})
	pids := []int{neighbour.Process.Pid}
	before, err := cpuTime(pids)
	if err != nil {
		t.Fatal(err)
	}
	var cores []int // that both of us may use
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	for core := range len(set) * 64 {
		if set.IsSet(core) {
			cores = append(cores, core)
		}
	}
	slice := Slice{Level: "x", Targets: []int{0}, VUs: 1, MS: 1000}
	_, report := deal(t, Schedule{Targets: []Target{{"a", ""}}, Cores: cores, Slices: []Slice{slice}})
	after, err := cpuTime(pids)
	if err != nil {
		t.Fatal(err)
	}
	r := report.Slices[0]
	if r.MachineBusyMS == nil || r.MachineStealMS == nil {
		t.Fatalf("not known: %+v", r)
	}
	// Both are read before and after the slice, and in ticks of 10 ms.
	got, used := *r.MachineBusyMS-r.CPUMS[itself], ms(after-before)
	if most := float64(len(cores))*r.TookMS*1.5 + 100; got < used/2-50 || got > most {
		t.Errorf("%.0f ms of others in the slice, where one used %.0f; want that or more, and at most %.0f", got, used, most)
	}
	if *r.MachineStealMS < 0 {
		t.Errorf("%.0f ms stolen", *r.MachineStealMS)
	}
}

// Of the cores that are named, or of all.
func TestTheMachineIsItsCores(t *testing.T) {
	one, all := readMachine([]int{0}), readMachine(nil)
	if one == nil || all == nil || one.busy <= 0 || one.busy > all.busy {
		t.Errorf("core 0 %+v, all %+v", one, all)
	}
	if one.cores != 1 || all.cores < runtime.NumCPU() {
		t.Errorf("core 0 is %d cores, and all are %d", one.cores, all.cores)
	}
	if none := readMachine([]int{0, 1 << 20}); none != nil {
		t.Errorf("a core that is not there: %+v", none)
	}
	if busy, steal := all.since(nil); busy != nil || steal != nil {
		t.Errorf("since what is not known: %v, %v", busy, steal)
	}
}
