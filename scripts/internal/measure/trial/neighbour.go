package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/usage"
)

// meanBurst is how long the neighbour keeps a core, in the mean. Bursts are exponential, so most are shorter than
// a slice of half a second, and some are much longer.
const meanBurst = 500 * time.Millisecond

// A neighbour takes whole cores at random, as the host of a virtual machine does for its other guests. It consists
// of programs that compute without end. They have the highest priority, because a guest cannot compete with its
// host. k6 does not know them, so records have them as other programs. A real host's share is steal instead, or
// nothing shows it. A nil neighbour takes nothing.
type neighbour struct {
	programs []*process.Process
	cores    int
	started  time.Time
	end      context.CancelFunc
	bursting sync.WaitGroup
	failed   chan error
}

// highest is the nice value of the highest priority.
const highest = -20

// startNeighbour starts a neighbour that takes a share of these cores. The same seed gives the same bursts.
func startNeighbour(share float64, seed uint64, cores []int) (*neighbour, error) {
	if share == 0 {
		return nil, nil
	}
	if len(cores) == 0 {
		return nil, errors.New("neighbour: /proc/self/status: no list of cores; leave -neighbour out")
	}
	ctx, end := context.WithCancel(context.Background())
	schedules := schedulesOf(share, seed, cores)
	n := &neighbour{cores: len(cores), started: time.Now(), end: end, failed: make(chan error, len(schedules))}
	for _, s := range schedules {
		p, err := process.Start(process.Command{Args: []string{"sh", "-c", "while :; do :; done"}, Bare: true}, os.DevNull)
		if err == nil {
			n.programs = append(n.programs, p)
			err = unix.Setpriority(unix.PRIO_PROCESS, p.Pid, highest)
		}
		if err != nil {
			n.stop() // the first error says more
			return nil, fmt.Errorf("neighbour: priority %d: %w; run it as root", highest, err)
		}
		n.bursting.Go(func() { n.failed <- s.run(ctx, p) })
	}
	return n, nil
}

// stop ends the neighbour, and returns how much of its cores it had, in per cent. It is an error when a program
// ended before, since the load then had less of a neighbour than the trial says.
func (n *neighbour) stop() (tookPct float64, err error) {
	if n == nil {
		return 0, nil
	}
	n.end()
	n.bursting.Wait()
	close(n.failed)
	for failed := range n.failed {
		err = cmp.Or(err, failed)
	}
	seconds := time.Since(n.started).Seconds()
	for _, p := range n.programs {
		p.Kill() // SIGTERM would wait for the end of a pause
		tookPct += 100 * p.CPUTime().Seconds() / seconds / float64(n.cores)
	}
	return tookPct, err
}

// A schedule says when one program of the neighbour has which core.
type schedule struct {
	random *rand.Rand
	cores  []int   // one at a time
	duty   float64 // share of the time
}

// schedulesOf divides the cores among as few programs as can take the share. No two programs have the same core,
// since both together would take only one.
func schedulesOf(share float64, seed uint64, cores []int) (all []schedule) {
	const rounding = 1e-9 // 0.3 of ten cores is a little more than three
	taken := share * float64(len(cores))
	n := int(math.Ceil(taken - rounding))
	for i := range n {
		s := schedule{random: rand.New(rand.NewPCG(seed, uint64(i))), duty: min(1, taken/float64(n))}
		for j := i; j < len(cores); j += n {
			s.cores = append(s.cores, cores[j])
		}
		all = append(all, s)
	}
	return all
}

// next draws a core, how long to keep it, and the pause after that.
func (s schedule) next() (core int, burst, pause time.Duration) {
	mean := float64(meanBurst)
	core = s.cores[s.random.IntN(len(s.cores))]
	burst = time.Duration(mean * s.random.ExpFloat64())
	pause = time.Duration(mean * (1 - s.duty) / s.duty * s.random.ExpFloat64())
	return core, burst, pause
}

// run lets a program burst until ctx ends.
func (s schedule) run(ctx context.Context, p *process.Process) error {
	for {
		core, burst, pause := s.next()
		var set unix.CPUSet
		set.Set(core)
		if err := unix.SchedSetaffinity(p.Pid, &set); err != nil {
			return fmt.Errorf("neighbour: core %d: %w; it ended early, so the trial does not count; run it again", core, err)
		}
		p.Signal(syscall.SIGCONT)
		if !wait(ctx, p, burst) {
			break
		}
		if pause > 0 {
			p.Signal(syscall.SIGSTOP)
			if !wait(ctx, p, pause) {
				break
			}
		}
	}
	select {
	case <-p.Done():
		return fmt.Errorf("neighbour: %s; it ended early, so the trial does not count; run it again", p.Ending())
	default:
		return nil
	}
}

// wait reports whether the time passed before the context or the program ended.
func wait(ctx context.Context, p *process.Process, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-p.Done():
		return false
	case <-timer.C:
		return true
	}
}

// ownCores are the cores that this process may use.
func ownCores() []int { return usage.Allowed(os.DirFS("/")) }
