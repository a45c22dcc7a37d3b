package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/record"
)

// DetailsSchema is the version of the branch's form of details.
const DetailsSchema = 4

// A packedDetails is record.Details in columns. A string of numbers is a text of appendNumber.
type packedDetails struct {
	Schema    int           `json:"schema"`
	Workload  string        `json:"workload"`
	K6Runs    []packedK6Run `json:"k6_runs"`
	Targets   []string      `json:"targets"`   // of the distributions
	Scenarios []string      `json:"scenarios"` // of the distributions
	Places    string        `json:"places"`    // two indices for each distribution, in Targets and Scenarios
	// By name, one curve for each distribution; "" is a curve without values.
	Curves map[string][]string `json:"curves"`
}

type packedK6Run struct {
	Scenario  string           `json:"scenario"`
	Round     int              `json:"round"`
	Target    string           `json:"target"`
	Levels    []string         `json:"levels"`
	Targets   []string         `json:"targets"`
	Slices    string           `json:"slices"` // four numbers each: level, pause, difference to the length before, count of targets
	Loaded    string           `json:"loaded"` // the targets of all slices, in order
	Rates     json.RawMessage  `json:"rates"`  // a column: one rate for each of Loaded
	Timelines []packedTimeline `json:"timelines"`
}

const keptRateDigits = 3

// A packedTimeline has the difference of each second to the second before.
type packedTimeline struct {
	Process string `json:"process"`
	First   int64  `json:"first"`
	CPUPct  string `json:"cpu_pct"`
	RSSKiB  string `json:"rss_kib"`
}

// PackDetails turns details into a file of the branch.
func PackDetails(d record.Details) ([]byte, error) {
	p := packedDetails{Schema: DetailsSchema, Workload: d.Workload, Curves: map[string][]string{}}
	for _, l := range d.K6Runs {
		k6Run, err := packK6Run(l)
		if err != nil {
			return nil, err
		}
		p.K6Runs = append(p.K6Runs, k6Run)
	}
	var places []byte
	for _, of := range d.Distributions {
		places = appendNumber(places, place(&p.Targets, of.Target))
		places = appendNumber(places, place(&p.Scenarios, of.Scenario))
		for _, name := range record.Curves(d.Workload) {
			p.Curves[name] = append(p.Curves[name], text(of.Curves[name]))
		}
	}
	p.Places = string(places)
	return lines([]packedDetails{p})
}

// text returns a curve as a string of numbers.
func text(c record.Curve) string {
	var text []byte
	for _, v := range c {
		text = appendNumber(text, v)
	}
	return string(text)
}

// place returns the index of a name in a list. It adds a new name.
func place(names *[]string, name string) int64 {
	if i := slices.Index(*names, name); i >= 0 {
		return int64(i)
	}
	*names = append(*names, name)
	return int64(len(*names) - 1)
}

func packK6Run(l record.K6Run) (p packedK6Run, err error) {
	p = packedK6Run{Scenario: l.Scenario, Round: l.Round, Target: l.Target, Levels: l.Levels, Targets: l.Targets}
	var times, loaded []byte
	var rates column
	before := int64(0)
	for _, s := range l.Slices {
		took := int64(math.Round(s[2]))
		for _, v := range []int64{int64(s[0]), int64(math.Round(s[1])), took - before, int64(len(s)-3) / 2} {
			times = appendNumber(times, v)
		}
		before = took
		for i := 3; i < len(s); i += 2 {
			loaded = appendNumber(loaded, int64(s[i]))
			rates.add(&s[i+1], s[0], s[i])
		}
	}
	p.Slices, p.Loaded = string(times), string(loaded)
	for _, t := range l.Timelines {
		p.Timelines = append(p.Timelines, packedTimeline{t.Process, t.First, differences(t.CPUPct), differences(t.RSSKiB)})
	}
	p.Rates, err = rates.MarshalJSON()
	return p, err
}

// add appends the rate of a target in a level, both by index.
func (c *column) add(rate *float64, level, target float64) {
	c.figures, c.of = append(c.figures, rate), append(c.of, kind{int(target), strconv.Itoa(int(level))})
}

// differences returns each value less the known value before it.
func differences(values []*int64) string {
	var text []byte
	before := int64(0)
	for _, v := range values {
		if v == nil {
			text = append(text, unknown)
			continue
		}
		text = appendNumber(text, *v-before)
		before = *v
	}
	return string(text)
}

// ReadDetails reads a file of PackDetails, as strictly as record.ReadDetails.
func ReadDetails(text []byte) (d record.Details, err error) {
	p, err := files.DecodeLine(text, func(p packedDetails) error {
		if p.Schema != DetailsSchema {
			return fmt.Errorf("schema %d; this tool reads schema %d", p.Schema, DetailsSchema)
		}
		return nil
	})
	if err == nil {
		d, err = p.details()
	}
	if err == nil {
		err = d.Check()
	}
	if err != nil {
		err = fmt.Errorf("details: %w", err)
	}
	return d, err
}

// Reads is the schema that ReadDetails reads.
func (packedDetails) Reads() int { return DetailsSchema }

func (p packedDetails) details() (d record.Details, err error) {
	d = record.Details{Schema: record.DetailsSchema, Workload: p.Workload, K6Runs: []record.K6Run{}, Distributions: []record.Distribution{}}
	for i, l := range p.K6Runs {
		k6Run, err := l.k6Run()
		if err != nil {
			return d, fmt.Errorf("k6 run %d: %w", i+1, err)
		}
		d.K6Runs = append(d.K6Runs, k6Run)
	}
	places, err := list(p.Places)
	if err != nil {
		return d, fmt.Errorf("places: %w", err)
	}
	n := len(places) / 2
	if len(places) != 2*n {
		return d, fmt.Errorf("%d places of distributions; want two for each", len(places))
	}
	for name, all := range p.Curves {
		if len(all) != n {
			return d, fmt.Errorf("%d curves %.40q of %d distributions; want one of each", len(all), name, n)
		}
	}
	for i := range n {
		target, scenario := places[2*i], places[2*i+1]
		if target < 0 || target >= int64(len(p.Targets)) || scenario < 0 || scenario >= int64(len(p.Scenarios)) {
			return d, fmt.Errorf("distribution %d: target %d of %d, scenario %d of %d", i+1, target, len(p.Targets), scenario, len(p.Scenarios))
		}
		of := record.Distribution{Target: p.Targets[target], Scenario: p.Scenarios[scenario], Curves: map[string]record.Curve{}}
		for name, all := range p.Curves {
			if of.Curves[name], err = list(all[i]); err != nil {
				return d, fmt.Errorf("distribution %d: %.40q: %w", i+1, name, err)
			}
		}
		d.Distributions = append(d.Distributions, of)
	}
	return d, nil
}

func (p packedK6Run) k6Run() (l record.K6Run, err error) {
	l = record.K6Run{Scenario: p.Scenario, Round: p.Round, Target: p.Target, Levels: p.Levels, Targets: p.Targets, Slices: []record.Slice{}, Timelines: []record.Timeline{}}
	times, err := list(p.Slices)
	if err != nil {
		return l, fmt.Errorf("slices: %w", err)
	}
	loaded, err := list(p.Loaded)
	if err != nil {
		return l, fmt.Errorf("loaded: %w", err)
	}
	if len(times)%4 != 0 {
		return l, fmt.Errorf("%d numbers of slices; want four of each", len(times))
	}
	var rates column
	took, at := int64(0), int64(0)
	for of := range slices.Chunk(times, 4) {
		took += of[2]
		slice := record.Slice{float64(of[0]), float64(of[1]), float64(took)}
		for end := at + of[3]; at < end; at++ {
			if at == int64(len(loaded)) {
				return l, errors.New("more targets in slices than loaded")
			}
			slice = append(slice, float64(loaded[at]), 0) // its rate is read below
			rates.add(nil, slice[0], float64(loaded[at]))
		}
		l.Slices = append(l.Slices, slice)
	}
	if at != int64(len(loaded)) {
		return l, errors.New("fewer targets in slices than loaded")
	}
	found, err := readColumn(p.Rates, rates.of)
	if err != nil {
		return l, fmt.Errorf("rates: %w", err)
	}
	for _, slice := range l.Slices {
		for i := 4; i < len(slice); i += 2 {
			if found[0] == nil {
				return l, errors.New("a rate is unknown")
			}
			slice[i], found = record.LimitDigits(*found[0], keptRateDigits), found[1:]
		}
	}
	for _, t := range p.Timelines {
		cpu, err := sums(t.CPUPct)
		if err != nil {
			return l, fmt.Errorf("%.40q: cpu_pct: %w", t.Process, err)
		}
		rss, err := sums(t.RSSKiB)
		if err != nil {
			return l, fmt.Errorf("%.40q: rss_kib: %w", t.Process, err)
		}
		l.Timelines = append(l.Timelines, record.Timeline{Process: t.Process, First: t.First, CPUPct: cpu, RSSKiB: rss})
	}
	return l, nil
}

// list reads numbers that must all be known. It returns nil for an empty text.
func list(text string) (all []int64, err error) {
	for in := (numbers{text}); in.text != ""; {
		v, known, err := in.next()
		if err == nil && !known {
			err = errors.New("a number is unknown")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// sums reads a text of differences.
func sums(text string) ([]*int64, error) {
	all, sum := []*int64{}, int64(0)
	for in := (numbers{text}); in.text != ""; {
		v, known, err := in.next()
		if err != nil {
			return nil, err
		}
		if !known {
			all = append(all, nil)
			continue
		}
		sum += v
		value := sum
		all = append(all, &value)
	}
	return all, nil
}
