package sample

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAPeakIsKeptUntilItIsReset(t *testing.T) {
	const size, slack = 64 << 20, 24 << 20
	us := os.Getpid()
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < size; i += 4096 {
		memory[i] = 1
	}
	if err := unix.Munmap(memory); err != nil {
		t.Fatal(err)
	}
	peak := read(t, us).PeakRSSBytes
	if peak < size {
		t.Errorf("peak %d after the use of %d bytes", peak, size)
	}
	if err := ResetPeaks([]int{us, sleep(t)}); err != nil {
		t.Fatal(err)
	}
	if after := read(t, us).PeakRSSBytes; after <= 0 || after > peak-size+slack {
		t.Errorf("peak %d after the reset, %d before; %d bytes are free again", after, peak, size)
	}
}

func TestAPeakIsInBytesWhatTheKernelSaysInUnitsOf1024(t *testing.T) {
	pid := sleep(t)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(status), "VmHWM:")
	var units int64
	if _, err := fmt.Sscanf(text, "%d kB", &units); err != nil {
		t.Fatalf("%v in %s", err, status)
	}
	if got, want := read(t, pid).PeakRSSBytes, units*1024; got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestAProcessThatIsGoneIsAnErrorWithItsID(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	eventually(t, "a zombie", func() bool {
		s, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return strings.Contains(string(s), ") Z ")
	})
	want := fmt.Sprintf("process %d: peak memory: /proc/%d/status: no line VmHWM: ", pid, pid)
	if cost, err := Read([]int{os.Getpid(), pid}); !errors.Is(err, os.ErrProcessDone) || !strings.HasPrefix(err.Error(), want) || cost != (Cost{}) {
		t.Errorf("ended: got %+v, %v; want %s", cost, err, want)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if cost, err := Read([]int{os.Getpid(), pid}); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("process %d: CPU clock: ", pid)) || cost != (Cost{}) {
		t.Errorf("waited for: got %+v, %v; want an error of its clock", cost, err)
	}
	if err := ResetPeaks([]int{os.Getpid(), pid}); err == nil || !strings.Contains(err.Error(), fmt.Sprint(pid)) {
		t.Errorf("reset: got %v, want an error", err)
	}
}
