package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// startStub returns a running stub and the root of its API.
func startStub() (*exec.Cmd, string, error) {
	stub := exec.Command(*stubBin)
	stub.Env = []string{"PORT=0"}
	stub.Stderr = os.Stderr
	out, err := stub.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := stub.Start(); err != nil {
		return nil, "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		end(stub)
		return nil, "", fmt.Errorf("%s: no address: %w", *stubBin, err)
	}
	return stub, strings.TrimSpace(line), nil
}

func end(c *exec.Cmd) {
	_ = c.Process.Kill() // it may have ended by itself
	_ = c.Wait()
}

// completed is how many streams the stub has sent whole.
func completed(base string) (float64, error) {
	res, err := http.Get(strings.TrimSuffix(base, "/v1") + "/stats")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	var stats struct{ Completed float64 }
	err = json.NewDecoder(res.Body).Decode(&stats)
	return stats.Completed, err
}

// cpuTime is what a process has used, with its threads that ended: the clock
// of the process, whose number is made of its id (clock_getcpuclockid).
func cpuTime(pid int) time.Duration {
	var t syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(int32(^pid<<3|2)), uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
