package branch

import (
	"fairstream/scripts/internal/judge/record"
)

// alertFloorMS is the lowest overhead that github-action-benchmark sees. That tool divides a value
// by the one before, and overheads are near 0: 0.2 ms after 0.1 ms would be twice as bad. 5 ms is a
// tenth of the time between two tokens in baseline; nobody sees a smaller difference.
const alertFloorMS = 5

// Alert raises points to the floor for github-action-benchmark. The history keeps the original
// values.
func Alert(points []Bench) []Bench {
	shown := make([]Bench, len(points))
	for i, p := range points {
		if p.Unit == record.MSOverhead && p.Value < alertFloorMS {
			p.Extra, p.Value = "raised to "+short(alertFloorMS)+", the floor; it was "+short(p.Value), alertFloorMS
		}
		shown[i] = p
	}
	return shown
}

// AlertChart does the same for a chart.
func AlertChart(c Chart) Chart {
	shown := c
	shown.Entries = map[string][]Entry{}
	for suite, entries := range c.Entries {
		for _, e := range entries {
			e.Benches = Alert(e.Benches)
			shown.Entries[suite] = append(shown.Entries[suite], e)
		}
	}
	return shown
}
