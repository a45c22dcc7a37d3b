package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The difference between the stub and the bare loop is the cost of being a model.
//
//	go test -C stub -run '^$' -bench BareLoop -benchtime 1x .
//
// The two run at the same time, and each stream of one begins with a stream of
// the other. How many streams one wake-up of a thread serves depends on how
// they happen to bunch: measured one after the other, with each stream started
// when the last had ended, two bare loops differed by sd 7 % at 2 ms and 9 %
// at 10 ms; like this they differ by 1 and 2 %:
//
//	go test -C stub -run '^$' -bench BesideItself -benchtime 1x .
//
// Side by side they also share the wake-ups of idle cores, which both must pay
// for, so the ratio comes out above that of two processes that run alone.
//
// This is how the cost of a way to wait was measured: the loop with that way beside the unchanged loop, at 2
// and at 10 ms, in 4 rounds each:
//
//	1.14 1.11  a timer and the client's leaving in one select
//	1.09 1.07  the timer's channel alone, the timer reset when the client leaves
//	1.18 1.14  a read of the socket, until a deadline
//	1.07 1.05  time.Sleep, then a look into the socket with MSG_PEEK
//	1.03 1.02  time.Sleep, and requests handed over by a goroutine that reads
//
// The last is what the stub does, since its reader sees the client leave. Base
// 36 of its own and an atomic flag instead of the closed channel were tried
// too: two stubs side by side differed by no more than a stub beside itself.

const (
	costStreams = 50 // at a time
	costTokens  = 20
	costPeriod  = costTokens + 2  // itls from one stream of a connection to the next
	costWarmUp  = time.Second     // not counted
	costWindow  = 3 * time.Second // of one measurement
	costRounds  = 6
	costMost    = 1.3 // times the bare loop
)

func BenchmarkBesideABareLoop(b *testing.B) { beside(b, "stub") }
func BenchmarkBesideItself(b *testing.B)    { beside(b, "bare") }

func beside(b *testing.B, role string) {
	for _, itl := range []time.Duration{2 * time.Millisecond, 10 * time.Millisecond} {
		b.Run(itl.String(), func(b *testing.B) {
			sum, least, most, n := 0.0, math.Inf(1), 0.0, 0
			for range b.N {
				for round := range costRounds {
					it, bare := costs(b, role, itl)
					ratio := it / bare
					sum, least, most, n = sum+math.Log(ratio), min(least, ratio), max(most, ratio), n+1
					fmt.Printf("%v round %d: %s %.0f us of CPU a stream, bare loop %.0f us, ratio %.3f\n", itl, round+1, role, it, bare, ratio)
				}
			}
			mean := math.Exp(sum / float64(n))
			fmt.Printf("%v: ratio %.3f, geometric mean of %d rounds (%.3f to %.3f)\n", itl, mean, n, least, most)
			if mean > costMost {
				b.Errorf("%s takes %.3f times the CPU of a bare loop, want %.1f at most", role, mean, costMost)
			}
			b.ReportMetric(mean, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// costs are the CPU times in us that a role and a bare loop beside it take for
// one stream.
func costs(b *testing.B, role string, itl time.Duration) (it, bare float64) {
	b.Helper()
	writes, err := writesOf(costTokens, itl)
	if err != nil {
		b.Fatal(err)
	}
	data, err := json.Marshal(writes)
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.TempDir(), "writes.json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		b.Fatal(err)
	}
	request := post(chatBody(fmt.Sprintf("hello @tokens=%d @itl=%v", costTokens, itl), false))
	sides := [2]*side{begin(b, role, file), begin(b, "bare", file)}
	defer sides[0].end()
	defer sides[1].end()
	var stop atomic.Bool
	var all sync.WaitGroup
	start := time.Now().Add(100 * time.Millisecond)
	for range costStreams {
		first := start.Add(rand.N(costPeriod * itl))
		for _, s := range sides {
			all.Go(func() { s.ask(b, request, first, costPeriod*itl, &stop) })
		}
	}
	time.Sleep(costWarmUp)
	from := [2]mark{sides[0].mark(b), sides[1].mark(b)}
	time.Sleep(costWindow)
	to := [2]mark{sides[0].mark(b), sides[1].mark(b)}
	stop.Store(true)
	all.Wait()
	return costUS(b, from[0], to[0]), costUS(b, from[1], to[1])
}

// A side is one process under load.
type side struct {
	pid  int
	addr string
	done atomic.Int64 // streams
	end  func()
}

// begin starts a side.
func begin(b *testing.B, role, file string) *side {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STUB_COST_ROLE="+role, "STUB_COST_WRITES="+file, "PORT=0")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	end := func() {
		cmd.Process.Kill()
		cmd.Wait() // it was killed
	}
	line := make([]byte, 100)
	n, err := out.Read(line)
	if err != nil {
		end()
		b.Fatal(err)
	}
	addr := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(line[:n])), "http://"), "/v1")
	return &side{end: end, pid: cmd.Process.Pid, addr: addr}
}

// ask has streams on one connection: at first, and then one in every period.
func (s *side) ask(b *testing.B, request string, first time.Time, period time.Duration, stop *atomic.Bool) {
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		b.Error(err)
		return
	}
	defer c.Close()
	buffer := make([]byte, 64<<10)
	for at := first; !stop.Load(); at = at.Add(period) {
		time.Sleep(time.Until(at))
		if _, err := io.WriteString(c, request); err != nil {
			b.Error(err)
			return
		}
		if err := untilEnd(c, buffer); err != nil {
			b.Error(err)
			return
		}
		s.done.Add(1)
	}
}

// untilEnd reads to the end of a chunked answer.
func untilEnd(c net.Conn, buffer []byte) error {
	var tail [5]byte
	for {
		n, err := c.Read(buffer)
		if err != nil {
			return err
		}
		copy(tail[:], append(tail[:], buffer[max(0, n-5):n]...)[min(n, 5):])
		if string(tail[:]) == "0\r\n\r\n" {
			return nil
		}
	}
}

// A mark is what a side had done and used at one time.
type mark struct {
	streams int64
	used    time.Duration // of CPU
}

func (s *side) mark(b *testing.B) mark { return mark{s.done.Load(), cpuTimeOf(b, s.pid)} }

// costUS is the CPU time of one stream between two marks.
func costUS(b *testing.B, from, to mark) float64 {
	if to.streams == from.streams {
		b.Fatal("no stream ended")
	}
	return float64((to.used - from.used).Microseconds()) / float64(to.streams-from.streams)
}

// cpuTimeOf is from the clock of a process; clock_getcpuclockid(3) has its id.
func cpuTimeOf(b *testing.B, pid int) time.Duration {
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(^pid<<3|2), uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		b.Fatal(errno)
	}
	return time.Duration(ts.Nano())
}
