package collect

import (
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/judge/record"
)

// alarmFloorMS is the least that the alarm is shown of an added time. It
// divides a value by the one before, and what a server adds to the first token
// is near 0, by noise even below: 0.2 ms after 0.1 ms would be twice as bad,
// and a negative value never bad. 5 ms is a tenth of the time between two
// tokens in baseline, and as far as direct itself may be held up without
// suspicion; below, nobody sees a difference.
const alarmFloorMS = 5

// Alarm is points as github-action-benchmark is to see them. The history keeps
// them as they are.
func Alarm(points []history.Bench) []history.Bench {
	shown := make([]history.Bench, len(points))
	for i, p := range points {
		if p.Unit == record.MSAdded && p.Value < alarmFloorMS {
			p.Extra, p.Value = "at least "+short(alarmFloorMS)+" is shown; it was "+short(p.Value), alarmFloorMS
		}
		shown[i] = p
	}
	return shown
}

// AlarmChart is a chart likewise.
func AlarmChart(c history.Chart) history.Chart {
	shown := c
	shown.Entries = map[string][]history.Entry{}
	for suite, entries := range c.Entries {
		for _, e := range entries {
			e.Benches = Alarm(e.Benches)
			shown.Entries[suite] = append(shown.Entries[suite], e)
		}
	}
	return shown
}
