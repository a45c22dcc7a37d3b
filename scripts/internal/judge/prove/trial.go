// Package prove finds out how often verdicts are wrong on this machine. It plans
// trials: some have a known change, the others none. It keeps what they measured, and
// makes the tables of false alarms and of changes missed. It is pure: package trial
// makes the servers and loads them, package verdict judges.
package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Kind is what head of a trial is.
type Kind string

// Same is the same program twice. Edited has a change of its source that has no effect, and was built again. Injected has a
// size that is known, and Patched has a patch.
const (
	Same     Kind = "same"
	Edited   Kind = "edit"
	Injected Kind = "injected"
	Patched  Kind = "patched"
)

// Kinds lists them.
var Kinds = []Kind{Same, Edited, Injected, Patched}

// A Trial is a comparison whose truth is known, on one line of trials.jsonl. It
// keeps the measurement, and no verdict: the rules of the day give that again.
type Trial struct {
	Task
	Started     time.Time          `json:"started"`
	Flags       Flags              `json:"flags"` // of head; base has none
	Change      *Change            `json:"change,omitempty"`
	Comparison  verdict.Comparison `json:"comparison"`             // with its rounds
	LoadSeconds float64            `json:"load_seconds,omitempty"` // 0: unknown
	WallSeconds float64            `json:"wall_seconds"`           // with building and starting
	Delivered   *Delivered         `json:"delivered,omitempty"`
	// NeighbourTookPct is how much of the machine a simulated neighbour had while the trial was loaded.
	NeighbourTookPct float64 `json:"neighbour_took_pct,omitempty"`
	// Functions are those that the report listed as changed, the most first, with their callers; nil: perf sampled none.
	Functions []string `json:"functions,omitzero"`
}

// A result is a trial and its verdict under the current rules.
type result struct {
	Trial
	verdict.Answer
	used int // rounds until it was decided
}

// judgeAll judges trials as comparisons would have gone: each until it is decided.
func judgeAll(trials []Trial) []result {
	all := make([]result, len(trials))
	for i, t := range trials {
		decided, a := replay(t.Comparison)
		all[i] = result{t, a, len(decided.Rounds)}
	}
	return all
}

// replay judges a comparison round by round, until it is decided.
func replay(p verdict.Comparison) (verdict.Comparison, verdict.Answer) {
	for n := range p.Rounds {
		upTo := p
		upTo.Rounds = p.Rounds[:n+1]
		if a := verdict.Judge(upTo); a.Done {
			return upTo, a
		}
	}
	return p, verdict.Judge(p)
}

// Answer is the verdict on a trial under the current rules.
func (t Trial) Answer() verdict.Answer {
	_, a := replay(t.Comparison)
	return a
}

// significant is how many digits a figure has in a trial: the noise is in the
// third, and a file of hundreds of trials stays small.
const significant = 5

// Round is a figure as a trial keeps it.
func Round(v float64) float64 { return record.LimitDigits(v, significant) }

// WriteTrial writes a line.
func WriteTrial(w io.Writer, t Trial) error {
	t.LoadSeconds, t.WallSeconds, t.NeighbourTookPct = Round(t.LoadSeconds), Round(t.WallSeconds), Round(t.NeighbourTookPct)
	t.Comparison = rounded(t.Comparison)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(t)
}

// rounded is a comparison with the figures that a trial keeps.
func rounded(p verdict.Comparison) verdict.Comparison {
	rounds := make([]verdict.Round, len(p.Rounds))
	for i, r := range p.Rounds {
		cells := map[string]verdict.At{}
		for name, at := range r.Cells {
			cells[name] = verdict.At{Round(at[0]), Round(at[1])}
		}
		r.Cells = cells
		rounds[i] = r
	}
	p.Rounds = rounds
	return p
}

// AddTrial writes a line behind the whole ones of a file, as files.AppendLines does.
func AddTrial(path string, t Trial) error {
	var line bytes.Buffer
	if err := WriteTrial(&line, t); err != nil {
		return err
	}
	return files.AppendLines(path, line.Bytes())
}

// ReadTrials reads such lines strictly. It leaves out a last line without its end, since writing it was interrupted.
func ReadTrials(r io.Reader) ([]Trial, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("trials: %w", err)
	}
	seen := map[string]bool{}
	trials, err := files.ReadLines(bytes.NewReader(files.CompleteLines(text)), func(t Trial) error {
		if seen[t.ID] {
			return fmt.Errorf("trial %s: a second time", t.ID)
		}
		seen[t.ID] = true
		return t.check()
	})
	if err != nil {
		return nil, fmt.Errorf("trials: %w", err)
	}
	return trials, nil
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
	of := workload.Server{Workload: t.Comparison.Workload, Name: strings.TrimSuffix(t.Comparison.Server, InjectedSuffix)}
	if of.String() != t.Server {
		return fmt.Errorf("trial %s: of server %q, with a comparison of %q", t.ID, t.Server, of)
	}
	if t.Comparison.Planned < 1 {
		return fmt.Errorf("trial %s: %d rounds planned; want one at least", t.ID, t.Comparison.Planned)
	}
	if !(t.NeighbourTookPct >= 0 && t.NeighbourTookPct <= 100) || t.NeighbourTookPct > 0 && t.Neighbour == 0 {
		return fmt.Errorf("trial %s: neighbour %g took %g %% of the machine; want 0 to 100, and 0 without a neighbour", t.ID, t.Neighbour, t.NeighbourTookPct)
	}
	if t.LoadSeconds < 0 || t.WallSeconds < t.LoadSeconds || math.IsNaN(t.WallSeconds) {
		return fmt.Errorf("trial %s: %g s of load in %g s", t.ID, t.LoadSeconds, t.WallSeconds)
	}
	return nil
}
