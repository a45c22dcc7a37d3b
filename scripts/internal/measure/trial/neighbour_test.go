package trial

import (
	"errors"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Over many bursts the programs have the share, in bursts of the mean length, and each core about as often.
func TestBurstsHaveTheShare(t *testing.T) {
	const bursts = 20_000
	for _, c := range []struct {
		share    float64
		cores    []int
		programs int
	}{{0.5, []int{0, 1}, 1}, {0.2, []int{0, 1}, 1}, {0.5, []int{0, 1, 2, 3}, 2}, {0.75, []int{4, 6}, 2}, {0.3, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 3}} {
		all := schedulesOf(c.share, 7, c.cores)
		if len(all) != c.programs {
			t.Errorf("%g of %d cores: %d programs, want %d", c.share, len(c.cores), len(all), c.programs)
		}
		var taken float64
		var seen []int
		for _, s := range all {
			var on, off time.Duration
			each := map[int]int{}
			for range bursts {
				core, burst, pause := s.next()
				on, off = on+burst, off+pause
				each[core]++
			}
			if mean := on / bursts; math.Abs(float64(mean-meanBurst)) > 0.03*float64(meanBurst) {
				t.Errorf("%g of %d cores: bursts of %v in the mean; want %v", c.share, len(c.cores), mean, meanBurst)
			}
			for core, n := range each {
				seen = append(seen, core)
				if want := bursts / len(s.cores); math.Abs(float64(n-want)) > 0.1*float64(want) {
					t.Errorf("%g of %d cores: core %d in %d of %d bursts; want about %d", c.share, len(c.cores), core, n, bursts, want)
				}
			}
			taken += float64(on) / float64(on+off) / float64(len(c.cores))
		}
		slices.Sort(seen)
		if !slices.Equal(seen, c.cores) {
			t.Errorf("%g: cores %v in turn, want each of %v once", c.share, seen, c.cores)
		}
		if math.Abs(taken-c.share) > 0.02 {
			t.Errorf("%g of %d cores: %g is taken", c.share, len(c.cores), taken)
		}
	}
}

func TestTheSeedDecidesTheBursts(t *testing.T) {
	three := func(seed uint64) (all [3]time.Duration) {
		s := schedulesOf(0.2, seed, []int{0, 1})[0]
		for i := range all {
			_, burst, pause := s.next()
			all[i] = burst + pause
		}
		return all
	}
	if three(1) != three(1) || three(1) == three(2) {
		t.Errorf("seed 1: %v, again %v, seed 2: %v", three(1), three(1), three(2))
	}
}

// begin starts a neighbour, or skips the test where the priority may not be raised.
func begin(t *testing.T, share float64) *neighbour {
	t.Helper()
	n, err := startNeighbour(share, 2, ownCores())
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		t.Skip("only root may raise the priority of the neighbour")
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The programs are pinned to one core each, use it, and are gone after the end.
func TestTheNeighbourTakesACore(t *testing.T) {
	n := begin(t, 0.25)
	time.Sleep(3 * meanBurst)
	pids := []int{}
	for _, p := range n.programs {
		pids = append(pids, p.Pid)
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(p.Pid, &set); err != nil || set.Count() != 1 {
			t.Errorf("%d cores, %v; want one", set.Count(), err)
		}
		if nice, err := unix.Getpriority(unix.PRIO_PROCESS, p.Pid); err != nil || 20-nice != highest {
			t.Errorf("priority %d, %v; want %d", 20-nice, err, highest)
		}
	}
	took, err := n.stop()
	if err != nil || !(took > 1 && took < 100) {
		t.Errorf("took %g %%, %v", took, err)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d after the end: %v; want none", pid, err)
		}
	}
}

// A trial does not count if its neighbour went away.
func TestANeighbourThatEndsEarlyIsAnError(t *testing.T) {
	n := begin(t, 0.25)
	if err := syscall.Kill(n.programs[0].Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-n.programs[0].Done()
	if _, err := n.stop(); err == nil || !strings.Contains(err.Error(), "ended early") {
		t.Errorf("%v; want an error", err)
	}
}

func TestWithoutANeighbour(t *testing.T) {
	n, err := startNeighbour(0, 1, nil)
	if took, ended := n.stop(); n != nil || err != nil || took != 0 || ended != nil {
		t.Errorf("%v, %v, %g, %v; want nothing", n, err, took, ended)
	}
	if _, err := startNeighbour(0.5, 1, nil); err == nil {
		t.Error("a neighbour without cores")
	}
}
