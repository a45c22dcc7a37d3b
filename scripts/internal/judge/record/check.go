package record

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// Limits of a run's details. They bound what the site draws and what the history keeps.
const (
	maxK6Runs  = 128
	maxSlices  = 2000
	maxSeconds = 3600
	maxPct     = 100 * 1024  // of one core
	maxKiB     = 1 << 40     // a PiB
	maxMS      = 24 * 3600e3 // in a k6 run
	maxRate    = 1e7         // in a second
	maxSumUS   = int64(1) << 53
)

// Check refuses details that contradict themselves or exceed a limit.
func (d Details) Check() error {
	if d.Schema != DetailsSchema {
		return fmt.Errorf("schema %d; this tool reads schema %d", d.Schema, DetailsSchema)
	}
	if err := workload.Check(d.Workload); err != nil {
		return err
	}
	if len(d.K6Runs) > maxK6Runs {
		return fmt.Errorf("%d k6 runs; want at most %d", len(d.K6Runs), maxK6Runs)
	}
	for i, l := range d.K6Runs {
		if err := l.check(); err != nil {
			return fmt.Errorf("k6 run %d: %w", i+1, err)
		}
	}
	for i, of := range d.Distributions {
		names := Curves(d.Workload)
		if len(of.Curves) != len(names) {
			return fmt.Errorf("distribution %d: %d curves; want %s", i+1, len(of.Curves), strings.Join(names, ", "))
		}
		for _, name := range names {
			c, ok := of.Curves[name]
			if !ok {
				return fmt.Errorf("distribution %d: no curve %q", i+1, name)
			}
			if err := c.check(); err != nil {
				return fmt.Errorf("distribution %d: %s: %w", i+1, name, err)
			}
		}
	}
	return nil
}

func (l K6Run) check() error {
	if len(l.Slices) > maxSlices {
		return fmt.Errorf("%d slices; want at most %d", len(l.Slices), maxSlices)
	}
	for i, t := range l.Slices {
		if err := l.fits(t); err != nil {
			return fmt.Errorf("slice %d: %w", i+1, err)
		}
	}
	for i, t := range l.Timelines {
		if n := len(t.CPUPct); n != len(t.RSSKiB) || n > maxSeconds || t.First < -maxSeconds || t.First > maxSeconds {
			return fmt.Errorf("timeline %d: %d and %d values from second %d on; want as many of both, and at most %d", i+1, n, len(t.RSSKiB), t.First, maxSeconds)
		}
		if !within(t.CPUPct, maxPct) || !within(t.RSSKiB, maxKiB) {
			return fmt.Errorf("timeline %d: a value below 0 or beyond reason", i+1)
		}
	}
	return nil
}

// fits refuses a slice that names something outside its k6 run.
func (l K6Run) fits(t Slice) error {
	place := func(v float64, of []string) bool { return v == math.Trunc(v) && v >= 0 && v < float64(len(of)) }
	if len(t) < 3 || len(t)%2 == 0 || len(t) > 3+2*len(l.Targets) {
		return fmt.Errorf("%d numbers; want three, and two for each target", len(t))
	}
	if !place(t[0], l.Levels) || math.Abs(t[1]) > maxMS || t[2] < 0 || t[2] > maxMS {
		return fmt.Errorf("level %g, %g ms after %g; want one of %d, within a day", t[0], t[2], t[1], len(l.Levels))
	}
	for i := 3; i < len(t); i += 2 {
		if !place(t[i], l.Targets) || t[i+1] < 0 || t[i+1] > maxRate {
			return fmt.Errorf("target %g with %g requests per second; want one of %d", t[i], t[i+1], len(l.Targets))
		}
	}
	return nil
}

func within(values []*int64, most int64) bool {
	return !slices.ContainsFunc(values, func(v *int64) bool { return v != nil && (*v < 0 || *v > most) })
}

func (c Curve) check() error {
	if c == nil {
		return nil
	}
	if len(c) < inCurve || c[0] < 1 || c[0] > maxSumUS || len(c) != inCurve+len(levels(c[0])) {
		return fmt.Errorf("a curve of %d numbers; want a count, mean, least, greatest, and a bucket for each level of the count", len(c))
	}
	mean, least, most := c[1], c[2], c[3]
	if least < 0 || least > mean || mean > most || most > maxSumUS {
		return errors.New("a curve's mean is not between its least and its greatest")
	}
	at := int64(0)
	for i, step := range c[inCurve:] {
		if at += step; step < 0 || at >= buckets {
			return fmt.Errorf("level %d of a curve is in bucket %d; want them ascending, below %d", i+1, at, buckets)
		}
	}
	return nil
}

// Fit returns an error unless the records have each target, scenario and level of the details.
func (d Details) Fit(records []Record) error {
	targets, scenarios, levels := map[string]bool{}, map[string]bool{}, map[string]bool{raw.WarmUp: true}
	k6Runs, processes := map[string]bool{Ranking: true}, map[string]bool{"k6": true, "stub": true}
	for _, r := range records {
		reducedRun, level := Level(r.Scenario)
		targets[r.Target()], processes[r.Target()] = true, true
		scenarios[r.Scenario], k6Runs[reducedRun], levels[level], levels[r.Scenario] = true, true, true, true
	}
	for _, l := range d.K6Runs {
		err := cmp.Or(known("scenario", k6Runs, l.Scenario), known("target", targets, l.Targets...), known("level", levels, l.Levels...))
		if l.Target != "" {
			err = cmp.Or(err, known("target", targets, l.Target))
		}
		for _, t := range l.Timelines {
			err = cmp.Or(err, known("process", processes, t.Process))
		}
		if err != nil {
			return err
		}
	}
	for _, of := range d.Distributions {
		if err := cmp.Or(known("target", targets, of.Target), known("scenario", scenarios, of.Scenario)); err != nil {
			return err
		}
	}
	return nil
}

func known(what string, in map[string]bool, names ...string) error {
	for _, name := range names {
		if !in[name] {
			return fmt.Errorf("details: %s %.40q is not in the records", what, name)
		}
	}
	return nil
}
