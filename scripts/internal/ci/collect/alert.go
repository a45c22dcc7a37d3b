package collect

import (
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/judge/record"
)

// alertFloorMS is the least that the alert is shown of an added time. It
// divides a value by the one before, and what a server adds to the first token
// is near 0, by noise even below: 0.2 ms after 0.1 ms would be twice as bad,
// and a negative value never bad. 5 ms is a tenth of the time between two
// tokens in baseline, and as far as direct itself may be held up without
// suspicion; below, nobody sees a difference.
const alertFloorMS = 5

// Alert is points as github-action-benchmark is to see them. The history keeps
// them as they are.
func Alert(points []history.Bench) []history.Bench {
	shown := make([]history.Bench, len(points))
	for i, p := range points {
		if p.Unit == record.MSOverhead && p.Value < alertFloorMS {
			p.Extra, p.Value = "at least "+short(alertFloorMS)+" is shown; it was "+short(p.Value), alertFloorMS
		}
		shown[i] = p
	}
	return shown
}

// AlertChart is a chart likewise.
func AlertChart(c history.Chart) history.Chart {
	shown := c
	shown.Entries = map[string][]history.Entry{}
	for suite, entries := range c.Entries {
		for _, e := range entries {
			e.Benches = Alert(e.Benches)
			shown.Entries[suite] = append(shown.Entries[suite], e)
		}
	}
	return shown
}
