package rank

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// A Ranking orders the servers of one scenario by one metric.
type Ranking struct {
	Workload workload.Workload
	Scenario string
	Column   workload.Column
	Ranked   []Ranked // best first
	Unranked []Ranked // missed a round, or failed requests
	Rounds   int
	ApartPct float64 // servers that differ by less are tied; +Inf with one round
	Why      string  // reason for no ranking
}

// HasRanks reports whether at least two servers have a rank.
func (r Ranking) HasRanks() bool { return len(r.Ranked) > 1 }

// A Ranked server has a range of ranks, from Best to Worst. The servers before Best are certainly ahead, and
// those after Worst certainly behind.
type Ranked struct {
	Target      string
	Figure      Figure
	Best, Worst int
	Ratio       float64 // to the first server, of geometric means over rounds
	Low, High   float64 // interval of the ratio
	Warning     bool
}

// risk is the chance that a ranking separates any two equal servers.
const risk = 0.05

// NewRanking orders servers by the logarithm of a metric, with the rounds as blocks. A round is a few minutes
// of one machine, fast or slow for all servers in it. So only differences within a round count. The rest,
// after each server's and each round's mean, is noise. Two servers are apart when their means differ by more
// than noise explains: Student's t over all pairs, with Bonferroni's correction. It is not enough that all
// rounds agree: with two equal servers, three rounds agree in one case of four.
func NewRanking(records []record.Record, scenario string, c workload.Column) Ranking {
	r := Ranking{Workload: WorkloadOf(records), Scenario: scenario, Column: c}
	records = record.Filter(record.OfScenario(records, scenario), record.Record.OfServer)
	// A server that fails requests carries less load than the others.
	known := record.Filter(CountedRecords(records), func(r record.Record) bool {
		_, ok := r.Metrics.Get(c.Metric)
		return ok
	})
	k6Runs := record.Distinct(known, record.Record.K6Run)
	logs := map[string][]float64{}
	for _, target := range record.Servers(records) {
		of := record.OfTarget(records, target)
		for _, l := range k6Runs {
			one := record.Filter(record.OfTarget(known, target), func(r record.Record) bool { return r.K6Run() == l })
			if v := NewFigure(one, c.Metric); v.Rounds == 1 && v.Mid > 0 {
				logs[target] = append(logs[target], math.Log(v.Mid))
			}
		}
		s := Ranked{Target: target, Figure: NewFigure(of, c.Metric), Warning: HasWarning(of)}
		if n := len(logs[target]); n > 0 && n == len(k6Runs) {
			r.Ranked = append(r.Ranked, s)
		} else {
			r.Unranked = append(r.Unranked, s)
		}
	}
	r.Rounds = len(k6Runs)
	switch {
	case len(record.Servers(records)) < 2: // there is nothing to rank
	case len(r.Ranked) < 2:
		r.Why = "fewer than two servers were loaded in the same minutes, in every round, without a failed " + r.Workload.Unit
	default:
		r.order(logs)
	}
	return r
}

// HasWarning reports whether any record has a warning or no figures.
func HasWarning(records []record.Record) bool {
	return slices.ContainsFunc(records, func(r record.Record) bool { return r.Status != record.OK })
}

// order ranks servers by their logarithms, one value a round.
func (r *Ranking) order(logs map[string][]float64) {
	mean := map[string]float64{}
	for _, s := range r.Ranked {
		mean[s.Target] = stat.Mean(logs[s.Target], nil)
	}
	sign := 1.0
	if r.metric().Better == "higher" {
		sign = -1
	}
	slices.SortStableFunc(r.Ranked, func(a, b Ranked) int { return cmp.Compare(sign*mean[a.Target], sign*mean[b.Target]) })
	apart := r.apart(logs, mean)
	r.ApartPct = 100 * math.Expm1(apart)
	for i := range r.Ranked {
		s := &r.Ranked[i]
		s.Best, s.Worst = 1, len(r.Ranked)
		for _, other := range r.Ranked {
			switch d := sign * (mean[s.Target] - mean[other.Target]); {
			case d > apart:
				s.Best++
			case d < -apart:
				s.Worst--
			}
		}
		d := mean[s.Target] - mean[r.Ranked[0].Target]
		s.Ratio, s.Low, s.High = math.Exp(d), math.Exp(d-apart), math.Exp(d+apart)
	}
}

// apart returns the difference that separates the means of two servers, as a logarithm.
func (r *Ranking) apart(logs map[string][]float64, mean map[string]float64) float64 {
	n, k := float64(r.Rounds), float64(len(r.Ranked))
	if r.Rounds < 2 {
		return math.Inf(1)
	}
	var squares float64
	for round := range r.Rounds {
		var shift float64 // of this round, over all servers
		for _, s := range r.Ranked {
			shift += (logs[s.Target][round] - mean[s.Target]) / k
		}
		for _, s := range r.Ranked {
			d := logs[s.Target][round] - mean[s.Target] - shift
			squares += d * d
		}
	}
	free := (k - 1) * (n - 1)
	pairs := k * (k - 1) / 2
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Quantile(1 - risk/2/pairs)
	return t * math.Sqrt(squares/free*2/n)
}

// metric explains the ranking's column.
func (r Ranking) metric() record.Metric {
	m, _ := record.FindIn(r.Workload.Name, r.Column.Metric)
	return m
}

// Cost ranks servers by the CPU of a request, or of another unit of the workload. Without a paced scenario the ranking is empty.
func Cost(records []record.Record) Ranking {
	w := WorkloadOf(records)
	for _, scenario := range w.CostIn {
		if len(record.OfScenario(records, scenario)) > 0 {
			return NewRanking(records, scenario, w.Cost)
		}
	}
	return Ranking{Workload: w, Column: w.Cost}
}

// Throughput ranks servers on the highest level, since the stub's pace limits lower ones. Without a level the
// ranking is empty.
func Throughput(records []record.Record) Ranking {
	w := WorkloadOf(records)
	scenario := HighestLevel(records)
	if scenario == "" {
		return Ranking{Workload: w, Column: w.Throughput}
	}
	return NewRanking(records, scenario, w.Throughput)
}

// HighestLevel returns the scenario with most VUs, of those that fill the machine; "" without any. Of equal
// ones the first counts. At a fixed arrival rate the level does not count VUs, and all servers have the same rate.
func HighestLevel(records []record.Record) (scenario string) {
	most := -1
	for _, r := range records {
		if vus := record.VUs(r.Scenario); vus > most && !workload.Named(r.Workload).FixedRate(r.Scenario) {
			most, scenario = vus, r.Scenario
		}
	}
	return scenario
}

// WorkloadOf returns the workload of a run's records. Of none it is the first.
func WorkloadOf(records []record.Record) workload.Workload {
	if len(records) == 0 {
		return workload.All[0]
	}
	return workload.Named(records[0].Workload)
}
