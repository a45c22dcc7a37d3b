package rank

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// Words for a claim beside our figure of it.
const (
	Agrees    = "agrees"
	Disagrees = "disagrees"
	NotShown  = "not shown"
	Tied      = "tied"
)

// tiedPct is how much two servers may differ, in per cent, and still be called tied.
const tiedPct = 8

// nearClaim is how many times a ratio may differ from a claimed one and still be of the same size. Other
// machines, versions and requests move a ratio. It is a choice, not a measurement.
const nearClaim = 1.5

// A CheckedClaim is a claim beside our ratio. The ratio is that of a ranking of all servers. All claims about one ranking
// share the risk that an interval misses the ratio. Without Than it is the figure of the rounds.
type CheckedClaim struct {
	workload.Claim
	Ratio, Low, High float64 // NaN: no figure
	Word             string
	Warning          bool // of a record of one of the two
}

// CheckClaims sets the claims about a run's workload beside its records.
func CheckClaims(records []record.Record) (all []CheckedClaim) {
	for _, c := range WorkloadOf(records).Claims {
		checked := checkLevel
		if c.Than != "" {
			checked = checkRatio
		}
		found := checked(c, records)
		found.Warning = HasWarning(record.Filter(record.OfScenario(records, c.Scenario), func(r record.Record) bool {
			return r.Target() == c.Of || r.Target() == c.Than
		}))
		all = append(all, found)
	}
	return all
}

// checkLevel checks that a figure is above 0.
func checkLevel(c workload.Claim, records []record.Record) CheckedClaim {
	f := NewFigure(record.OfTarget(record.OfScenario(records, c.Scenario), c.Of), c.Metric)
	word := NotShown
	switch {
	case f.Low > 0:
		word = Agrees
	case f.High == 0:
		word = Disagrees
	}
	return CheckedClaim{Claim: c, Ratio: f.Mid, Low: f.Low, High: f.High, Word: word}
}

// checkRatio checks the ratio of two servers.
func checkRatio(c workload.Claim, records []record.Record) CheckedClaim {
	claims := 0
	for _, other := range WorkloadOf(records).Claims {
		if other.Scenario == c.Scenario && other.Metric == c.Metric {
			claims++
		}
	}
	ratio, low, high := NewRanking(records, c.Scenario, columnOf(c.Metric, records)).Between(c.Of, c.Than, claims)
	return CheckedClaim{Claim: c, Ratio: ratio, Low: low, High: high, Word: word(c, low, high)}
}

// columnOf is the column of a metric that servers are ranked by, or one without a scale.
func columnOf(metric string, records []record.Record) workload.Column {
	if c := WorkloadOf(records).Throughput; c.Metric == metric {
		return c
	}
	return workload.Column{Metric: metric, Scale: 1}
}

// Between returns the ratio of two servers and its interval, which shares its risk with other claims; NaN without ranks of
// both. With fewer than three rounds nothing bounds the interval.
func (r Ranking) Between(of, than string, claims int) (ratio, low, high float64) {
	at := func(target string) int {
		return slices.IndexFunc(r.Ranked, func(s Ranked) bool { return s.Target == target })
	}
	a, b := at(of), at(than)
	if !r.HasRanks() || a < 0 || b < 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	ratio = r.Ranked[a].Ratio / r.Ranked[b].Ratio
	apart := math.Inf(1)
	if r.Rounds >= LeastRounds {
		of := difference(r.noise[a], r.noise[b], r.Rounds)
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: of.free}
		apart = math.Exp(math.Sqrt(of.variance) * t.Quantile(1-risk/2/float64(claims)))
	}
	return ratio, ratio / apart, ratio * apart
}

// word compares an interval of a ratio with a claim. Where a claim says that servers differ, an interval that includes 1
// shows no difference. It still contradicts a claim that is far from it.
func word(c workload.Claim, low, high float64) string {
	same := c.Low == 1 && c.High == 1
	above, below := low > 1, high < 1
	switch {
	case math.IsNaN(low), math.IsInf(high, 1):
		return NotShown
	case same && (above || below), c.Low >= 1 && below, c.High <= 1 && above:
		return Disagrees
	case high*nearClaim < c.Low, low/nearClaim > c.High:
		return Disagrees
	case same && low*nearClaim >= 1 && high <= nearClaim, !same && (above || below):
		return Agrees
	case low*(1+tiedPct/100.) >= 1 && high <= 1+tiedPct/100.:
		return Tied
	}
	return NotShown
}

// ClaimRule explains the words of claims.
var ClaimRule = fmt.Sprintf("The word is **disagrees** when our interval is on the other side of 1, or more than %[1]g times away from the claimed ratio. "+
	"It is **tied** when the interval includes 1 and ends within %[2]d %% of it. With a wider interval, or without a figure, it is **not shown**. All else **agrees**. "+
	"A claim that two servers are the same agrees when the interval includes 1 and ends within %[1]g times of it. "+
	"A claim that requests fail agrees when some fail in every round, and disagrees when none fails.", nearClaim, tiedPct)
