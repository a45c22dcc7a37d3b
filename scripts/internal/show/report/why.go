package report

import (
	"fmt"

	"fairstream/scripts/internal/judge/record"
)

// difference is why cost and throughput need not rank servers alike, in
// figures: what a stream costs its server in both scenarios, and what it costs
// the ruler. ok is false where one of the scenarios is missing.
func difference(records []record.Record) (t table, says string, ok bool) {
	paced, full := costly(records), fullest(records)
	if paced == "" || full == "" || len(servers(records)) == 0 {
		return t, "", false
	}
	ruler, whole := column{"ruler_cpu_us_per_stream", 0, 1, false}, column{"machine_cpu_pct", 0, 1, false}
	t = table{
		title: "What a stream costs, in " + paced + " and at " + full,
		head: []string{
			"server", cost.means().Label + " in " + paced, cost.means().Label + " at " + full, full + " over " + paced,
			ruler.means().Label + " at " + full, whole.means().Label + " at " + full, rate.means().Label + " at " + full,
		},
	}
	var own, others []float64
	for _, target := range servers(records) {
		before, now := ofTarget(ofScenario(records, paced), target), ofTarget(ofScenario(records, full), target)
		r := row{cells: []cell{plain(target)}}
		add := func(f figure, c column) { r.cells = append(r.cells, cell{f.text(c), f.spread(c), false}) }
		alone, busy, shared := over(before, cost.metric), over(now, cost.metric), over(now, ruler.metric)
		add(alone, cost)
		add(busy, cost)
		step := plain(unknown)
		if alone.rounds > 0 && busy.rounds > 0 && alone.mid > 0 {
			step = plain(fmt.Sprintf("x%.2f", busy.mid/alone.mid))
		}
		r.cells = append(r.cells, step)
		add(shared, ruler)
		add(over(now, whole.metric), whole)
		add(over(now, rate.metric), rate)
		t.rows = append(t.rows, r)
		if busy.rounds > 0 && shared.rounds > 0 {
			own, others = append(own, busy.mid), append(others, shared.mid)
		}
	}
	says = "Where load is paced the machine has time, and a server pays for each token as it comes. At " + full + " the machine is full: " +
		"what limits streams there is what one costs server and ruler together, and tokens that had to wait can be passed on at once."
	if len(own) > 0 {
		// The middle server's price, to show how far the ruler thins a gain out.
		s, r := middle(own), middle(others)
		says += fmt.Sprintf(" A stream there takes %.0f us of a server (the middle one) and %.0f us of k6 and the stub: were the machine all that limits them, a server 10 %% cheaper would serve %.1f %% more.",
			s, r, 100*((s+r)/(0.9*s+r)-1))
	}
	return t, says, true
}
