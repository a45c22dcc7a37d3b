package publish

import (
	"encoding/json"
	"math"
	"math/bits"
	"slices"

	"fairstream/k6/sse/hist"
	"fairstream/scripts/record"
)

// Details are what a run's records do not hold: how it went second by second, and
// the distributions. Nothing is judged by them.
type Details struct {
	Schema        int            `json:"schema"`
	Run           string         `json:"run"`
	Loadings      []Loading      `json:"loadings"` // in the order of time
	Distributions []Distribution `json:"distributions"`
}

// A Loading is one run of k6: a scenario in a round, with all targets or, of a solo
// run, with one.
type Loading struct {
	Scenario string   `json:"scenario"` // without plateau
	Round    int      `json:"round"`
	Target   string   `json:"target"` // of a solo run; else ""
	Plateaus []string `json:"plateaus"`
	Targets  []string `json:"targets"`
	// A turn is an index in Plateaus, its begin in ms from that of the first, how many
	// ms it took, and then pairs of an index in Targets and its streams per second.
	Turns     [][]float64 `json:"turns"`
	Timelines []Timeline  `json:"timelines"`
}

// A Timeline has a value a second; null is a second without a sample.
type Timeline struct {
	Process string `json:"process"`
	First   int64  `json:"first"`   // seconds from the begin of the first turn, at the end of the sampled one
	CPUPct  Ints   `json:"cpu_pct"` // of one core
	RSSKiB  Ints   `json:"rss_kib"`
}

// A Distribution is a target's in a scenario with its plateau, over all rounds.
type Distribution struct {
	Target   string  `json:"target"`
	Scenario string  `json:"scenario"`
	Stream   *Counts `json:"stream"`
	TTFT     *Counts `json:"ttft"`
	Gap      *Counts `json:"gap"`
	Transit  *Counts `json:"transit"`
}

// Counts are those of package hist with 64 buckets a doubling in place of 512, one
// after the other from First on.
type Counts struct {
	SumUS  int64 `json:"sum_us"`
	MinUS  int64 `json:"min_us"`
	MaxUS  int64 `json:"max_us"`
	First  int   `json:"first"`
	Counts Ints  `json:"counts"`
}

// longest is how many seconds a timeline may have: of a day.
const longest = 24 * 60 * 60

func (r *run) writeDetails(of []record.Details, out Out) error {
	d := Details{Schema: Schema, Run: r.path, Loadings: []Loading{}, Distributions: []Distribution{}}
	type key struct{ scenario, target string }
	merged := map[key]*record.Durations{}
	var keys []key
	for _, one := range of {
		d.Loadings = append(d.Loadings, loadingForm(one))
		for _, durations := range one.Durations {
			k := key{durations.Scenario, durations.Target}
			if merged[k] == nil {
				merged[k], keys = &record.Durations{}, append(keys, k)
			}
			to := merged[k]
			to.Stream.Merge(durations.Stream)
			to.TTFT.Merge(durations.TTFT)
			to.Gap.Merge(durations.Gap)
			to.Transit.Merge(durations.Transit)
		}
	}
	for _, k := range keys {
		of := merged[k]
		d.Distributions = append(d.Distributions, Distribution{k.target, k.scenario, coarse(of.Stream), coarse(of.TTFT), coarse(of.Gap), coarse(of.Transit)})
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	r.details = true
	return out("details/"+r.path+".json.gz", zipped(text))
}

func loadingForm(of record.Details) Loading {
	l := Loading{Scenario: of.Scenario, Round: of.Round, Target: of.Target, Plateaus: []string{}, Targets: []string{}, Turns: [][]float64{}, Timelines: []Timeline{}}
	index := func(list *[]string, name string) float64 {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
		return float64(slices.Index(*list, name))
	}
	for _, t := range of.Turns {
		turn := []float64{index(&l.Plateaus, t.Plateau), float64(t.BeginMS), math.Round(t.TookMS)}
		for _, target := range sortedKeys(t.Rates, directLast) {
			turn = append(turn, index(&l.Targets, target), digits(t.Rates[target], 4))
		}
		l.Turns = append(l.Turns, turn)
	}
	for _, t := range of.Timelines {
		if len(t.Second) == 0 || len(t.CPUPct) != len(t.Second) || len(t.RSSBytes) != len(t.Second) {
			continue
		}
		first, last := slices.Min(t.Second), slices.Max(t.Second)
		if last-first > longest {
			continue
		}
		n := int(last-first) + 1
		line := Timeline{t.Process, first, nulls(n), nulls(n)}
		for i, s := range t.Second {
			line.CPUPct[s-first], line.RSSKiB[s-first] = int64(math.Round(t.CPUPct[i])), t.RSSBytes[i]>>10
		}
		l.Timelines = append(l.Timelines, line)
	}
	return l
}

// coarseBits are those of a bucket's index within its doubling.
const coarseBits = 6

// coarse are counts in wider buckets, of which each holds whole ones; nil without values.
func coarse(of hist.Counts) *Counts {
	if of.Count == 0 {
		return nil
	}
	counts := map[int]int64{}
	least, most := math.MaxInt, 0
	for bucket, n := range of.Buckets {
		low, _ := hist.Bounds(bucket)
		shift := max(bits.Len64(uint64(low))-coarseBits-1, 0)
		i := shift<<coarseBits + int(low>>shift)
		counts[i] += int64(n)
		least, most = min(least, i), max(most, i)
	}
	c := &Counts{SumUS: of.SumUS, MinUS: of.MinUS, MaxUS: of.MaxUS, First: least, Counts: make(Ints, most-least+1)}
	for i, n := range counts {
		c.Counts[i-least] = n
	}
	return c
}
