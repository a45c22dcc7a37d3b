package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A Bar shows how far a command is, one step at a time. On a terminal it redraws one line. Elsewhere it prints a line for
// each step, and one more for each minute; not for each Update. With a total, the planned time of all steps, it shows the share done and
// the time left. The time left learns from finished steps: if they took twice or half their plan, so will the rest.
// Without a total it shows the time since the step began.
type Bar struct {
	AtMost bool // the total is the longest that it may take

	w        io.Writer
	terminal bool
	every    time.Duration // how often a step is redrawn
	total    time.Duration
	done     time.Duration // planned time of the finished steps
	learned  time.Duration // planned time of those that did not fail at once
	took     time.Duration // that these took
	label    atomic.Value  // of the current step, a string
	end      func()        // ends the current step
}

// NewBar makes a bar that writes to w.
func NewBar(w io.Writer, total time.Duration) *Bar {
	b := &Bar{w: w, terminal: isTerminal(w), every: time.Minute, total: total, end: func() {}}
	if b.terminal {
		b.every = 200 * time.Millisecond
	}
	return b
}

// Left ends the current step, and sets the planned time of all that is left.
func (b *Bar) Left(planned time.Duration) {
	b.End()
	b.total = b.done + planned
}

// pace is how much longer than planned the finished steps took, as a factor. One that took less than a tenth had failed, and
// tells nothing of the others.
func (b *Bar) pace() float64 {
	if b.learned == 0 {
		return 1
	}
	return float64(b.took) / float64(b.learned)
}

// Step ends the current step and begins another. planned is its expected time; 0 is unknown.
func (b *Bar) Step(label string, planned time.Duration) {
	b.End()
	start := time.Now()
	b.label.Store(label)
	b.show(label, 0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	b.end = func() {
		close(stop)
		<-stopped
		if b.terminal {
			fmt.Fprint(b.w, clear) // the reader may have gone
		}
		if planned > 0 {
			b.done += planned
			if took := time.Since(start); took >= planned/10 {
				b.learned, b.took = b.learned+planned, b.took+took
			}
		}
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
				ago = min(time.Duration(float64(ago)/b.pace()), planned)
			}
			b.show(b.label.Load().(string), ago)
		}
	}()
}

// Update changes the text of the current step. A log has it from the next minute on.
func (b *Bar) Update(label string) { b.label.Store(label) }

const clear = "\r\033[K"

// show writes the line of the current step.
func (b *Bar) show(label string, ago time.Duration) {
	line := b.line(label, ago)
	if b.terminal {
		fmt.Fprint(b.w, clear+line) // the reader may have gone
	} else {
		fmt.Fprintln(b.w, line) // the reader may have gone
	}
}

// Print writes a line above the current step, where it stays.
func (b *Bar) Print(line string) {
	if b.terminal {
		line = clear + line
	}
	fmt.Fprintln(b.w, line) // the reader may have gone; a terminal redraws the step soon
}

// End ends the current step and clears its line.
func (b *Bar) End() {
	b.end()
	b.end = func() {}
}

// line is the text of a step after this part of its planned time, or without a total after this time.
func (b *Bar) line(label string, ago time.Duration) string {
	if b.total == 0 {
		if b.terminal || ago > 0 {
			return fmt.Sprintf("%s  %v", label, ago.Round(time.Second))
		}
		return label
	}
	share := min(1, float64(b.done+ago)/float64(b.total))
	left := time.Duration(float64(max(0, b.total-b.done-ago)) * b.pace()).Round(time.Second)
	bar := ""
	if b.terminal {
		const width = 24
		full := int(width * share)
		bar = "[" + strings.Repeat("#", full) + strings.Repeat(".", width-full) + "] "
	}
	about := "about"
	if b.AtMost {
		about = "at most about"
	}
	return fmt.Sprintf("%s%3.0f %%  %s  (%s %v left)", bar, 100*share, label, about, left)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
