package record

import (
	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/workload"
)

// K6Details hold what the records of a k6 run leave out: its seconds and its distributions. NewDetails
// reduces them for plots. No verdict depends on them.
type K6Details struct {
	Workload  string
	Run       string // id of the run
	Round     int
	Scenario  string // without level
	Target    string // target of a solo run, else ""
	Slices    []K6Slice
	Timelines []K6Timeline
	Durations []Durations
}

// A K6Slice says which targets were loaded when. The warm-up is a slice too.
type K6Slice struct {
	Level   string
	BeginMS int64 // since the begin of the first slice
	TookMS  float64
	Rates   map[string]float64 // requests per second by target; none in a slice that does not count
}

// A K6Timeline has pidstat's figures of a target, of k6 or of the stub, a value a second. It sums the processes
// of a server.
type K6Timeline struct {
	Process  string
	Second   []int64   // end of the second, since the begin of the first slice
	CPUPct   []float64 // of one core
	RSSBytes []int64
}

// Durations are the distributions of one target on one level.
type Durations struct {
	Target   string
	Scenario string                 // with level
	Of       map[string]hist.Counts // by name: those of curves
}

// curves are the distributions of each unit, by name, in the order of display.
var curves = map[string][]curve{
	workload.Stream: {
		{"stream", func(c raw.Counts) hist.Counts { return c.Request }},
		{"ttft", func(c raw.Counts) hist.Counts { return c.TTFT }},
		{"itl", func(c raw.Counts) hist.Counts { return c.Itl }},
		{"token_delay", func(c raw.Counts) hist.Counts { return c.TokenDelay }},
	},
	workload.Request: {
		{"request", func(c raw.Counts) hist.Counts { return c.Request }},
		{"ttfb", func(c raw.Counts) hist.Counts { return c.TTFB }},
	},
}

type curve struct {
	name string
	of   func(raw.Counts) hist.Counts
}

// Curves names the distributions of a workload, in the order of display.
func Curves(name string) (names []string) {
	for _, c := range curves[workload.Named(name).Unit] {
		names = append(names, c.name)
	}
	return names
}

func (l k6Run) details(run raw.Run, scenario raw.Scenario, target string) K6Details {
	d := K6Details{
		Workload: run.Workload, Run: run.ID, Round: l.facts.Round, Scenario: scenario.Name, Target: target,
		Slices: []K6Slice{}, Timelines: []K6Timeline{}, Durations: []Durations{},
	}
	var begin int64
	for i, t := range l.summary.Slices {
		if i == 0 {
			begin = t.StartedUnixMS
		}
		d.Slices = append(d.Slices, K6Slice{Level: t.Level, BeginMS: t.StartedUnixMS - begin, TookMS: t.TookMS, Rates: l.summary.Rates[i]})
	}
	for _, of := range l.summary.Loads {
		if of.Level == raw.WarmUp || of.Discarded {
			continue
		}
		durations := Durations{Target: of.Target, Scenario: Scenario(scenario.Name, of.Level), Of: map[string]hist.Counts{}}
		for _, c := range curves[l.workload.Unit] {
			durations.Of[c.name] = c.of(of.Counts)
		}
		d.Durations = append(d.Durations, durations)
	}
	add := func(process string, pids ...int) {
		if t := timeline(process, l.of(pids), begin/1000); len(t.Second) > 0 {
			d.Timelines = append(d.Timelines, t)
		}
	}
	add("k6", l.k6PIDs()...)
	add("stub", l.facts.StubPID)
	for _, t := range l.facts.Targets {
		add(t.Name, t.PIDs...)
	}
	return d
}

// k6PIDs are those of all k6 of a run.
func (l k6Run) k6PIDs() (pids []int) {
	for _, t := range l.facts.Targets {
		if t.K6PID != 0 {
			pids = append(pids, t.K6PID)
		}
	}
	if pids == nil {
		pids = []int{l.facts.K6PID}
	}
	return pids
}

// timeline sums samples second by second. They must be in order of time.
func timeline(process string, samples []raw.Sample, begin int64) K6Timeline {
	t := K6Timeline{Process: process}
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
