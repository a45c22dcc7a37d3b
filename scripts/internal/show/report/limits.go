package report

import (
	"fmt"

	"fairstream/scripts/internal/judge/record"
)

// limits are what may not be concluded from records.
func limits(records []record.Record) []string {
	r := records[0].Run
	var all []string
	if r.Quick {
		all = append(all, "Nothing, but that all works: scenarios were shortened (-quick).")
	}
	if rounds(records) < 2 {
		all = append(all, "Not which server is better: one round does not say how far another would be from it.")
	} else {
		_, c, _ := costRanking(records)
		_, t, _ := throughputRanking(records)
		for _, of := range []ranking{c, t} {
			if len(of.ranked) > 1 {
				all = append(all, fmt.Sprintf("Not that servers less than %.1f %% apart in %s differ: they may, but this run cannot tell.", of.apartPct, of.scenario))
			}
		}
	}
	if r.Solo {
		all = append(all, "Not small differences between servers: each was loaded alone (-solo), minutes from the others, and a machine's speed drifts in minutes.")
	}
	if doubtful(records) {
		all = append(all, "Not much from records marked "+mark+": what casts doubt on them stands above.")
	}
	return append(all,
		"Not the capacity of a server: k6, the stub and the servers run on one machine, and under stress k6 and the stub take their part of it.",
		"Not that throughput is a second result beside latency: each VU waits for its stream to end before it begins the next, so that req/s times mean time is the number of VUs.",
		"Not that req/s in paced scenarios is a result: the stub's pace sets it.",
		"Not the same ranks on another machine, with other versions, or with tokens of another size and pace.",
		"Not a trend: a run has no past. Ratios within a run hold better than its absolute figures, which move with the machine.")
}
