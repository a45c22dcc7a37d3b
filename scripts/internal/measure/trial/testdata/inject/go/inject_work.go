package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// spin makes this many steps. Each needs the result of the one before, so the latency of one multiplication
// and one addition limits it. Neither caches nor the other thread of the core change that.
func spin(x uint64, steps int) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

// calibrate measures ten times a second how many nanoseconds of a thread's CPU time a step takes. A busy core
// takes longer: sizes that were measured once, at the start, were 9 to 17 % larger than the server said.
func (p *inject) calibrate() {
	const steps = 20_000
	runtime.LockOSThread() // the clock is the thread's
	for tries, x := 1, uint64(1); ; tries++ {
		before := threadNS()
		x = spin(x, steps)
		took := float64(threadNS()-before) / steps
		p.mu.Lock()
		p.told.NSPerIteration += (took - p.told.NSPerIteration) / float64(tries)
		p.sink += x // else the work would be optimised away
		p.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
	}
}

// threadNS is the CPU time of this thread.
func threadNS() int64 {
	const clockThreadCPUTime = 3 // clock_gettime(2)
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPUTime, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}
