package main

import (
	"math"
	"runtime"
	"syscall"
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

// calibrate is how many nanoseconds of a thread's CPU time a step takes, at
// best. Ten tries of half a million steps take some milliseconds.
func calibrate() float64 {
	const tries, steps = 10, 500_000
	runtime.LockOSThread() // the clock is the thread's
	defer runtime.UnlockOSThread()
	best, x := math.Inf(1), uint64(1)
	for range tries {
		before := threadNS()
		x = spin(x, steps)
		best = min(best, float64(threadNS()-before)/steps)
	}
	if x == 0 { // never, but the compiler does not know
		return 0
	}
	return best
}

// threadNS is the CPU time of this thread.
func threadNS() int64 {
	const clockThreadCPUTime = 3 // clock_gettime(2)
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPUTime, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}
