package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// A side is the stub or the reference, as a process of its own.
type side struct {
	cmd  *exec.Cmd
	addr string
}

// begin starts a program that prints its address, as the stub does.
func begin(stdin io.Reader, bin string, args ...string) (*side, error) {
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "PORT=0")
	cmd.Stdin, cmd.Stderr = stdin, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w; build the stub with: scripts/bench setup", err)
	}
	s := &side{cmd: cmd}
	line := make([]byte, 100)
	n, err := out.Read(line)
	if err != nil {
		s.end()
		return nil, fmt.Errorf("%s: no address: %w", bin, err)
	}
	s.addr = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(line[:n])), "http://"), "/v1")
	return s, nil
}

func (s *side) end() {
	_ = s.cmd.Process.Kill() // it may have ended already
	_ = s.cmd.Wait()         // we killed it
}

// cpuTime is from the clock of the process; clock_getcpuclockid(3) has its id.
func (s *side) cpuTime() (time.Duration, error) {
	var ts syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(^s.cmd.Process.Pid<<3|2), uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0, errno
	}
	return time.Duration(ts.Nano()), nil
}

// run is the CPU time for a token, in microseconds: of the stub, or else of the reference.
func run(isStub bool, p pace, starts uint64) (us float64, err error) {
	var s *side
	switch {
	case isStub:
		s, err = begin(nil, *stubBin)
	case *reference != "":
		s, err = begin(nil, *reference)
	default:
		s, err = beginBare(p)
	}
	if err != nil {
		return 0, err
	}
	defer s.end()
	d, err := drain(s.addr, p, starts)
	if err != nil {
		return 0, err
	}
	defer d.end() // a second time; the first returns its error
	time.Sleep(*settle)
	from, err := s.cpuTime()
	fromEvents := d.events.Load()
	time.Sleep(*window)
	to, toErr := s.cpuTime()
	toEvents := d.events.Load()
	if err := errors.Join(err, toErr, d.end()); err != nil {
		return 0, err
	}
	tokens := float64(toEvents-fromEvents) * costTokens / costEvents
	want := float64(p.streams) * costTokens * window.Seconds() / p.period().Seconds()
	if tokens == 0 || tokens < *kept*want {
		return 0, fmt.Errorf("%v: %.0f tokens in %v, want %.0f; the machine is too busy to keep the pace", p, tokens, *window, want)
	}
	return float64((to - from).Nanoseconds()) / 1000 / tokens, nil
}

// beginBare starts the bare loop, which is this program, with the writes of the stub.
func beginBare(p pace) (*side, error) {
	s, err := begin(nil, *stubBin)
	if err != nil {
		return nil, err
	}
	defer s.end()
	writes, err := writesOf(s.addr, p.itl)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(writes)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return begin(strings.NewReader(string(text)), self, "bare")
}
