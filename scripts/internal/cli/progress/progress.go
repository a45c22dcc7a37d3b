// Package progress tells a person how far a command is: a line that is redrawn
// on a terminal; elsewhere one plain line per step, and one more for each minute
// that it takes.
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
	every    time.Duration // a step is shown anew
	total    time.Duration
	done     time.Duration // planned time of the steps that have ended
	end      func()        // ends the step that is being shown
}

// New makes a bar that writes to w.
func New(w io.Writer, total time.Duration) *Bar {
	b := &Bar{w: w, terminal: isTerminal(w), every: time.Minute, total: total, end: func() {}}
	if b.terminal {
		b.every = 200 * time.Millisecond
	}
	return b
}

// Step begins a step that is planned to take so long (0: nobody knows), and
// ends the step before.
func (b *Bar) Step(label string, planned time.Duration) {
	b.End()
	start := time.Now()
	b.show(label, 0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	b.end = func() {
		close(stop)
		<-stopped
		if b.terminal {
			fmt.Fprint(b.w, clear) // nobody may be reading
		}
		b.done += planned
	}
	go func() {
		defer close(stopped)
		tick := time.NewTicker(b.every)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			ago := time.Since(start)
			if b.total > 0 {
				ago = min(ago, planned)
			}
			b.show(label, ago)
		}
	}()
}

const clear = "\r\033[K"

// show writes the line of a step that began so long ago.
func (b *Bar) show(label string, ago time.Duration) {
	line := b.line(label, ago)
	if b.terminal {
		fmt.Fprint(b.w, clear+line) // nobody may be reading
	} else {
		fmt.Fprintln(b.w, line) // nobody may be reading
	}
}

// Print writes a line that stays, above the step that is being shown.
func (b *Bar) Print(line string) {
	if b.terminal {
		line = clear + line
	}
	fmt.Fprintln(b.w, line) // nobody may be reading; a terminal's step is shown anew in a moment
}

// End ends the current step and clears its line.
func (b *Bar) End() {
	b.end()
	b.end = func() {}
}

// line is the text of a step that began so long ago.
func (b *Bar) line(label string, ago time.Duration) string {
	if b.total == 0 {
		if b.terminal || ago > 0 {
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
