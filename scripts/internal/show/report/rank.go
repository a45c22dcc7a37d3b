package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/record"
)

// A ranking orders the servers of one scenario by one metric.
type ranking struct {
	scenario string
	column   column
	ranked   []ranked // best first
	left     []ranked // that lack a round, or of whose streams some failed
	rounds   int
	apartPct float64 // two servers that differ by less are tied; +Inf with one round
	why      string  // there is no ranking
}

// A ranked server is somewhere between its best and its worst rank: as many are
// certainly before it, as many certainly after.
type ranked struct {
	target      string
	figure      figure
	best, worst int
	ratio       float64 // to the first, of geometric means over rounds
	low, high   float64 // interval of the ratio
	suspect     bool
}

// risk is the chance that any two servers of a ranking which are equal are told
// apart.
const risk = 0.05

// rank orders servers by the logarithm of a metric with the rounds as blocks: a
// round is a few minutes of one machine, which is fast or slow for all that are
// loaded in it, so that only differences within a round count. What is left when
// the means of server and round are taken away is noise; two servers are apart
// when their means differ by more than it explains (Student's t, over all pairs
// by Bonferroni). That all rounds agree would not do: of two equal servers,
// three rounds agree in one case of four.
func rank(records []record.Record, scenario string, c column) ranking {
	records = only(ofScenario(records, scenario), isServer)
	r := ranking{scenario: scenario, column: c}
	// A server that loses streams does not serve the load that others do.
	known := only(records, func(r record.Record) bool {
		_, ok := r.Metrics.Get(c.metric)
		failed, _ := r.Metrics.Get(lost.metric)
		return ok && failed == 0
	})
	loadings := distinct(known, loading)
	logs := map[string][]float64{}
	for _, target := range servers(records) {
		of := ofTarget(records, target)
		for _, l := range loadings {
			one := only(ofTarget(known, target), func(r record.Record) bool { return loading(r) == l })
			if v := over(one, c.metric); v.rounds == 1 && v.mid > 0 {
				logs[target] = append(logs[target], math.Log(v.mid))
			}
		}
		s := ranked{target: target, figure: over(of, c.metric), suspect: doubtful(of)}
		if n := len(logs[target]); n > 0 && n == len(loadings) {
			r.ranked = append(r.ranked, s)
		} else {
			r.left = append(r.left, s)
		}
	}
	r.rounds = len(loadings)
	switch {
	case len(servers(records)) < 2: // nobody asks
	case len(r.ranked) < 2:
		r.why = "fewer than two servers were loaded in the same minutes, in every round, without a failed stream"
	default:
		r.order(logs)
	}
	return r
}

// loading names the run of k6 that loaded a target: targets that share it were
// loaded in the same minute.
func loading(r record.Record) string { return fmt.Sprint(r.Round, " ", r.Started.UnixNano()) }

func doubtful(records []record.Record) bool {
	return slices.ContainsFunc(records, func(r record.Record) bool { return r.Status != record.OK })
}

// order ranks by the logarithms of each server, a value a round.
func (r *ranking) order(logs map[string][]float64) {
	mean := map[string]float64{}
	for _, s := range r.ranked {
		mean[s.target] = stat.Mean(logs[s.target], nil)
	}
	sign := 1.0
	if r.column.means().Better == "higher" {
		sign = -1
	}
	slices.SortStableFunc(r.ranked, func(a, b ranked) int { return cmp.Compare(sign*mean[a.target], sign*mean[b.target]) })
	apart := r.apart(logs, mean)
	r.apartPct = 100 * math.Expm1(apart)
	for i := range r.ranked {
		s := &r.ranked[i]
		s.best, s.worst = 1, len(r.ranked)
		for _, other := range r.ranked {
			switch d := sign * (mean[s.target] - mean[other.target]); {
			case d > apart:
				s.best++
			case d < -apart:
				s.worst--
			}
		}
		d := mean[s.target] - mean[r.ranked[0].target]
		s.ratio, s.low, s.high = math.Exp(d), math.Exp(d-apart), math.Exp(d+apart)
	}
}

// apart is by how much the means of two servers must differ.
func (r *ranking) apart(logs map[string][]float64, mean map[string]float64) float64 {
	n, k := float64(r.rounds), float64(len(r.ranked))
	if r.rounds < 2 {
		return math.Inf(1)
	}
	var squares float64
	for round := range r.rounds {
		var shift float64 // of this round, for all servers
		for _, s := range r.ranked {
			shift += (logs[s.target][round] - mean[s.target]) / k
		}
		for _, s := range r.ranked {
			d := logs[s.target][round] - mean[s.target] - shift
			squares += d * d
		}
	}
	free := (k - 1) * (n - 1)
	pairs := k * (k - 1) / 2
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile(1 - risk/2/pairs)
	return t * math.Sqrt(squares/free*2/n)
}

// place is a server's rank as text.
func (r ranking) place(s ranked) string {
	switch {
	case s.best == 0:
		return none
	case r.rounds < 2:
		return unknown
	case s.best == s.worst:
		return fmt.Sprint(s.best)
	}
	return fmt.Sprintf("%d-%d", s.best, s.worst)
}

// tie says when servers of the ranking are tied.
func (r ranking) tie() string {
	if r.rounds < 2 {
		return "One round: the order is as it was seen, and no rank is given, since nothing says how much of it is chance."
	}
	return fmt.Sprintf("Less than %.1f %% apart in the mean of the rounds is a tie; the rank is then a range.", r.apartPct)
}

// tieRule explains tie.
const tieRule = "Two servers are tied when they differ by no more than what is left between the rounds once each server's and each round's mean is taken away " +
	"(Student's t over all pairs of servers, 5 % risk that any two equal ones are told apart). Only differences within a round count, and the order and the ratios are those of geometric means over the rounds, not of the medians shown."
