package load

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func peak(t *testing.T, pids ...int) int64 {
	t.Helper()
	bytes, err := PeakRSS(pids)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// eventually waits for what must come true, however slow the machine is.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 2 minutes: %s", what)
		}
	}
}

func TestPeaksOfProcessesAreSummed(t *testing.T) {
	us, child := os.Getpid(), sleep(t)
	both, alone, none := peak(t, us, child), peak(t, child), peak(t)
	now := peak(t, us)
	const slack = 1 << 20 // the kernel's count of pages is not exact
	if both < alone+slack || both > alone+now+slack {
		t.Errorf("%d of both, %d and %d of each", both, alone, now)
	}
	if none != 0 {
		t.Errorf("no process holds %d", none)
	}
}

// sleep starts a process that does nothing until the test ends.
func sleep(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	// Until its own program runs, its memory is still ours.
	eventually(t, "sleep", func() bool {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", cmd.Process.Pid)) // it may have ended
		s, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))    // it may have ended
		return string(name) == "sleep\n" && strings.Contains(string(s), ") S ")
	})
	return cmd.Process.Pid
}
