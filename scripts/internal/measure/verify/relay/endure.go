package relay

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"fairstream/scripts/internal/measure/verify"
)

// pause is longer than the usual idle timeouts of servers.
const pause = 12 * time.Second

// slowIsNotDead keeps three streams silent at the same time: before the header, before the first token, and
// between tokens.
func slowIsNotDead(_ context.Context, s *subject) error {
	length := pause
	if s.Light {
		length = time.Second
	}
	type slow struct{ when, directives string }
	failed := make(chan error, 3)
	for _, w := range []slow{
		{"before the upstream's header", "@tokens=1 @itl=0s @headers="},
		{"before the first token", "@tokens=1 @itl=0s @ttft="},
		{"between two events", "@tokens=1 @itl="},
	} {
		id := s.ID()
		go func() {
			failed <- func() error {
				c, err := dial(s.Port)
				if err != nil {
					return err
				}
				defer c.Close()
				c.Patience = 3*length + verify.Patience
				if err = c.chat(fmt.Sprintf("hello @id=%s %s%v", id, w.directives, length)); err != nil {
					return err
				}
				a, err := c.finish()
				if err != nil {
					return fmt.Errorf("%v of silence %s: %w", length, w.when, err)
				}
				return s.same(a, id)
			}()
		}()
	}
	var first error
	for range 3 {
		if err := <-failed; first == nil {
			first = err
		}
	}
	return first
}

const (
	stalledTokens = 64
	stalledSize   = 1_000_000
	stalledMost   = 32_000_000 // bytes of growth
)

// stalledReader does not read a long answer until the stub can send no more, and then reads all of it.
// Meanwhile the server must serve others.
func stalledReader(ctx context.Context, s *subject) error {
	if err := unchanged("@tokens=5 @itl=0s")(ctx, s); err != nil {
		return err
	}
	if _, err := s.Peak(true); err != nil {
		return err
	}
	before, err := s.Peak(false)
	if err != nil {
		return err
	}
	c, err := dial(s.Port, func(fd int) error { return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 4096) })
	if err != nil {
		return err
	}
	defer c.Close()
	c.Most = verify.MaxPart
	id, tokens := s.ID(), s.Share(stalledTokens)
	if err := c.chat(fmt.Sprintf("hello @itl=0s @tokens=%d @size=%d @id=%s", tokens, stalledSize, id)); err != nil {
		return err
	}
	if err := s.Blocked(id, func() error { return unchanged("@tokens=5 @itl=0s")(ctx, s) }); err != nil {
		return err
	}
	after, err := s.Peak(false)
	if err != nil {
		return err
	}
	if grown := after - before; grown > stalledMost {
		return fmt.Errorf("memory grew by %d MB while a client read nothing of an answer of %d MB; want at most %d MB",
			grown/1_000_000, tokens*stalledSize/1_000_000, stalledMost/1_000_000)
	}
	c.SetReadBuffer(1 << 20) // saves time; may fail
	a, err := c.stream()
	for event := 0; err == nil && event < tokens+3; event++ {
		err = a.next()
	}
	if err != nil {
		return fmt.Errorf("after the client read on: %w", verify.Readable(err))
	}
	return nil
}

const (
	abortedStreams = 500 // of a batch
	abortBatches   = 4
	abortGrowth    = 1.05
)

// aborts compares the memory of batches of aborted streams. A leak grows in every batch. The heap of a
// garbage collector may grow in some.
func aborts(_ context.Context, s *subject) error {
	var peaks []int64
	streams := s.Share(abortedStreams)
	for batch := range 1 + abortBatches {
		for range streams {
			c, _, err := s.begin("@stall=1", 2)
			if err != nil {
				return err
			}
			c.Close()
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
		if n := len(peaks); n > 1 && float64(peak) <= abortGrowth*float64(peaks[n-2]) {
			return nil
		}
	}
	return fmt.Errorf("peak memory in batches of %d aborted streams: %s MB; want one that is at most %.0f %% over the one before",
		streams, megabytes(peaks), 100*(abortGrowth-1))
}

func megabytes(bytes []int64) string {
	var text []string
	for _, b := range bytes {
		text = append(text, fmt.Sprintf("%.1f", float64(b)/1e6))
	}
	return strings.Join(text, ", ")
}
