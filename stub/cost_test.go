package main

import (
	"bytes"
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

// The least that can be done: a loop that writes the bytes of the stub's own
// answer to as many sockets at the same pace, and neither parses nor counts.
// What the stub takes beside it is what its being a model costs.
//
//	go test -C stub -run '^$' -bench BareLoop -benchtime 1x .

const (
	costStreams = 50              // at a time
	costWarmUp  = time.Second     // not counted
	costWindow  = 3 * time.Second // of one measurement
	costRounds  = 6
)

func TestMain(m *testing.M) {
	switch os.Getenv("STUB_COST_ROLE") {
	case "stub":
		main()
	case "bare":
		fmt.Fprintln(os.Stderr, bare())
		os.Exit(1)
	default:
		os.Exit(m.Run())
	}
}

// bare is the loop. The writes of an answer are in a file.
func bare() error {
	data, err := os.ReadFile(os.Getenv("STUB_COST_WRITES"))
	if err != nil {
		return err
	}
	var writes [][]byte
	if err := json.Unmarshal(data, &writes); err != nil {
		return err
	}
	gap, err := time.ParseDuration(os.Getenv("STUB_COST_GAP"))
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/v1\n", ln.Addr())
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			request := make([]byte, 4096)
			for {
				if _, err := c.Read(request); err != nil { // the client sends a request in one write
					return
				}
				start := time.Now()
				for i, w := range writes {
					time.Sleep(time.Until(start.Add(time.Duration(i) * gap)))
					if _, err := c.Write(w); err != nil {
						return
					}
				}
			}
		}()
	}
}

func BenchmarkBesideABareLoop(b *testing.B) {
	for _, gap := range []string{"2ms", "10ms"} {
		b.Run(gap, func(b *testing.B) {
			request := post(chatBody("hello @tokens=20 @gap="+gap, false))
			var ratios []float64
			for range b.N {
				for round := range costRounds {
					cost := map[string]float64{}
					roles := []string{"stub", "bare"}
					if rand.IntN(2) == 0 {
						roles = []string{"bare", "stub"}
					}
					for _, role := range roles {
						cost[role] = costOf(b, role, gap, request)
					}
					ratios = append(ratios, cost["stub"]/cost["bare"])
					fmt.Printf("%s round %d: stub %.0f us of CPU a stream, bare loop %.0f us, ratio %.2f\n", gap, round+1, cost["stub"], cost["bare"], cost["stub"]/cost["bare"])
				}
			}
			sum, least, most := 0.0, math.Inf(1), 0.0
			for _, r := range ratios {
				sum, least, most = sum+math.Log(r), min(least, r), max(most, r)
			}
			fmt.Printf("%s: ratio %.2f, geometric mean of %d rounds (%.2f to %.2f)\n", gap, math.Exp(sum/float64(len(ratios))), len(ratios), least, most)
			b.ReportMetric(math.Exp(sum/float64(len(ratios))), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// costOf is the CPU time in us that a process takes for one stream.
func costOf(b *testing.B, role, gap, request string) float64 {
	b.Helper()
	file := filepath.Join(b.TempDir(), "writes.json")
	if role == "bare" {
		data, err := json.Marshal(answerOf(b, request))
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STUB_COST_ROLE="+role, "STUB_COST_WRITES="+file, "STUB_COST_GAP="+gap, "PORT=0")
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		cmd.Process.Kill()
		cmd.Wait() // it was killed
	}()
	line := make([]byte, 100)
	n, err := out.Read(line)
	if err != nil {
		b.Fatal(err)
	}
	addr := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(line[:n])), "http://"), "/v1")

	var done atomic.Int64
	var stop atomic.Bool
	var all sync.WaitGroup
	for range costStreams {
		all.Go(func() {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				b.Error(err)
				return
			}
			defer c.Close()
			buffer := make([]byte, 64<<10)
			for !stop.Load() {
				if _, err := io.WriteString(c, request); err != nil {
					b.Error(err)
					return
				}
				if err := untilEnd(c, buffer); err != nil {
					b.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	time.Sleep(costWarmUp)
	streams, used := done.Load(), cpuTimeOf(b, cmd.Process.Pid)
	time.Sleep(costWindow)
	streams, used = done.Load()-streams, cpuTimeOf(b, cmd.Process.Pid)-used
	stop.Store(true)
	all.Wait()
	if streams == 0 {
		b.Fatalf("%s: no stream ended", role)
	}
	return float64(used.Microseconds()) / float64(streams)
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

// answerOf is an answer of the stub, write by write: far enough apart, each is
// read as it was written.
func answerOf(b *testing.B, request string) (writes [][]byte) {
	b.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer ln.Close()
	go newStub().serve(ln)
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, strings.Replace(request, "@gap=2ms", "@gap=9ms", 1)); err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.Read(buffer)
		if err != nil {
			b.Fatal(err)
		}
		writes = append(writes, bytes.Clone(buffer[:n]))
		if bytes.HasSuffix(buffer[:n], []byte("0\r\n\r\n")) {
			break
		}
	}
	if len(writes) < 20 {
		b.Fatalf("%d writes, want one for each of 20 tokens", len(writes))
	}
	return writes
}

// cpuTimeOf is from the clock of a process; clock_getcpuclockid(3) has its id.
func cpuTimeOf(b *testing.B, pid int) time.Duration {
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(^pid<<3|2), uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		b.Fatal(errno)
	}
	return time.Duration(ts.Nano())
}
