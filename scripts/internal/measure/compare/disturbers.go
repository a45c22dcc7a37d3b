package compare

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/usage"
)

// One discarded round may be chance. From this many on, the comparison names the programs that used the machine.
const nameFrom = 2

// quietFor is how long a machine must be quiet before a round begins. Less would not see work that comes and
// goes.
const quietFor = 5 * time.Second

// disturbers finds out who disturbs the rounds of a load. It reads /proc where a round begins and ends, and
// never while one is measured.
type disturbers struct {
	root      fs.FS                                      // of this machine
	pause     func(context.Context, time.Duration) error // time.Sleep, except in tests
	most      time.Duration                              // that a round waits for a quiet machine
	began     usage.Reading                              // when the round began
	discarded int
}

func (c *Comparison) disturbers() *disturbers {
	d := &disturbers{root: os.DirFS("/"), pause: cli.Sleep, most: c.Wait}
	if c.machine != nil {
		d.root, d.pause = c.machine, c.pause
	}
	d.began = usage.Read(d.root)
	return d
}

// roundEnded names the programs that disturbed a round, and waits for the machine before the next one.
func (d *disturbers) roundEnded(ctx context.Context, discarded, last bool) {
	if discarded {
		d.discarded++
		use, known := usage.Between(d.began, usage.Read(d.root), os.Getpid())
		if known && d.discarded >= nameFrom && use.Total() > mostOthersPct {
			fmt.Fprintf(os.Stderr, "comparison: in this round, %s\n", use)
			if d.most == 0 && d.discarded == nameFrom {
				fmt.Fprintln(os.Stderr, "comparison: end them, or let rounds wait for a quiet machine with -wait 10m")
			}
		}
		if !last && d.most > 0 {
			d.waitForQuiet(ctx)
		}
	}
	d.began = usage.Read(d.root)
}

// waitForQuiet returns when others use little of the machine, after the longest wait, or when ctx ends.
func (d *disturbers) waitForQuiet(ctx context.Context) {
	bar := cli.NewBar(os.Stderr, 0)
	defer bar.End()
	waited, before := time.Duration(0), usage.Read(d.root)
	for {
		window := min(quietFor, d.most-waited)
		if d.pause(ctx, window) != nil {
			return // the load ends with the same error
		}
		waited += window
		now := usage.Read(d.root)
		use, known := usage.Between(before, now, os.Getpid())
		before = now
		switch {
		case !known || use.Total() <= mostOthersPct:
			if waited > window {
				bar.Print(fmt.Sprintf("comparison: the machine is quiet after %v", waited))
			}
			return
		case waited >= d.most:
			bar.Print(fmt.Sprintf("comparison: the machine was not quiet within %v: %s; the round begins", d.most, use))
			return
		case waited == window:
			bar.Step(fmt.Sprintf("wait for a quiet machine, at most %v: %s", d.most, use), 0)
		}
	}
}
