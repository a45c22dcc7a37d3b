// Package prove finds out how often verdicts are wrong on this machine. It plans
// trials: some have a known change, the others none. It keeps what they measured, and
// makes the tables of false alarms and of changes missed. It is pure: package trial
// makes the servers and loads them, package verdict judges.
package prove

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"fairstream/scripts/internal/files/jsonl"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Kind is what head of a trial is.
type Kind string

// Same is the same program twice; Edited has its source changed to no effect, and
// was built again; Injected has a size, whatever that is.
const (
	Same     Kind = "same"
	Edited   Kind = "edit"
	Injected Kind = "injected"
)

// A Trial is a comparison whose truth is known, on one line of trials.jsonl. It
// keeps what was measured and what verdicts may use, and no verdict: Answer
// reaches it again, by whatever the rules are by then.
type Trial struct {
	Task
	Started     time.Time                `json:"started"`
	Flags       Flags                    `json:"flags"` // of head; base has none
	Change      *Change                  `json:"change,omitempty"`
	Comparison  verdict.Comparison       `json:"comparison"`
	Priors      map[string]verdict.Prior `json:"priors"` // by cell
	LoadSeconds float64                  `json:"load_seconds"`
	WallSeconds float64                  `json:"wall_seconds"` // with building and starting
	Delivered   *Delivered               `json:"delivered,omitempty"`
}

// Answer judges the trial: from what was measured alone.
func (t Trial) Answer() verdict.Answer {
	return verdict.Judge(t.Comparison, verdict.Given(t.Comparison.Epoch, t.Comparison.Server, t.Priors))
}

// A Decide says whether a comparison is decided, or wants another round. It is given
// nothing but the comparison: whoever measures a trial cannot tell it the truth.
type Decide func(verdict.Comparison) bool

// Decider decides as a comparison does.
func Decider(priors verdict.Priors) Decide {
	return func(p verdict.Comparison) bool { return verdict.Judge(p, priors).Done }
}

// significant is how many digits a figure has in a trial: the noise is in the
// third, and a file of hundreds of trials stays small.
const significant = 5

// Round is a figure as a trial keeps it.
func Round(v float64) float64 { return record.LimitDigits(v, significant) }

// WriteTrial writes a line.
func WriteTrial(w io.Writer, t Trial) error {
	t.LoadSeconds, t.WallSeconds = Round(t.LoadSeconds), Round(t.WallSeconds)
	rounds := make([]verdict.Round, len(t.Comparison.Rounds))
	for i, r := range t.Comparison.Rounds {
		cells := map[string]verdict.At{}
		for name, at := range r.Cells {
			cells[name] = verdict.At{Round(at[0]), Round(at[1])}
		}
		r.Cells = cells
		rounds[i] = r
	}
	t.Comparison.Rounds = rounds
	priors := map[string]verdict.Prior{}
	for name, p := range t.Priors {
		priors[name] = verdict.Prior{Free: Round(p.Free), Variance: Round(p.Variance)}
	}
	t.Priors = priors
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(t)
}

// AddTrial writes a line behind the whole ones of a file, as jsonl.Append does.
func AddTrial(path string, t Trial) error {
	var line bytes.Buffer
	if err := WriteTrial(&line, t); err != nil {
		return err
	}
	return jsonl.Append(path, line.Bytes())
}

// ReadTrials reads such lines strictly. One error is not one: a last line
// without its end, which a trial that was interrupted while it was written leaves.
func ReadTrials(r io.Reader) (trials []Trial, err error) {
	in := bufio.NewReader(r)
	seen := map[string]bool{}
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return trials, nil
		}
		if err != nil {
			return nil, err
		}
		t, err := jsonl.Decode(line, Trial.check)
		if err == nil && seen[t.ID] {
			err = fmt.Errorf("trial %s: a second time", t.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("trials: line %d: %w", number, err)
		}
		seen[t.ID] = true
		trials = append(trials, t)
	}
}

func (t Trial) check() error {
	if err := t.Task.check(); err != nil {
		return err
	}
	if (t.Kind == Edited) != (t.Change != nil) {
		return fmt.Errorf("trial %s: kind %q, and a change of the source: %t; want one with kind edit, and only there", t.ID, t.Kind, t.Change != nil)
	}
	if t.Kind != Injected && t.Flags != (Flags{}) {
		return fmt.Errorf("trial %s: kind %q with flags %v; want none", t.ID, t.Kind, t.Flags.Args())
	}
	if err := workload.Check(t.Comparison.Workload); err != nil {
		return fmt.Errorf("trial %s: %w", t.ID, err)
	}
	if t.Comparison.Server == "" || t.Comparison.Planned < 1 {
		return fmt.Errorf("trial %s: comparison of server %q with %d rounds planned; want a name and one at least", t.ID, t.Comparison.Server, t.Comparison.Planned)
	}
	for name, p := range t.Priors {
		if p.Free < 0 || p.Variance < 0 {
			return fmt.Errorf("trial %s: prior of %s: variance %g of %g degrees of freedom", t.ID, name, p.Variance, p.Free)
		}
	}
	if t.LoadSeconds < 0 || t.WallSeconds < t.LoadSeconds || math.IsNaN(t.WallSeconds) {
		return fmt.Errorf("trial %s: %g s of load in %g s", t.ID, t.LoadSeconds, t.WallSeconds)
	}
	return nil
}
