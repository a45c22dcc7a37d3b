package files

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/verify"
)

const (
	stalledMB   = 64
	stalledMost = 32_000_000 // bytes of growth
)

// stalled opens a file whose client reads nothing, and waits until the stub can send no more. The
// server must serve others at the same time.
func stalled(s *verify.Subject, mb int) (*verify.Client, string, []byte, error) {
	// Before the connection, since a server need not wait for a request for as long as this may take.
	name, want := seeded(fmt.Sprintf("%dm-%%d,piece=100k,id=%s", mb, s.ID()))
	c, err := verify.Dial(s.Port, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) })
	if err != nil {
		return nil, "", nil, err
	}
	c.Most = verify.MaxPart
	if err := ask(c, "GET", name, ""); err != nil {
		return c, name, want, err
	}
	return c, name, want, s.Blocked(idOf(name), func() error { return anew(s, "200k-%d") })
}

// stalledReader does not read a long answer until the stub can send no more, and then reads all of it.
func stalledReader(_ context.Context, s *verify.Subject) error {
	for range 5 { // a server grows to its usual size
		if err := anew(s, "200k-%d"); err != nil {
			return err
		}
	}
	if _, err := s.Peak(true); err != nil {
		return err
	}
	before, err := s.Peak(false)
	if err != nil {
		return err
	}
	c, _, want, err := stalled(s, s.Share(stalledMB))
	if c != nil {
		defer c.Close()
	}
	if err != nil {
		return err
	}
	after, err := s.Peak(false)
	if err != nil {
		return err
	}
	if grown := after - before; grown > stalledMost {
		return fmt.Errorf("memory grew by %d MB while a client read nothing of a file of %d MB; want at most %d MB",
			grown/1_000_000, len(want)/1_000_000, stalledMost/1_000_000)
	}
	c.SetReadBuffer(1 << 20) // saves time; may fail
	a, err := receive(c, want)
	if err == nil {
		err = a.whole()
	}
	if err != nil {
		return fmt.Errorf("after the client read on: %w", verify.Readable(err))
	}
	return nil
}

// slowReader pauses between reads, so that the server must stop and go on many times.
func slowReader(_ context.Context, s *verify.Subject) error {
	name, want := seeded(fmt.Sprintf("%dm-%%d", s.Share(stalledMB)))
	c, err := verify.Dial(s.Port, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 64<<10) })
	if err != nil {
		return err
	}
	defer c.Close()
	c.Most = verify.MaxPart
	a, err := get(c, name, want)
	if err != nil {
		return err
	}
	for parts := 50; parts > 0; parts-- {
		if err := a.upTo(len(want) / parts); err != nil {
			return fmt.Errorf("a client that reads slowly: after %d bytes: %w", len(a.Body), verify.Readable(err))
		}
		time.Sleep(20 * time.Millisecond)
	}
	return a.whole()
}

const (
	abortedRequests = 500 // of a batch
	abortBatches    = 16
	abortGrowth     = 0.05 // of a batch, as a share of the memory after the first
)

// aborts compares the memory of batches of aborted requests. A leak grows in every batch by the same. The heap of a
// garbage collector grows until a full collection, and then stays. Node needs up to nine batches for that, even
// with node:http alone. After a forced collection it holds no more than in the beginning. The share is one of the first
// batch, so that more batches do not hide a leak.
func aborts(_ context.Context, s *verify.Subject) error {
	var peaks []int64
	requests := s.Share(abortedRequests)
	for batch := range 1 + abortBatches {
		for range requests {
			m := member{}
			m.name, m.file = seeded("20k-%d,stall=10k,id=" + s.ID())
			err := m.open(s)
			if err == nil {
				err = arrived(s, idOf(m.name), 1)
			}
			if m.Client != nil {
				m.Client.Close()
			}
			if err != nil {
				return err
			}
		}
		if err := s.NoneOpen(); err != nil {
			return err
		}
		peak, err := s.Peak(true)
		if err != nil {
			return err
		}
		if batch == 0 {
			continue // warm-up: a server grows to its usual size
		}
		peaks = append(peaks, peak)
		if n := len(peaks); n > 1 && float64(peak-peaks[n-2]) <= abortGrowth*float64(peaks[0]) {
			return nil
		}
	}
	return fmt.Errorf("peak memory in batches of %d aborted requests: %s MB; want one that is at most %.1f MB (%.0f %% of the first) over the one before",
		requests, megabytes(peaks), abortGrowth*float64(peaks[0])/1e6, 100*abortGrowth)
}

func megabytes(bytes []int64) string {
	var text []string
	for _, b := range bytes {
		text = append(text, fmt.Sprintf("%.1f", float64(b)/1e6))
	}
	return strings.Join(text, ", ")
}
