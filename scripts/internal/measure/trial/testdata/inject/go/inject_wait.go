package main

import (
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// A timer is a timer of the kernel that is read like a socket. A stream waits for it as for the upstream,
// without a thread, so no thread is blocked. The kernel's timer is exact to the microsecond. Go's own sleep
// rounds up to a millisecond while a program is idle, and nanosleep(2) keeps its core until the runtime
// notices.
type timer struct {
	fd   int
	file *os.File
}

var (
	idleMu sync.Mutex
	idle   []timer // that nobody waits for
)

// A delay hits a share of the streams. A wait ends late by its wake-up time, which is a third of a delay of a
// tenth of a TTFT. So each wait is set to end earlier by the lateness of earlier ones, but never by more than
// half. One long wait on a busy machine then does not cancel the next.
type delay struct {
	mu     sync.Mutex
	waits  int
	lateUS float64 // in the mean, of the last lately waits and those before, which fade
}

const lately = 32

// wait waits for us microseconds, give or take, and says how long it was.
func (d *delay) wait(us float64) (took time.Duration, err error) {
	if us <= 0 {
		return 0, nil
	}
	started := time.Now()
	t, err := takeTimer()
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	set := us - d.lateUS
	d.mu.Unlock()
	spec := [2]syscall.Timespec{{}, syscall.NsecToTimespec(int64(set * 1000))} // once
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, uintptr(t.fd), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0); errno != 0 {
		return 0, fmt.Errorf("timerfd_settime: %w", errno)
	}
	var expired [8]byte
	if _, err := t.file.Read(expired[:]); err != nil {
		return 0, err
	}
	idleMu.Lock()
	idle = append(idle, t)
	idleMu.Unlock()
	took = time.Since(started)
	d.late(min(float64(took)/1000-set, us/2))
	return took, nil
}

func (d *delay) late(us float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waits = min(d.waits+1, lately)
	d.lateUS += (us - d.lateUS) / float64(d.waits)
}

func takeTimer() (timer, error) {
	idleMu.Lock()
	defer idleMu.Unlock()
	if last := len(idle) - 1; last >= 0 {
		t := idle[last]
		idle = idle[:last]
		return t, nil
	}
	const clockMonotonic = 1 // clock_gettime(2)
	fd, _, errno := syscall.RawSyscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return timer{}, fmt.Errorf("timerfd_create: %w", errno)
	}
	return timer{int(fd), os.NewFile(fd, "timer")}, nil
}
