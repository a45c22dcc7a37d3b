package common

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"fairstream/k6/shared/hist"
)

// checkCycles checks the cycles of all levels, and returns how many series their repeats may add. The cycles of a level
// follow each other, from 1 on. With at most as many repeats a level takes at most twice its time.
func (s Schedule) checkCycles() (series int, err error) {
	type level struct{ cycles, repeats, largest int }
	levels := map[string]level{}
	var targets []int // of the cycle
	for i, t := range s.Slices {
		l, before := levels[t.Level], Slice{Repeats: t.Repeats}
		if i > 0 && s.Slices[i-1].Level == t.Level {
			before = s.Slices[i-1]
		}
		if t.Repeats != before.Repeats {
			return 0, fmt.Errorf("level %q: %d and %d repeats; want the same in all slices", t.Level, before.Repeats, t.Repeats)
		}
		if t.Cycle == 0 {
			continue
		}
		if t.Cycle != before.Cycle {
			if t.Cycle != before.Cycle+1 || t.Cycle != l.cycles+1 {
				return 0, fmt.Errorf("level %q: cycle %d after %d; want them from 1 on, without slices between",
					t.Level, t.Cycle, before.Cycle)
			}
			targets = nil
		}
		for _, target := range t.Targets {
			if slices.Contains(targets, target) {
				return 0, fmt.Errorf("level %q: cycle %d has target %s twice", t.Level, t.Cycle, s.Targets[target].Name)
			}
			targets = append(targets, target)
		}
		levels[t.Level] = level{t.Cycle, t.Repeats, max(l.largest, len(targets))}
	}
	for name, l := range levels {
		if l.repeats > l.cycles {
			return 0, fmt.Errorf("level %q: %d repeats of %d cycles; want at most as many", name, l.repeats, l.cycles)
		}
		series += l.repeats * l.largest
	}
	return series, nil
}

// repeat is called after each slice. After the last one of a level, it appends the disturbed cycles to the level, the
// most disturbed first. A cycle is loaded as a whole, so that no target has better minutes than another. Of two tries
// the calmer one counts.
func (r *run) repeat(number int) {
	level := r.Slices[number].Level
	if r.report.Instance != nil || number+1 < len(r.Slices) && r.Slices[number+1].Level == level {
		return // instances follow a timetable, and one may not see what disturbs another
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	second := r.report.Slices[len(r.report.Slices)-len(slices.Concat(r.again...)):]
	for _, first := range r.again {
		worse := second[:len(first)]
		second = second[len(first):]
		if r.disturbance(first) >= r.disturbance(worse) {
			worse = first
		}
		for _, of := range worse {
			r.report.Slices[of.Slice].Discarded = true
		}
	}
	worst := r.disturbed(level)
	r.again = worst[:min(len(worst), r.Slices[number].Repeats-r.repeats)]
	r.repeats += len(r.again)
	if len(r.again) == 0 {
		r.repeats = 0 // the level is over
	}
	var more []Slice
	for _, of := range slices.Concat(r.again...) {
		more = append(more, r.Slices[of.Slice])
	}
	r.Slices = slices.Insert(slices.Clip(r.Slices), number+1, more...)
	r.report.Planned = len(r.Slices)
}

// disturbed returns the disturbed cycles of a level that count, the worst first.
func (r *run) disturbed(level string) [][]hist.Slice {
	cycles := map[int][]hist.Slice{}
	for _, of := range r.report.Slices {
		if of.Level == level && of.Cycle > 0 && !of.Discarded {
			cycles[of.Cycle] = append(cycles[of.Cycle], of)
		}
	}
	worst := slices.SortedFunc(maps.Values(cycles), func(a, b []hist.Slice) int {
		return cmp.Or(cmp.Compare(r.disturbance(b), r.disturbance(a)), cmp.Compare(a[0].Slice, b[0].Slice))
	})
	return slices.DeleteFunc(worst, func(of []hist.Slice) bool { return r.disturbance(of) <= 1 })
}

func (r *run) disturbance(of []hist.Slice) float64 {
	if r.watch.machine == nil {
		return 0
	}
	return hist.Disturbance(of, r.watch.machine.cores)
}
