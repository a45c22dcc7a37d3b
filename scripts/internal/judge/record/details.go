package record

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"fairstream/k6/common/hist"
	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// Details are what the records of one loading do not hold: how it went second
// by second, and the distributions. They live beside the records, in a file of
// their own, for plots; nothing is judged by them.
type Details struct {
	Schema    int         `json:"schema"`
	Workload  string      `json:"workload"`
	Run       string      `json:"run"` // its id
	Round     int         `json:"round"`
	Scenario  string      `json:"scenario"` // without plateau
	Target    string      `json:"target"`   // of a solo run; else ""
	Turns     []Turn      `json:"turns"`
	Timelines []Timeline  `json:"timelines"`
	Durations []Durations `json:"durations"`
}

// A Turn is who was loaded when, the warm-up included.
type Turn struct {
	Plateau string             `json:"plateau"`
	BeginMS int64              `json:"begin_ms"` // from the begin of the first turn
	TookMS  float64            `json:"took_ms"`
	Rates   map[string]float64 `json:"rates_per_s"` // by target
}

// A Timeline is what pidstat saw of a target, k6 or the stub, a value a second;
// the processes of a server are summed.
type Timeline struct {
	Process  string    `json:"process"`
	Second   []int64   `json:"second"`  // at its end, from the begin of the first turn
	CPUPct   []float64 `json:"cpu_pct"` // of one core
	RSSBytes []int64   `json:"rss_bytes"`
}

// Durations are the distributions of one target on one plateau.
type Durations struct {
	Target   string      `json:"target"`
	Scenario string      `json:"scenario"` // with plateau
	Stream   hist.Counts `json:"stream_us"`
	TTFT     hist.Counts `json:"ttft_us"`
	Gap      hist.Counts `json:"gap_us"`
	Transit  hist.Counts `json:"transit_us"`
}

func (l loading) details(run raw.Run, scenario raw.Scenario, target string) Details {
	d := Details{
		Schema: Schema, Workload: run.Workload, Run: run.ID, Round: l.facts.Round, Scenario: scenario.Name, Target: target,
		Turns: []Turn{}, Timelines: []Timeline{}, Durations: []Durations{},
	}
	var begin int64
	for i, t := range l.summary.Turns {
		if i == 0 {
			begin = t.BegunUnixMS
		}
		d.Turns = append(d.Turns, Turn{Plateau: t.Plateau, BeginMS: t.BegunUnixMS - begin, TookMS: t.TookMS, Rates: l.summary.Rates[i]})
	}
	for _, of := range l.summary.Loads {
		if of.Plateau == raw.WarmUp {
			continue
		}
		d.Durations = append(d.Durations, Durations{
			Target: of.Target, Scenario: Scenario(scenario.Name, of.Plateau),
			Stream: of.Counts.Stream, TTFT: of.Counts.TTFT, Gap: of.Counts.Gap, Transit: of.Counts.Transit,
		})
	}
	add := func(process string, pids ...int) {
		if t := timeline(process, l.of(pids), begin/1000); len(t.Second) > 0 {
			d.Timelines = append(d.Timelines, t)
		}
	}
	add("k6", l.facts.K6PID)
	add("stub", l.facts.StubPID)
	for _, t := range l.facts.Targets {
		add(t.Name, t.PIDs...)
	}
	return d
}

// timeline sums samples, which are in order of time, second by second.
func timeline(process string, samples []raw.Sample, begin int64) Timeline {
	t := Timeline{Process: process}
	at := map[int64]int{}
	for _, s := range samples {
		i, known := at[s.Time]
		if !known {
			i = len(t.Second)
			at[s.Time] = i
			t.Second, t.CPUPct, t.RSSBytes = append(t.Second, s.Time-begin), append(t.CPUPct, 0), append(t.RSSBytes, 0)
		}
		t.CPUPct[i] += s.CPUPct
		t.RSSBytes[i] += s.RSSBytes
	}
	return t
}

// mostSeconds is how long a timeline may be: who plots it has a place for each second.
const mostSeconds = 7 * 24 * 3600

// check refuses what timeline does not make.
func (t Timeline) check() error {
	n := len(t.Second)
	if len(t.CPUPct) != n || len(t.RSSBytes) != n {
		return fmt.Errorf("%d seconds, %d of cpu_pct and %d of rss_bytes; want as many of each", n, len(t.CPUPct), len(t.RSSBytes))
	}
	for i := 1; i < n; i++ {
		if t.Second[i] <= t.Second[i-1] {
			return fmt.Errorf("second %d follows %d; want them ascending", t.Second[i], t.Second[i-1])
		}
	}
	// Unsigned, so that those that are further apart than a number can tell are, too.
	if n > 0 && uint64(t.Second[n-1])-uint64(t.Second[0]) > mostSeconds {
		return fmt.Errorf("from second %d to %d; want at most %d", t.Second[0], t.Second[n-1], mostSeconds)
	}
	return nil
}

// WriteDetails writes details as JSON Lines.
func WriteDetails(w io.Writer, details []Details) error {
	enc := json.NewEncoder(w)
	for _, d := range details {
		if err := enc.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// Reads is the schema that ReadDetails reads.
func (Details) Reads() int { return Schema }

// ReadDetails reads JSON Lines strictly; an error names the line.
func ReadDetails(r io.Reader) ([]Details, error) {
	var all []Details
	lines := bufio.NewReader(r) // a line is megabytes long
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return all, nil
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		d, err := jsonl.Decode([]byte(line), func(d Details) error {
			if d.Schema != Schema {
				return fmt.Errorf("schema %d; this tool reads schema %d", d.Schema, Schema)
			}
			if err := workload.Check(d.Workload); err != nil {
				return err
			}
			for _, t := range d.Timelines {
				if err := t.check(); err != nil {
					return fmt.Errorf("timeline of %q: %w", t.Process, err)
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, d)
	}
}
