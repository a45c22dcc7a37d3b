package verdict

import (
	"fmt"
	"io"
	"time"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/workload"
)

// A Step is a comparison of two releases of a package, as servers/releases.jsonl keeps it.
type Step struct {
	Package    string     `json:"package"`
	Base       string     `json:"base"` // versions
	Head       string     `json:"head"`
	Known      string     `json:"known,omitempty"` // the change that a public thread reports, with the thread
	Started    time.Time  `json:"started"`
	Minutes    float64    `json:"minutes"` // with builds and checks
	Comparison Comparison `json:"comparison"`
}

// ReadSteps reads lines of steps. Unknown keys are errors.
func ReadSteps(r io.Reader) ([]Step, error) {
	return files.ReadLines(r, Step.check)
}

func (s Step) check() error {
	if s.Package == "" || s.Base == "" || s.Head == "" || s.Started.IsZero() || !(s.Minutes > 0) {
		return fmt.Errorf("step of package %q from %q to %q, started %v, %g minutes; want all of them", s.Package, s.Base, s.Head, s.Started, s.Minutes)
	}
	if err := workload.Check(s.Comparison.Workload); err != nil {
		return fmt.Errorf("step of package %s to %s: %w", s.Package, s.Head, err)
	}
	return nil
}

// Repeats reports whether another step compares the same two releases in the same server.
func (s Step) Repeats(other Step) bool {
	return s.Package == other.Package && s.Base == other.Base && s.Head == other.Head && s.Comparison.Server == other.Comparison.Server
}
