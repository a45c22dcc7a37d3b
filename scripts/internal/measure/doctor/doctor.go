// Package doctor turns /proc and /sys into findings: what makes a machine noisy for benchmarks, the cost, and
// the command that fixes it. It changes nothing. `scripts/bench compare -same` measures how much the noise
// moves figures.
package doctor

import (
	"io/fs"
	"strings"
)

// A State is the result of a check.
type State string

const (
	Fix     State = "fix"   // a problem that can be fixed
	Given   State = "given" // a problem that cannot be fixed from inside this machine
	Unknown State = "?"     // the kernel does not say
	Fine    State = "fine"
)

// A Check examines one source of noise.
type Check struct {
	Name string // one word
	Why  string // why it matters
	Cost string // its measured cost, with the source; "" is not measured
	look func(*machine) seen
}

// seen is the result of a check: the state, in words, and the fix.
type seen struct {
	state State
	text  string
	fix   string // a shell command, or an instruction
}

// A Finding is the result of a check, with its check.
type Finding struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Seen  string `json:"seen"`
	Why   string `json:"why"`
	Cost  string `json:"cost"`
	Fix   string `json:"fix,omitempty"`
}

const notMeasured = "not measured"

// Look examines the machine whose files are below root: / for this one, or a copy from another. It reads the
// CPU use twice and calls wait in between: Watch, for this machine. It returns the error of wait.
func Look(root fs.FS, wait func() error) ([]Finding, error) {
	m, err := watched(root, wait)
	if err != nil {
		return nil, err
	}
	return m.findings(), nil
}

// watched reads the CPU use of a machine before and after a wait.
func watched(root fs.FS, wait func() error) (*machine, error) {
	m := &machine{root: root}
	m.before = m.reading()
	if err := wait(); err != nil {
		return nil, err
	}
	m.after = m.reading()
	return m, nil
}

// findings are the results of all checks.
func (m *machine) findings() (found []Finding) {
	for _, c := range Checks {
		s := c.look(m)
		f := Finding{Name: c.Name, State: s.state, Seen: s.text, Why: c.Why, Cost: c.Cost, Fix: s.fix}
		if f.Cost == "" {
			f.Cost = notMeasured
		}
		if m.isRoot() { // root needs no sudo, and may not have it
			f.Fix = strings.ReplaceAll(f.Fix, "sudo ", "")
		}
		found = append(found, f)
	}
	return found
}

// Count returns the number of findings in a state.
func Count(findings []Finding, state State) (n int) {
	for _, f := range findings {
		if f.State == state {
			n++
		}
	}
	return n
}
