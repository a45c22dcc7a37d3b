package doctor

import (
	"fmt"
	"math"
	"strings"
)

// means is what the noise means to who compares two loads: two standard
// deviations of the logarithm, within which noise alone stays 19 times of 20.
func (n Noise) means() string {
	w := n.Work
	return fmt.Sprintf("Noise now: two equal loads of %d s may differ by %s one after the other, %s in turns of 1 s, %s in turns of 10 ms. "+
		"A smaller difference says nothing.", w.LoadS, two(w.AfterPct), two(w.TurnsPct), two(w.FastTurnsPct))
}

// text prints what was measured.
func (n Noise) text(b *strings.Builder, width int) {
	w := n.Work
	fmt.Fprintf(b, "\nMeasured for %d s on %s (sd: standard deviation; above: two)\n", n.Seconds, plural(n.Cores, "core"))
	row := func(name, format string, args ...any) {
		b.WriteString(column(name, fmt.Sprintf(format, args...), width))
	}
	row("work", "%.0f ms of it on each core: sd %s within a second, %s from one second to the next",
		w.SliceMs, percent(w.InSecondPct), percent(w.NextPct))
	row("loads", "two of %d s: sd %s one after the other, %s in turns of 1 s, %s of 10 ms",
		w.LoadS, percent(w.AfterPct), percent(w.TurnsPct), percent(w.FastTurnsPct))
	row("timer", "every 2 ms: late by p50 %s, p99 %s, max %s", us(n.Timer.P50us), us(n.Timer.P99us), us(n.Timer.MaxUs))
	row("loopback", "%d bytes there and back: p50 %s, p99 %s, sd %s between seconds", messageBytes,
		us(n.Loopback.P50us), us(n.Loopback.P99us), percent(n.Loopback.SecondsPct))
	row("meanwhile", "steal %s, others %s of the cores' time", known(n.StealPct), known(n.OthersPct))
	row("not seen", "drift over minutes (-for 60s compares loads of 15 s); others' use of cache and memory")
}

func two(sd float64) string { return percent(100 * math.Expm1(2*sd/100)) }

// percent has two significant digits.
func percent(p float64) string {
	switch {
	case math.IsNaN(p):
		return "?"
	case p < 0.095:
		return fmt.Sprintf("%.2f"+noBreak+"%%", p)
	case p < 9.5:
		return fmt.Sprintf("%.1f"+noBreak+"%%", p)
	default:
		return fmt.Sprintf("%.0f"+noBreak+"%%", p)
	}
}

func known(p *float64) string {
	if p == nil {
		return "?"
	}
	return percent(*p)
}

// us is a time in microseconds, or in milliseconds where it has so many.
func us(t float64) string {
	switch {
	case math.IsNaN(t):
		return "?"
	case t < 10:
		return fmt.Sprintf("%.1f"+noBreak+"us", t)
	case t < 1000:
		return fmt.Sprintf("%.0f"+noBreak+"us", t)
	default:
		return fmt.Sprintf("%.1f"+noBreak+"ms", t/1000)
	}
}
