package archive

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// PastPath is where the branch has how much the pairs of main scattered.
const PastPath = "past.jsonl"

// A Flag is the verdict on one server in one pair of main: what the site shows,
// and what it takes to judge the verdict. Names are those of the plan and of our
// own tables: no text that a machine uploaded is in it.
type Flag struct {
	Schema    int             `json:"schema"`
	Workload  string          `json:"workload"`
	Server    string          `json:"server"`
	Base      string          `json:"base"` // commits
	Head      string          `json:"head"`
	Creep     bool            `json:"creep"` // base is a level that was released or accepted
	Quick     bool            `json:"quick"` // the load was shortened: it measures little
	Run       string          `json:"run"`   // of the workflow, and its attempt that loaded the pair: 123-1
	Epoch     string          `json:"epoch"`
	Verdict   verdict.Verdict `json:"verdict"`
	Confirmed bool            `json:"confirmed"` // a second, independent pair said the same
	Rounds    int             `json:"rounds"`    // that count
	Spoiled   int             `json:"spoiled"`   // rounds that do not
	Cells     []FlagCell      `json:"cells"`
}

// A FlagCell is a cell's verdict. Changes are shares of base, or, of a metric
// that is judged by its difference, in its unit; base and head are medians.
type FlagCell struct {
	Scenario string          `json:"scenario"`
	Metric   string          `json:"metric"`
	Verdict  verdict.Verdict `json:"verdict"`
	Base     float64         `json:"base"`
	Head     float64         `json:"head"`
	Change   float64         `json:"change"`
	Low      float64         `json:"low"` // 95 % interval
	High     float64         `json:"high"`
	Missed   float64         `json:"missed"` // the change that could have been missed
	Rounds   int             `json:"rounds"`
	Prior    verdict.Prior   `json:"prior"` // that the test used; 0 of 0: none
}

// FlagSchema is the version of Flag.
const FlagSchema = 2

// ID says which server it is of.
func (f Flag) ID() workload.Server { return workload.Server{Workload: f.Workload, Name: f.Server} }

// Add adds the cells of an answer.
func (f *Flag) Add(a verdict.Answer, priors verdict.Priors) {
	f.Schema, f.Workload, f.Server, f.Verdict = FlagSchema, a.Workload, a.Server, a.Verdict
	f.Rounds, f.Spoiled, f.Cells = a.Rounds, len(a.Spoiled), []FlagCell{}
	for _, c := range a.Cells {
		var prior verdict.Prior
		if !c.Judged.Absolute {
			prior = priors.Of(f.Epoch, a.Server, c.Scenario+" "+c.Metric.Name)
		}
		f.Cells = append(f.Cells, FlagCell{
			Scenario: c.Scenario, Metric: c.Metric.Name, Verdict: c.Verdict, Base: five(c.Base), Head: five(c.Head),
			Change: five(c.Change), Low: five(c.Low), High: five(c.High), Missed: five(c.Missed), Rounds: c.Rounds,
			Prior: verdict.Prior{Free: five(prior.Free), Variance: five(prior.Variance)},
		})
	}
}

// five digits are enough for what is shown, and to replay a test.
func five(v float64) float64 { return record.Short(v, 5) }

// FlagsPath names the file of a run's flags, which never changes, by that of its
// records.
func FlagsPath(run string) string {
	return beside("flags", run, ".json")
}

// beside is a file of another directory that is named like a run's.
func beside(dir, run, suffix string) string {
	return path.Join(dir, strings.TrimSuffix(strings.TrimPrefix(run, "runs/"), ".jsonl")+suffix)
}

// WriteFlags writes flags as JSON, a line each.
func WriteFlags(w io.Writer, flags []Flag) error {
	if flags == nil {
		flags = []Flag{}
	}
	lines := []string{}
	for _, f := range flags {
		line, err := json.Marshal(f)
		if err != nil {
			return err
		}
		lines = append(lines, string(line))
	}
	_, err := fmt.Fprintf(w, "[\n%s\n]\n", strings.Join(lines, ",\n"))
	return err
}

// ReadFlags reads what WriteFlags wrote, strictly: an unknown key, another schema and
// text behind the flags are errors.
func ReadFlags(r io.Reader) (flags []Flag, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var lines []json.RawMessage
	if err := json.Unmarshal(text, &lines); err != nil {
		return nil, fmt.Errorf("flags: %w", err)
	}
	for i, line := range lines {
		f, err := jsonl.Decode(line, Flag.check)
		if err != nil {
			return nil, fmt.Errorf("flags: number %d: %w", i+1, Unread(line, FlagSchema, err))
		}
		flags = append(flags, f)
	}
	return flags, nil
}

func (f Flag) check() error {
	if f.Schema != FlagSchema {
		return SchemaError{f.Schema, FlagSchema}
	}
	return nil
}
