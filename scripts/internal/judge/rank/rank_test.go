package rank

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"

	"gonum.org/v1/gonum/stat"
)

var cost = workload.All[0].Cost

// made is a record of steady, in which no stream failed.
func made(name string, round int) record.Record {
	none := 0.0
	return record.Record{
		Server: raw.Server{Name: name}, Scenario: "steady", Round: round, Status: record.OK,
		Started: time.Unix(int64(100*round), 0), Metrics: record.Metrics{FailedPct: &none},
	}
}

// costs are records of steady in which servers cost what is said, a value a round.
func costs(of map[string][]float64) []record.Record {
	var records []record.Record
	for _, name := range []string{"a", "b", "c", "d"} {
		for round, v := range of[name] {
			r := made(name, round+1)
			if v > 0 {
				r.Metrics[cost.Metric] = &v
			} else {
				r.Metrics[cost.Metric] = nil
			}
			records = append(records, r)
		}
	}
	return records
}

func places(r Ranking) string {
	var all []string
	for _, s := range r.Ranked {
		all = append(all, s.Target+" "+r.Place(s))
	}
	return strings.Join(all, ", ")
}

func TestRanks(t *testing.T) {
	for name, c := range map[string]struct {
		of   map[string][]float64
		want string
		left string
	}{
		// A round that is slow for all moves nobody.
		"apart in spite of drift": {map[string][]float64{"a": {100, 200, 150}, "b": {120, 242, 179}, "c": {90, 181, 134}}, "c 1, a 2, b 3", ""},
		"a tie is a range":        {map[string][]float64{"a": {100, 103, 98}, "b": {101, 100, 102}, "c": {200, 205, 196}}, "a 1-2, b 1-2, c 3", ""},
		// All rounds agree that a is cheaper, which two equal servers do in one case of four.
		"agreement is not enough": {map[string][]float64{"a": {100, 100, 100}, "b": {101, 108, 102}}, "a 1-2, b 1-2", ""},
		"one round ranks nobody":  {map[string][]float64{"a": {100}, "b": {300}}, "a ?, b ?", ""},
		"a missing round":         {map[string][]float64{"a": {100, 103, 98}, "b": {101, 0, 102}, "c": {200, 205, 196}}, "a 1, c 2", "b -"},
		"nobody in a round":       {map[string][]float64{"a": {100, 0, 98, 101}, "b": {200, 0, 205, 198}}, "a 1, b 2", ""},
	} {
		r := NewRanking(costs(c.of), "steady", cost)
		left := places(Ranking{Rounds: r.Rounds, Ranked: r.Unranked})
		if got := places(r); got != c.want || left != c.left || r.Why != "" {
			t.Errorf("%s: %s, left %q, want %s, left %q (apart %.1f %%, %s)", name, got, left, c.want, c.left, r.ApartPct, r.Why)
		}
	}
}

// A reference is held against the first, and has no rank.
func TestAReferenceHasNoRank(t *testing.T) {
	records := costs(map[string][]float64{"a": {100, 200, 150}, "b": {120, 242, 179}, "c": {50, 100, 75}})
	for i := range records {
		records[i].Server.Reference = records[i].Server.Name == "c"
	}
	r := NewRanking(records, "steady", cost)
	if got := places(r); got != "a 1, b 2" || len(r.Unranked) > 0 {
		t.Errorf("%s, unranked %v", got, r.Unranked)
	}
	if len(r.References) != 1 || r.References[0].Target != "c" || math.Abs(r.References[0].Ratio-0.5) > 1e-9 {
		t.Errorf("references %+v", r.References)
	}
}

// One that loses streams would blur the ranks of all others.
func TestAServerThatLosesStreamsHasNoRank(t *testing.T) {
	records := costs(map[string][]float64{"a": {100, 103, 98}, "b": {120, 125, 118}, "c": {200, 5, 196}})
	for _, r := range records {
		if v, _ := r.Metrics.Get(cost.Metric); v == 5 {
			some := 2.0
			r.Metrics[FailedPct] = &some
		}
	}
	if got := places(NewRanking(records, "steady", cost)); got != "a 1, b 2" {
		t.Errorf("ranks %s", got)
	}
	r := NewRanking(records, "steady", cost)
	if f := r.Unranked[0].Figure; len(r.Unranked) != 1 || math.Abs(f.Mid-math.Sqrt(196*200)) > 1e-9 || f.Low != 196 || f.High != 200 || f.Rounds != 2 {
		t.Errorf("the round with failed streams counts: %+v", r.Unranked)
	}
}

// A pattern says how noisy each of eight servers is.
type pattern struct {
	name string
	sd   []float64 // in per cent
}

var patterns = []pattern{
	{"all are equally noisy", []float64{1, 1, 1, 1, 1, 1, 1, 1}},
	{"from half to three times as noisy", []float64{0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 3}},
	{"two are five times as noisy", []float64{1, 1, 1, 1, 1, 1, 5, 5}},
	{"one is eight times as noisy", []float64{1, 1, 1, 1, 1, 1, 1, 8}},
}

// A ranking should tell equal servers apart in 5 of 100 runs, over all looks. A fixed generator draws the noise, so the
// table of the README does not depend on chance.
func TestHowOftenEqualServersAreToldApart(t *testing.T) {
	const trials = 2000
	table := "| noise of the servers | rounds | separated | tied in the median pair | separated, with one noise for all | tied |\n|---|--:|--:|--:|--:|--:|\n"
	for _, p := range patterns {
		for _, rounds := range []int{3, 6} {
			random := rand.New(rand.NewPCG(1, 2))
			var apart, pooled int
			var width, pooledWidth []float64
			for range trials {
				logs := drawn(random, p.sd, rounds)
				told := false
				var r Ranking
				for n := LeastRounds; n <= rounds; n++ {
					r = ranked(logs, n, rounds)
					told = told || slices.ContainsFunc(r.Ranked, func(s Ranked) bool { return s.Worst-s.Best != len(p.sd)-1 })
				}
				if told {
					apart++
				}
				range_, limit := ofOneNoise(r, logs)
				if range_ > limit {
					pooled++
				}
				width, pooledWidth = append(width, r.ApartPct), append(pooledWidth, 100*math.Expm1(limit))
			}
			pct := func(n int) float64 { return 100 * float64(n) / trials }
			table += fmt.Sprintf("| %s | %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", p.name, rounds, pct(apart), median(width), pct(pooled), median(pooledWidth))
		}
	}
	testfile.Region(t, "README.md", "table of equal servers", "table", table)
}

// drawn are logarithms of servers with the same mean, in rounds that are fast or slow for all.
func drawn(random *rand.Rand, sd []float64, rounds int) map[string][]float64 {
	logs := map[string][]float64{}
	for range rounds {
		drift := random.NormFloat64()
		for i, percent := range sd {
			name := string(rune('a' + i))
			logs[name] = append(logs[name], 0.1*drift+percent/100*random.NormFloat64())
		}
	}
	return logs
}

// ranked ranks the first n of the rounds.
func ranked(all map[string][]float64, n, planned int) Ranking {
	r := Ranking{Column: cost, Rounds: n, planned: planned}
	logs := map[string][]float64{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r.Ranked = append(r.Ranked, Ranked{Target: name})
		logs[name] = all[name][:n]
	}
	r.order(logs, math.NaN())
	return r
}

// ofOneNoise is the range of the means, and Tukey's limit for it with one variance for all servers.
func ofOneNoise(r Ranking, logs map[string][]float64) (width, limit float64) {
	n, k := float64(r.Rounds), float64(len(r.Ranked))
	var means []float64
	for _, of := range logs {
		means = append(means, stat.Mean(of, nil))
	}
	var squares float64
	for round := range r.Rounds {
		var rest []float64
		for _, of := range logs {
			rest = append(rest, of[round]-stat.Mean(of, nil))
		}
		squares += stat.Variance(rest, nil) * (k - 1)
	}
	free := (k - 1) * (n - 1)
	return slices.Max(means) - slices.Min(means), studentizedRange(1-risk, len(r.Ranked), free) * math.Sqrt(squares/free/n)
}

// A run goes on while a pair of servers is neither apart nor the same.
func TestPairsAreOpenUntilTheyAreApartOrTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		of   map[string][]float64
		want string
	}{
		"apart":          {map[string][]float64{"a": {100, 200, 150}, "b": {120, 241, 180}}, "[]"},
		"the same":       {map[string][]float64{"a": {100, 200, 150}, "b": {100.2, 200.1, 150.2}}, "[]"},
		"too much noise": {map[string][]float64{"a": {100, 200, 150}, "b": {101, 190, 158}}, "[[a b]]"},
		"one round":      {map[string][]float64{"a": {100}, "b": {200}}, "[[a b]]"},
		"one pair":       {map[string][]float64{"a": {100, 100, 100}, "b": {100, 104, 98}, "c": {200, 205, 196}}, "[[a b]]"},
	} {
		if got := fmt.Sprint(NewRanking(costs(c.of), "steady", cost).Open()); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Rounds in which neighbours had far more of the machine do not count, as long as two others do.
func TestDisturbedRoundsDoNotCount(t *testing.T) {
	const quota = "a CPU quota stopped the targets"
	for name, c := range map[string]struct {
		others []float64
		why    map[int]string // by round
		want   string
	}{
		"calm":                        {[]float64{1, 3, 20}, nil, "[]"},
		"one is disturbed":            {[]float64{1, 52, 3, 2}, nil, "[Round 2 of steady does not count: other programs and the host had 52 % of the machine, and 1 % in the calmest round]"},
		"a neighbour is always there": {[]float64{48, 52, 60}, map[int]string{2: "late"}, "[]"},
		"a quota":                     {[]float64{1, 2, 3, 4}, map[int]string{3: quota}, "[Round 3 of steady does not count: a: " + quota + "]"},
		"too few are left":            {[]float64{1, 52, 2}, nil, "[]"},
		"one round":                   {[]float64{1}, map[int]string{1: quota}, "[]"},
	} {
		var records []record.Record
		for i, pct := range c.others {
			for _, target := range []string{"a", "b"} {
				r := made(target, i+1)
				r.Conditions.OthersPct = &pct
				if why := c.why[i+1]; why != "" {
					r.Conditions.Disturbed = []string{why}
				}
				records = append(records, r)
			}
		}
		calm, left := Calm(records)
		if got := fmt.Sprint(left); got != c.want || len(calm) != len(records)-2*len(left) {
			t.Errorf("%s: %s, and %d records; want %s", name, got, len(calm), c.want)
		}
	}
}
