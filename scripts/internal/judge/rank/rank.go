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
	// References have only a name, a figure and the ratio to the first server.
	References []Ranked
	Rounds     int
	ApartPct   float64 // in the median pair, servers that differ by less are tied; +Inf with fewer than three rounds
	Why        string  // reason for no ranking
	// StartsPct is the part of the noise that comes from the starts of servers and not from the slices of a round; NaN:
	// unknown. Only more rounds help against it.
	StartsPct float64

	planned int         // rounds
	apart   [][]float64 // logarithms: the pair of places i and j is apart if it differs by more than [i][j]
	noise   []estimate  // of each place
}

// HasRanks reports whether at least two servers have a rank.
func (r Ranking) HasRanks() bool { return len(r.Ranked) > 1 }

// Decides reports whether there are enough rounds for ranks.
func (r Ranking) Decides() bool { return r.HasRanks() && r.Rounds >= LeastRounds }

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

// SamePct is a difference that does not matter. Two servers are the same if their interval excludes it.
const SamePct = 3

// NewRanking orders servers by the logarithm of a metric, with the rounds as blocks. A round is a few minutes of one
// machine, fast or slow for all servers in it. So only differences within a round count. The rest, after each server's mean
// and each round's, is noise. Two servers are apart when their means differ by more than their noise explains: Tukey's test
// for all pairs at once. It is not enough that all rounds agree: with two equal servers, three rounds agree in one case of
// four. Of disturbed rounds see Calm.
func NewRanking(records []record.Record, scenario string, c workload.Column) Ranking {
	r := Ranking{Workload: WorkloadOf(records), Scenario: scenario, Column: c, StartsPct: math.NaN()}
	records, _ = Calm(record.OfScenario(records, scenario))
	references := record.Filter(records, func(r record.Record) bool { return r.Server.Reference })
	records = record.Filter(records, record.Record.OfServer)
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
		r.planned = known[0].Run.Rounds
		r.order(logs, r.sliceVariance(known))
		r.hold(references)
	}
	return r
}

// hold holds references against the first server.
func (r *Ranking) hold(references []record.Record) {
	for _, target := range record.Distinct(references, record.Record.Target) {
		of := CountedRecords(record.OfTarget(references, target))
		s := Ranked{Target: target, Figure: NewFigure(of, r.Column.Metric), Warning: HasWarning(of)}
		if first := r.Ranked[0].Figure.Mid; s.Figure.Rounds > 0 && first > 0 {
			s.Ratio = s.Figure.Mid / first
			r.References = append(r.References, s)
		}
	}
}

// sliceVariance is the variance of a round's logarithm that comes from its slices, in the mean of the ranked servers; NaN
// where no cycles show it.
func (r Ranking) sliceVariance(records []record.Record) float64 {
	if r.Column != r.Workload.Throughput {
		return math.NaN()
	}
	var squares []float64
	for _, one := range records {
		pct, known := one.Metrics.Get("rate_se_pct")
		if !known {
			return math.NaN()
		}
		if slices.ContainsFunc(r.Ranked, func(s Ranked) bool { return s.Target == one.Target() }) {
			squares = append(squares, pct*pct/1e4)
		}
	}
	return stat.Mean(squares, nil)
}

// HasWarning reports whether any record has a warning or no figures.
func HasWarning(records []record.Record) bool {
	return slices.ContainsFunc(records, func(r record.Record) bool { return r.Status != record.OK })
}

// order ranks servers by their logarithms, one value a round. ofSlices is the part of the variance that slices explain.
func (r *Ranking) order(logs map[string][]float64, ofSlices float64) {
	mean := map[string]float64{}
	for _, s := range r.Ranked {
		mean[s.Target] = stat.Mean(logs[s.Target], nil)
	}
	sign := 1.0
	if r.metric().Better == "higher" {
		sign = -1
	}
	slices.SortStableFunc(r.Ranked, func(a, b Ranked) int { return cmp.Compare(sign*mean[a.Target], sign*mean[b.Target]) })
	r.judge(logs, mean, ofSlices)
	for i := range r.Ranked {
		s := &r.Ranked[i]
		s.Best, s.Worst = 1, len(r.Ranked)
		for j, other := range r.Ranked {
			switch d := sign * (mean[s.Target] - mean[other.Target]); {
			case d > r.apart[i][j]:
				s.Best++
			case d < -r.apart[i][j]:
				s.Worst--
			}
		}
		d := mean[s.Target] - mean[r.Ranked[0].Target]
		s.Ratio, s.Low, s.High = math.Exp(d), math.Exp(d-r.apart[i][0]), math.Exp(d+r.apart[i][0])
	}
}

// judge finds out how far apart each pair has to be.
func (r *Ranking) judge(logs map[string][]float64, mean map[string]float64, ofSlices float64) {
	r.apart, r.ApartPct = make([][]float64, len(r.Ranked)), math.Inf(1)
	for i := range r.apart {
		r.apart[i] = make([]float64, len(r.Ranked))
		for j := range r.apart[i] {
			r.apart[i][j] = math.Inf(1)
		}
	}
	if r.Rounds < LeastRounds {
		return
	}
	usual := r.estimate(logs, mean)
	if !math.IsNaN(ofSlices) && usual > 0 {
		r.StartsPct = 100 * max(0, 1-ofSlices/usual)
	}
	risk := riskAt(r.Rounds, r.planned)
	var all []float64
	for i := range r.Ranked {
		for j := range r.Ranked[:i] {
			of := difference(r.noise[i], r.noise[j], r.Rounds)
			apart := math.Sqrt(of.variance) * studentizedRange(1-risk, len(r.Ranked), of.free) / math.Sqrt2
			r.apart[i][j], r.apart[j][i] = apart, apart
			all = append(all, apart)
		}
	}
	r.ApartPct = 100 * math.Expm1(median(all))
}

// An estimate is a variance with its degrees of freedom.
type estimate struct{ variance, free float64 }

// borrowed is how many rounds' worth of evidence the noise of a server takes from the usual noise of all. A few rounds say
// little about one server, and servers are not equally noisy. A program whose starts differ would otherwise widen the ties of
// all others, and its own would be too narrow. As degrees of freedom it counts half, since it is an estimate too. The README
// of this package has the error rates.
const borrowed = 2

// estimate sets the noise of each server: the variance of its logarithm from round to round. It returns the usual one.
func (r *Ranking) estimate(logs map[string][]float64, mean map[string]float64) (usual float64) {
	n, k := float64(r.Rounds), float64(len(r.Ranked))
	shifts := make([]float64, r.Rounds) // of the rounds: a median, so that one server that is off moves no other
	for round := range shifts {
		var of []float64
		for _, s := range r.Ranked {
			of = append(of, logs[s.Target][round]-mean[s.Target])
		}
		shifts[round] = median(of)
	}
	own := make([]float64, len(r.Ranked))
	for i, s := range r.Ranked {
		rest := make([]float64, r.Rounds)
		for round := range rest {
			rest[round] = logs[s.Target][round] - shifts[round]
		}
		own[i] = stat.Variance(rest, nil) * k / (k - 1) // a part of the server's noise is in the shifts
	}
	free := n - 1
	usual = median(own) * free / distuv.ChiSquared{K: free}.Quantile(0.5)
	r.noise = make([]estimate, len(own))
	for i, v := range own {
		r.noise[i] = estimate{(borrowed*usual + free*v) / (borrowed + free), borrowed/2 + free}
	}
	return usual
}

// difference is the variance of the difference of two means over some rounds, with Welch's degrees of freedom in whole
// numbers.
func difference(a, b estimate, rounds int) estimate {
	n := float64(rounds)
	sum := a.variance + b.variance
	if sum == 0 {
		return estimate{0, a.free + b.free}
	}
	return estimate{sum / n, math.Round(sum * sum / (a.variance*a.variance/a.free + b.variance*b.variance/b.free))}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// riskAt is the risk of the look after n rounds. A run may end after any round from the third on. All looks up to n have
// used (n/planned)^4 of the risk. So the last look has most of it, since few runs end before.
func riskAt(n, planned int) float64 {
	planned = max(planned, n) // discarded rounds may have been repeated
	used := func(n int) float64 {
		if n < LeastRounds {
			return 0
		}
		return math.Pow(float64(n)/float64(planned), 4)
	}
	return risk * (used(n) - used(n-1))
}

// Open lists the pairs of servers that are neither apart nor the same.
func (r Ranking) Open() (pairs [][2]string) {
	if !r.HasRanks() {
		return nil
	}
	same := math.Log1p(SamePct / 100.)
	for i, a := range r.Ranked {
		for j, b := range r.Ranked[i+1:] {
			apart := r.apart[i][i+1+j]
			if d := math.Abs(math.Log(a.Ratio / b.Ratio)); d <= apart && d+apart > same {
				pairs = append(pairs, [2]string{a.Target, b.Target})
			}
		}
	}
	return pairs
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

// Memory ranks servers by the memory that they hold at most, on the same level as Throughput.
func Memory(records []record.Record) Ranking {
	w := WorkloadOf(records)
	c := workload.PeakRSS
	if scenario := HighestLevel(records); scenario != "" {
		return NewRanking(records, scenario, c)
	}
	return Ranking{Workload: w, Column: c}
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
