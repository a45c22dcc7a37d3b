package verdict

import (
	"cmp"
	"maps"
	"slices"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A RequestAt has the figures of the requests of one name in a round, of base and head.
type RequestAt struct {
	Requests [2]int64 `json:"requests"` // complete
	P50      At       `json:"p50_ms"`
	P95      At       `json:"p95_ms"`
	SharePct At       `json:"share_pct"` // of the time
}

// A RequestCell is the latency of the requests of one name, such as "GET /search". It never changes the verdict on a
// server.
type RequestCell struct {
	Cell
	Name     string
	SharePct float64 // of base's time; mean of the rounds
}

// How many requests of a name each side needs in each round, for p95 and for p50. Ten are then beyond the percentile.
const (
	enoughForP95 = 200
	enoughForP50 = 20
)

// latencyOf is the cell whose requests are judged by name. base and head share its instants. On a full machine all
// requests wait for the slowest, so a name would say little there.
func latencyOf(name string, margins map[string]float64) (c *criterion, found bool) {
	if !workload.Named(name).Mixes {
		return nil, false
	}
	criteria := criteriaOf(name, margins)
	i := slices.IndexFunc(criteria, func(c criterion) bool { return c.Levels == nil && c.Metric == "request_p95_ms" })
	if i < 0 {
		return nil, false
	}
	return &criteria[i], true
}

// noteRequests notes the requests that both sides have.
func (r *Round) noteRequests(base, head record.Record) {
	if c, found := latencyOf(base.Workload, nil); !found || c.Scenario != base.Scenario {
		return
	}
	for _, b := range base.Requests {
		i := slices.IndexFunc(head.Requests, func(h record.Request) bool { return h.Name == b.Name })
		if i < 0 || b.P50 == nil || head.Requests[i].P50 == nil {
			continue
		}
		h := head.Requests[i]
		if r.Requests == nil {
			r.Requests = map[string]RequestAt{}
		}
		r.Requests[b.Name] = RequestAt{[2]int64{b.Requests, h.Requests}, At{*b.P50, *h.P50}, At{*b.P95, *h.P95}, At{b.SharePct, h.SharePct}}
	}
}

// A named sample has the latency of the requests of one name.
type named struct {
	RequestCell
	sample
}

// requestSamples reads the requests of each name that both sides have in all rounds.
func requestSamples(p Comparison, rounds []Round) (all []named) {
	latency, found := latencyOf(p.Workload, p.Margins)
	if !found || len(rounds) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(rounds[0].Requests)) {
		if n := requestSample(name, latency, rounds); n.complete() {
			all = append(all, n)
		}
	}
	return all
}

// requests judges the requests by name, which share a risk evenly. Those that changed come first, then those that take
// most of the time.
func requests(p Comparison, samples []named, risk float64) (all []RequestCell) {
	for _, n := range samples {
		c := n.RequestCell
		c.Server, c.Risk = p.Server, risk/float64(len(samples))
		c.Base, c.Head = n.criterion.mean(n.base), n.criterion.mean(n.head)
		if c.judge(n.sample); c.Verdict != NotMeasured {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b RequestCell) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.SharePct, a.SharePct))
	})
	return all
}

// requestSample reads one name. The sample is not complete where a round has too few requests, or none.
func requestSample(name string, latency *criterion, rounds []Round) named {
	c, s := RequestCell{}, sample{criterion: latency}
	c.Name, c.Scenario, c.Criterion = name, latency.Scenario, latency.Criterion
	c.Criterion.Decides = ""
	least := int64(enoughForP95)
	for _, r := range rounds {
		of := r.Requests[name]
		least = min(least, of.Requests[0], of.Requests[1])
		c.SharePct += of.SharePct[0] / float64(len(rounds))
	}
	if least < enoughForP95 {
		c.Criterion.Metric = "request_p50_ms"
	}
	c.Metric, _ = record.Find(c.Criterion.Metric)
	s.missing = least < enoughForP50
	for _, r := range rounds {
		at := r.Requests[name].P95
		if least < enoughForP95 {
			at = r.Requests[name].P50
		}
		d := difference(false, at)
		s.missing = s.missing || !finite(d)
		s.base, s.head, s.differences = append(s.base, at[0]), append(s.head, at[1]), append(s.differences, d)
	}
	return named{c, s}
}
