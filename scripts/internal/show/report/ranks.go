package report

import (
	"math"

	"fairstream/scripts/internal/judge/record"
)

// A Ranking is the order of servers in one scenario by one metric, for programs;
// without two servers to rank, Why says what there was none of.
type Ranking struct {
	Scenario, Metric string
	Rounds           int
	ApartPct         float64 // two that differ by less are tied; +Inf: one round, which gives no ranks
	Why, Sentence    string
	Ranked           []Ranked // best first
	Left             []string // servers that lack a round, or of whose streams some failed
}

// A Ranked server is somewhere between its best and its worst rank.
type Ranked struct {
	Server           string
	Best, Worst      int     // 0: there are no ranks
	Ratio, Low, High float64 // to the first, and its interval
}

// Rankings are those of cost and throughput that the tables have, where there is
// something to rank or a reason why not.
func Rankings(records []record.Record) (all []Ranking) {
	_, cost, ok1 := costRanking(records)
	_, rate, ok2 := throughputRanking(records)
	for _, of := range []struct {
		ranking
		ok bool
		words
	}{{cost, ok1, cheapest}, {rate, ok2, fastest}} {
		if !of.ok && of.why == "" {
			continue
		}
		r := Ranking{Scenario: of.scenario, Metric: of.column.metric, Rounds: of.rounds, ApartPct: of.apartPct, Why: of.why}
		if !of.ok {
			of.ranked = nil // one alone is in no order
		} else {
			r.Sentence = of.sentence(of.words)
		}
		for _, s := range of.ranked {
			one := Ranked{Server: s.target, Best: s.best, Worst: s.worst, Ratio: s.ratio, Low: s.low, High: s.high}
			if math.IsInf(of.apartPct, 1) {
				one.Best, one.Worst = 0, 0
			}
			r.Ranked = append(r.Ranked, one)
		}
		for _, s := range of.left {
			r.Left = append(r.Left, s.target)
		}
		all = append(all, r)
	}
	return all
}

// Over is a metric over the rounds that know it: the median and, with so few rounds,
// the least and the greatest, or the median's 95 % confidence interval, which
// interval says. Of none, all are NaN.
func Over(records []record.Record, metric string) (mid, low, high float64, interval bool) {
	f := over(records, metric)
	return f.mid, f.low, f.high, f.rounds >= enough
}

// Conditions say in a line what the machine was like, and what the measuring took of it.
func Conditions(records []record.Record) string { return conditions(records) }
