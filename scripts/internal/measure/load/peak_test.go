package load

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
	before := peak(t, us)
	if before < size {
		t.Errorf("peak %d after the use of %d bytes", before, size)
	}
	if err := ResetPeaks([]int{us, sleep(t)}); err != nil {
		t.Fatal(err)
	}
	if after := peak(t, us); after <= 0 || after > before-size+slack {
		t.Errorf("peak %d after the reset, %d before; %d bytes are free again", after, before, size)
	}
}

func TestAPeakIsInBytes(t *testing.T) {
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
	if got, want := peak(t, pid), units*1024; got != want {
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
		s, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // it may have ended
		return strings.Contains(string(s), ") Z ")
	})
	want := fmt.Sprintf("process %d: peak memory: /proc/%d/status: no line VmHWM: ", pid, pid)
	if bytes, err := PeakRSS([]int{os.Getpid(), pid}); !errors.Is(err, os.ErrProcessDone) || !strings.HasPrefix(err.Error(), want) || bytes != 0 {
		t.Errorf("ended: got %d, %v; want %s", bytes, err, want)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if bytes, err := PeakRSS([]int{os.Getpid(), pid}); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("process %d: peak memory: ", pid)) || bytes != 0 {
		t.Errorf("waited for: got %d, %v; want an error", bytes, err)
	}
	if err := ResetPeaks([]int{os.Getpid(), pid}); err == nil || !strings.Contains(err.Error(), fmt.Sprint(pid)) {
		t.Errorf("reset: got %v, want an error", err)
	}
}
