package collect

import (
	"fmt"
	"io"

	"fairstream/scripts/acks"
	"fairstream/scripts/artifact"
	"fairstream/scripts/compare"
)

// ack is the acknowledgement of a regression of a cell; nil when there is none.
func (v Verdict) ack(c compare.Cell) *acks.Ack {
	if c.Verdict != compare.Regressed {
		return nil
	}
	return acks.Find(v.Acks, c.Scenario, c.Metric.Name)
}

// Alarms says that a server regressed, and that not all of it is acknowledged.
// That it fails is acknowledged by one that is of every cell.
func (v Verdict) Alarms() bool {
	if v.Answer.Verdict != compare.Regressed {
		return false
	}
	cells := 0
	for _, c := range v.Answer.Cells {
		if c.Verdict != compare.Regressed {
			continue
		}
		if cells++; v.ack(c) == nil {
			return true
		}
	}
	return cells == 0 && v.whole() == nil
}

// whole is an acknowledgement of every cell; nil when there is none.
func (v Verdict) whole() *acks.Ack {
	for i := range v.Acks {
		if v.Acks[i].All() {
			return &v.Acks[i]
		}
	}
	return nil
}

// acknowledged says which regressions are, by whom and why; what a person wrote
// stands in code spans.
func (v Verdict) acknowledged() (lines []string) {
	line := func(what string, a acks.Ack) {
		until := ""
		if a.Expires != nil {
			until = ", until " + *a.Expires
		}
		lines = append(lines, fmt.Sprintf("%s: acknowledged by `%s` since `%.12s`%s: `%s` (%s/%s)",
			what, artifact.Harmless(a.By), a.Since, until, artifact.Harmless(a.Reason), acks.Dir, artifact.Harmless(a.File)))
	}
	cells := 0
	for _, c := range v.Answer.Cells {
		if c.Verdict == compare.Regressed {
			cells++
		}
		if a := v.ack(c); a != nil {
			line(c.Scenario+" "+c.Metric.Label, *a)
		}
	}
	if a := v.whole(); a != nil && v.Answer.Verdict == compare.Regressed && cells == 0 {
		line("that it fails", *a)
	}
	return lines
}

// WriteAcknowledged writes them as a list, or nothing.
func (v Verdict) WriteAcknowledged(w io.Writer) {
	lines := v.acknowledged()
	for _, line := range lines {
		fmt.Fprintf(w, "- %s\n", line)
	}
	if len(lines) > 0 {
		fmt.Fprintln(w)
	}
}
