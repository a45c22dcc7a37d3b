package main

import (
	"syscall"
	"time"
	"unsafe"
)

// cpuTime is the CPU time of a process, with ended threads. The id of its clock is made from the
// pid (clock_getcpuclockid).
func cpuTime(pid int) time.Duration {
	var t syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(int32(^pid<<3|2)), uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
