// Package progress tells a person how far a command is: a line that is redrawn
// on a terminal, one plain line per step elsewhere.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A Bar shows one step at a time. A Bar with a total, the planned time of all
// its steps, shows its share and the time left; one without shows the time
// since the step began.
type Bar struct {
	w        io.Writer
	terminal bool
	total    time.Duration
	done     time.Duration // planned time of the steps that have ended
	end      func()        // ends the step that is being drawn
}

// New makes a bar that writes to w.
func New(w io.Writer, total time.Duration) *Bar {
	return &Bar{w: w, terminal: isTerminal(w), total: total, end: func() {}}
}

// Step begins a step that is planned to take so long (0: nobody knows), and
// ends the step before.
func (b *Bar) Step(label string, planned time.Duration) {
	b.End()
	if !b.terminal {
		fmt.Fprintln(b.w, b.line(label, 0)) // nobody may be reading
		b.done += planned
		return
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	b.end = func() {
		close(stop)
		<-stopped
		b.done += planned
	}
	go func() {
		defer close(stopped)
		start := time.Now()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			now := time.Since(start)
			if b.total > 0 {
				now = min(now, planned)
			}
			fmt.Fprint(b.w, "\r\033[K"+b.line(label, now)) // nobody may be reading
			select {
			case <-stop:
				fmt.Fprint(b.w, "\r\033[K") // nobody may be reading
				return
			case <-tick.C:
			}
		}
	}()
}

// End ends the current step and clears its line.
func (b *Bar) End() {
	b.end()
	b.end = func() {}
}

// line is the text of a step that began so long ago.
func (b *Bar) line(label string, ago time.Duration) string {
	if b.total == 0 {
		if b.terminal {
			return fmt.Sprintf("%s  %v", label, ago.Round(time.Second))
		}
		return label
	}
	share := min(1, float64(b.done+ago)/float64(b.total))
	left := max(0, b.total-b.done-ago).Round(time.Second)
	bar := ""
	if b.terminal {
		const width = 24
		full := int(width * share)
		bar = "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "] "
	}
	return fmt.Sprintf("%s%3.0f %%  %s  (about %v left)", bar, 100*share, label, left)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
