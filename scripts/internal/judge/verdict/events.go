package verdict

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// An Event is the verdict on one server in one comparison of main. It has what the site shows. Names come from the plan and
// from our own tables, so it has no text of another machine.
type Event struct {
	Schema    int         `json:"schema"`
	Workload  string      `json:"workload"`
	Server    string      `json:"server"`
	Base      string      `json:"base"` // full hashes
	Head      string      `json:"head"`
	Gradual   bool        `json:"gradual"` // the sum of many changes
	Quick     bool        `json:"quick"`   // shortened load, which measures little
	Run       string      `json:"run"`     // workflow run and attempt that loaded the comparison: 123-1
	Epoch     string      `json:"epoch"`
	Verdict   Verdict     `json:"verdict"`
	Confirmed bool        `json:"confirmed"` // a second comparison had the same result
	Rounds    int         `json:"rounds"`    // rounds that count
	Discarded int         `json:"discarded"` // rounds that do not count
	Cells     []EventCell `json:"cells"`
}

// An EventCell is the result of a cell. Changes are shares of base, or differences in the metric's unit for
// absolute metrics. Base and head are means of the rounds.
type EventCell struct {
	Scenario string   `json:"scenario"`
	Levels   []string `json:"levels,omitempty"` // that the cell combines
	Metric   string   `json:"metric"`
	Verdict  Verdict  `json:"verdict"`
	Base     float64  `json:"base"`
	Head     float64  `json:"head"`
	Change   float64  `json:"change"`
	Low      float64  `json:"low"` // 95 % interval
	High     float64  `json:"high"`
	Rounds   int      `json:"rounds"`
}

// EventSchema is the version of Event.
const EventSchema = 3

// ID is the server with its workload.
func (f Event) ID() workload.Server { return workload.Server{Workload: f.Workload, Name: f.Server} }

// Add adds the cells of an answer.
func (f *Event) Add(a Answer) {
	f.Schema, f.Workload, f.Server, f.Verdict = EventSchema, a.Workload, a.Server, a.Verdict
	f.Rounds, f.Discarded, f.Cells = a.Rounds, len(a.Discarded), []EventCell{}
	for _, c := range a.Cells {
		f.Cells = append(f.Cells, EventCell{
			Scenario: c.Scenario, Levels: c.Criterion.Levels, Metric: c.Metric.Name, Verdict: c.Verdict, Base: five(c.Base), Head: five(c.Head),
			Change: five(c.Change), Low: five(c.Low), High: five(c.High), Rounds: c.Rounds,
		})
	}
}

// five digits are enough for what is shown, and to replay a test.
func five(v float64) float64 { return record.LimitDigits(v, 5) }

// WriteEvents writes events as JSON, a line each.
func WriteEvents(w io.Writer, events []Event) error {
	if events == nil {
		events = []Event{}
	}
	lines := []string{}
	for _, f := range events {
		line, err := json.Marshal(f)
		if err != nil {
			return err
		}
		lines = append(lines, string(line))
	}
	_, err := fmt.Fprintf(w, "[\n%s\n]\n", strings.Join(lines, ",\n"))
	return err
}

// ReadEvents reads the output of WriteEvents. Unknown keys, another schema, and text after the events are
// errors.
func ReadEvents(r io.Reader) (events []Event, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var lines []json.RawMessage
	if err := json.Unmarshal(text, &lines); err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	for i, line := range lines {
		f, err := files.DecodeLine(line, Event.check)
		if err != nil {
			return nil, fmt.Errorf("events: number %d: %w", i+1, err)
		}
		events = append(events, f)
	}
	return events, nil
}

// Reads is the schema of ReadEvents.
func (Event) Reads() int { return EventSchema }

func (f Event) check() error {
	if f.Schema != EventSchema {
		return files.SchemaError{Seen: f.Schema, Read: EventSchema}
	}
	if !slices.Contains(verdicts, f.Verdict) {
		return fmt.Errorf("verdict %q; want one of %q", f.Verdict, verdicts)
	}
	return nil
}
