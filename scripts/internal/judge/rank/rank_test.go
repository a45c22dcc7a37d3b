package rank

import (
	"math"
	"strings"
	"testing"
	"time"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
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
	if want := "no rank, because streams failed or rounds are missing: c."; !strings.Contains(r.Sentence(), want) {
		t.Errorf("no %q in: %s", want, r.Sentence())
	}
	if f := r.Unranked[0].Figure; len(r.Unranked) != 1 || math.Abs(f.Mid-math.Sqrt(196*200)) > 1e-9 || f.Low != 196 || f.High != 200 || f.Rounds != 2 {
		t.Errorf("the round with failed streams counts: %+v", r.Unranked)
	}
}

// Of two servers, the rule is the paired t-test.
func TestTwoServersAreAPair(t *testing.T) {
	r := NewRanking(costs(map[string][]float64{"a": {100, 110, 120}, "b": {104, 111, 127}}), "steady", cost)
	d := []float64{math.Log(104. / 100), math.Log(111. / 110), math.Log(127. / 120)}
	mean := (d[0] + d[1] + d[2]) / 3
	var squares float64
	for _, v := range d {
		squares += (v - mean) * (v - mean)
	}
	const t2 = 4.302653 // 97.5 % of Student's t, 2 degrees of freedom
	if want := 100 * math.Expm1(t2*math.Sqrt(squares/2/3)); math.Abs(r.ApartPct-want) > 1e-4 {
		t.Errorf("apart %.6f %%, want %.6f", r.ApartPct, want)
	}
}

// Rankings should separate equal servers in at most 5 of 100 cases. A fixed generator draws the noise, so the
// test does not depend on chance.
func TestEqualServersAreMostlyTied(t *testing.T) {
	state, told := uint64(1), 0
	noise := func() float64 { // about normal: twelve uniform draws
		sum := -6.0
		for range 12 {
			state = state*6364136223846793005 + 1442695040888963407
			sum += float64(state>>11) / (1 << 53)
		}
		return sum
	}
	const trials = 1000
	for range trials {
		of := map[string][]float64{}
		for range 3 {
			drift := noise()
			for _, name := range []string{"a", "b", "c", "d"} {
				of[name] = append(of[name], 100*math.Exp(0.1*drift+0.02*noise()))
			}
		}
		r := Ranking{Column: cost, Rounds: 3}
		logs := map[string][]float64{}
		for name, values := range of {
			r.Ranked = append(r.Ranked, Ranked{Target: name})
			for _, v := range values {
				logs[name] = append(logs[name], math.Log(v))
			}
		}
		r.order(logs)
		for _, s := range r.Ranked {
			if s.Worst-s.Best != 3 {
				told++
				break
			}
		}
	}
	if told > trials*6/100 || told == 0 {
		t.Errorf("%d of %d rankings of equal servers told some apart, want 1 to 60", told, trials)
	}
}
