package record

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/raw"
)

// DetailsSchema is the version of Details.
const DetailsSchema = 3

// Details are the reduced details of a run.
type Details struct {
	Schema        int            `json:"schema"`
	Workload      string         `json:"workload"`
	K6Runs        []K6Run        `json:"k6_runs"` // of the first round, in order
	Distributions []Distribution `json:"distributions"`
}

// A K6Run is one run of k6.
type K6Run struct {
	Scenario  string     `json:"scenario"` // ranking or compare; of older runs one without level
	Round     int        `json:"round"`
	Target    string     `json:"target"` // its target in a solo run, else ""
	Levels    []string   `json:"levels"` // those of a ranking are called as records; "" without levels; with raw.WarmUp
	Targets   []string   `json:"targets"`
	Slices    []Slice    `json:"slices"`
	Timelines []Timeline `json:"timelines"` // of k6, the stub, and targets with a process
}

// A Slice holds an index in Levels, the pause in ms since the slice before, and its length in ms. Pairs of an
// index in Targets and its requests per second follow.
type Slice []float64

// A Timeline has a value for each second. First is the end of the first second after the begin of the first
// slice. nil is a second without a sample.
type Timeline struct {
	Process string   `json:"process"`
	First   int64    `json:"first"`
	CPUPct  []*int64 `json:"cpu_pct"` // of one core; pidstat counts ticks of 10 ms
	RSSKiB  []*int64 `json:"rss_kib"`
}

// A Distribution belongs to one target in one scenario. It has the curves of Curves; one without values
// is nil.
type Distribution struct {
	Target   string           `json:"target"`
	Scenario string           `json:"scenario"` // with level
	Curves   map[string]Curve `json:"curves"`   // by name
}

// NewDetails reduces the details of a run.
func NewDetails(all []K6Details) Details {
	d := Details{Schema: DetailsSchema, K6Runs: []K6Run{}, Distributions: []Distribution{}}
	merged := map[[2]string]map[string]hist.Counts{}
	var order [][2]string
	for _, of := range all {
		d.Workload = of.Workload
		same := func(l K6Run) bool { return l.Scenario == of.Scenario && l.Target == of.Target }
		if i := slices.IndexFunc(d.K6Runs, same); i < 0 {
			d.K6Runs = append(d.K6Runs, reducedRun(of))
		} else if of.Round < d.K6Runs[i].Round {
			d.K6Runs[i] = reducedRun(of)
		}
		for _, durations := range of.Durations {
			key := [2]string{durations.Target, durations.Scenario}
			if merged[key] == nil {
				merged[key] = map[string]hist.Counts{}
				order = append(order, key)
			}
			for name, counts := range durations.Of {
				sum := merged[key][name]
				sum.Merge(counts)
				merged[key][name] = sum
			}
		}
	}
	for _, key := range order {
		of := Distribution{Target: key[0], Scenario: key[1], Curves: map[string]Curve{}}
		for name, counts := range merged[key] {
			of.Curves[name] = CurveOf(counts)
		}
		d.Distributions = append(d.Distributions, of)
	}
	return d
}

// FilterDetails leaves out the figures of targets that do not count in their round, and k6 runs without any
// target that counts.
func FilterDetails(all []K6Details, counts func(target string, round int) bool) (kept []K6Details) {
	for _, of := range all {
		of.Durations = slices.DeleteFunc(slices.Clone(of.Durations), func(d Durations) bool { return !counts(d.Target, of.Round) })
		if len(of.Durations) > 0 {
			kept = append(kept, of)
		}
	}
	return kept
}

func reducedRun(of K6Details) K6Run {
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
				slice = append(slice, float64(i), LimitDigits(rate, 3))
			}
		}
		l.Slices = append(l.Slices, slice)
	}
	for _, t := range of.Timelines {
		l.Timelines = append(l.Timelines, reducedTimeline(t))
	}
	return l
}

// index returns the position of a name in a list, and appends a new name.
func index(names *[]string, name string) int {
	if i := slices.Index(*names, name); i >= 0 {
		return i
	}
	*names = append(*names, name)
	return len(*names) - 1
}

func reducedTimeline(t K6Timeline) Timeline {
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

// drawable reports whether the seconds ascend and are few enough to draw. Somebody may set the clock during a
// run, by years too.
func drawable(seconds []int64) bool {
	for i := 1; i < len(seconds); i++ {
		if seconds[i] <= seconds[i-1] {
			return false
		}
	}
	// Unsigned, so that an overflow counts as too far apart.
	n := len(seconds)
	return n > 0 && uint64(seconds[n-1])-uint64(seconds[0]) < maxSeconds && seconds[0] >= -maxSeconds && seconds[0] <= maxSeconds
}

// WriteDetails encodes details as JSON.
func WriteDetails(w io.Writer, d Details) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

// ReadDetails decodes the output of WriteDetails. Unknown keys, another schema and contradictions are errors.
func ReadDetails(r io.Reader) (d Details, err error) {
	text, err := io.ReadAll(r)
	if err == nil {
		d, err = files.DecodeLine(text, Details.Check)
	}
	if err != nil {
		err = fmt.Errorf("details: %w", err)
	}
	return d, err
}

// Reads is the schema of ReadDetails.
func (Details) Reads() int { return DetailsSchema }
