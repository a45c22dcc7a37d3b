// Package details turns the details of a run, megabytes that plots of one run are
// made of, into what the history keeps of them and the site shows: how the first
// round went second by second, and the distributions of all rounds. Nothing is judged by it.
package details

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
)

// Schema is the version of Details.
const Schema = 2

// Details are those of a run.
type Details struct {
	Schema        int            `json:"schema"`
	Workload      string         `json:"workload"`
	K6Runs        []K6Run        `json:"k6_runs"` // of the first round, in their order
	Distributions []Distribution `json:"distributions"`
}

// A K6 run is one run of k6.
type K6Run struct {
	Scenario  string     `json:"scenario"` // without level
	Round     int        `json:"round"`
	Target    string     `json:"target"` // of a solo run; else ""
	Levels    []string   `json:"levels"` // "" where there is none; raw.WarmUp too
	Targets   []string   `json:"targets"`
	Slices    []Slice    `json:"slices"`
	Timelines []Timeline `json:"timelines"` // of k6, the stub, and targets that are processes
}

// A Slice is an index in Levels, the pause in ms since the end of the slice before,
// its length in ms, and then in pairs an index in Targets and its streams per second.
type Slice []float64

// A Timeline has a value for each second from First on, which ends so many seconds
// after the begin of the first slice; nil is a second without a sample.
type Timeline struct {
	Process string   `json:"process"`
	First   int64    `json:"first"`
	CPUPct  []*int64 `json:"cpu_pct"` // of one core: pidstat counts ticks of 10 ms
	RSSKiB  []*int64 `json:"rss_kib"`
}

// A Distribution is of one target in one scenario; nil where nothing was counted.
type Distribution struct {
	Target     string `json:"target"`
	Scenario   string `json:"scenario"` // with its level
	Stream     Curve  `json:"stream"`
	TTFT       Curve  `json:"ttft"`
	Itl        Curve  `json:"itl"`
	TokenDelay Curve  `json:"token_delay"`
}

// NewDetails shortens the details of a run.
func NewDetails(all []record.Details) Details {
	d := Details{Schema: Schema, K6Runs: []K6Run{}, Distributions: []Distribution{}}
	merged := map[[2]string]*record.Durations{}
	var order [][2]string
	for _, of := range all {
		d.Workload = of.Workload
		same := func(l K6Run) bool { return l.Scenario == of.Scenario && l.Target == of.Target }
		if i := slices.IndexFunc(d.K6Runs, same); i < 0 {
			d.K6Runs = append(d.K6Runs, k6Run(of))
		} else if of.Round < d.K6Runs[i].Round {
			d.K6Runs[i] = k6Run(of)
		}
		for _, durations := range of.Durations {
			key := [2]string{durations.Target, durations.Scenario}
			if merged[key] == nil {
				merged[key] = &record.Durations{}
				order = append(order, key)
			}
			sum := merged[key]
			sum.Stream.Merge(durations.Stream)
			sum.TTFT.Merge(durations.TTFT)
			sum.Itl.Merge(durations.Itl)
			sum.TokenDelay.Merge(durations.TokenDelay)
		}
	}
	for _, key := range order {
		sum := merged[key]
		d.Distributions = append(d.Distributions, Distribution{
			Target: key[0], Scenario: key[1],
			Stream: CurveOf(sum.Stream), TTFT: CurveOf(sum.TTFT), Itl: CurveOf(sum.Itl), TokenDelay: CurveOf(sum.TokenDelay),
		})
	}
	return d
}

func k6Run(of record.Details) K6Run {
	l := K6Run{Scenario: of.Scenario, Round: of.Round, Target: of.Target, Levels: []string{}, Targets: []string{}, Slices: []Slice{}, Timelines: []Timeline{}}
	for _, durations := range of.Durations {
		index(&l.Targets, durations.Target)
	}
	end := 0.0
	for _, t := range of.Slices {
		begin, took := float64(t.BeginMS), math.Round(t.TookMS)
		slice := Slice{float64(index(&l.Levels, t.Level)), begin - end, took}
		end = begin + took
		for i, target := range l.Targets {
			if rate, known := t.Rates[target]; known && t.Level != raw.WarmUp {
				slice = append(slice, float64(i), record.LimitDigits(rate, 3))
			}
		}
		l.Slices = append(l.Slices, slice)
	}
	for _, t := range of.Timelines {
		l.Timelines = append(l.Timelines, timeline(t))
	}
	return l
}

// index is where a name is in a list, to which it is added if it is not there.
func index(names *[]string, name string) int {
	if i := slices.Index(*names, name); i >= 0 {
		return i
	}
	*names = append(*names, name)
	return len(*names) - 1
}

func timeline(t record.Timeline) Timeline {
	out := Timeline{Process: t.Process, CPUPct: []*int64{}, RSSKiB: []*int64{}}
	if !drawable(t.Second) {
		return out
	}
	out.First = t.Second[0]
	length := t.Second[len(t.Second)-1] - out.First + 1
	out.CPUPct, out.RSSKiB = make([]*int64, length), make([]*int64, length)
	for i, second := range t.Second {
		cpu, rss := int64(math.Round(t.CPUPct[i])), t.RSSBytes[i]>>10
		out.CPUPct[second-out.First], out.RSSKiB[second-out.First] = &cpu, &rss
	}
	return out
}

// drawable says that seconds ascend, and are no more than a reader takes: a clock may
// be set while it is looked at, by years too.
func drawable(seconds []int64) bool {
	for i := 1; i < len(seconds); i++ {
		if seconds[i] <= seconds[i-1] {
			return false
		}
	}
	// Unsigned, so that those that are further apart than a number can tell are, too.
	n := len(seconds)
	return n > 0 && uint64(seconds[n-1])-uint64(seconds[0]) < maxSeconds && seconds[0] >= -maxSeconds && seconds[0] <= maxSeconds
}

// Write writes details as JSON.
func Write(w io.Writer, d Details) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

// Read reads what Write wrote, strictly: an unknown key, another schema, or what
// contradicts itself are errors.
func Read(r io.Reader) (d Details, err error) {
	text, err := io.ReadAll(r)
	if err == nil {
		d, err = jsonl.Decode(text, Details.check)
	}
	if err != nil {
		err = fmt.Errorf("details: %w", err)
	}
	return d, err
}

// Reads is the schema that Read reads.
func (Details) Reads() int { return Schema }
