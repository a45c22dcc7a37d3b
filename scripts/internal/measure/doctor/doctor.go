// Package doctor turns what the kernel says of a machine, in /proc and /sys,
// into findings: what makes it noisy for benchmarks, what that costs and the
// command that fixes it. It changes nothing, and what it cannot read it calls
// unknown. How much the noise moves figures, `scripts/bench compare -same` measures.
package doctor

import (
	"io/fs"
	"strings"
)

// A State is what a finding comes to.
type State string

const (
	Fix     State = "fix"   // wrong, and can be fixed
	Given   State = "given" // wrong, and cannot be fixed from inside this machine
	Unknown State = "?"     // the kernel does not say
	Fine    State = "fine"
)

// A Check looks at one source of noise.
type Check struct {
	Name string // one word
	Why  string // why it matters
	Cost string // what it was measured to cost, by whom; "" is not measured
	look func(*machine) seen
}

// seen is what a check found: its state, in words, and what fixes it.
type seen struct {
	state State
	text  string
	fix   string // a line for the shell, or what to do
}

// A Finding is what a check says of a machine.
type Finding struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Seen  string `json:"seen"`
	Why   string `json:"why"`
	Cost  string `json:"cost"`
	Fix   string `json:"fix,omitempty"`
}

const notMeasured = "not measured"

// Look looks at the machine whose files are below root: / of this one, or what
// was copied of another. Between two readings of who uses the CPU it calls
// wait: Watch, for this one. An error is that of wait.
func Look(root fs.FS, wait func() error) ([]Finding, error) {
	m := &machine{root: root}
	m.before = m.usage()
	if err := wait(); err != nil {
		return nil, err
	}
	m.after = m.usage()
	var found []Finding
	for _, c := range Checks {
		s := c.look(m)
		f := Finding{Name: c.Name, State: s.state, Seen: s.text, Why: c.Why, Cost: c.Cost, Fix: s.fix}
		if f.Cost == "" {
			f.Cost = notMeasured
		}
		if m.isRoot() { // who needs no sudo may have none
			f.Fix = strings.ReplaceAll(f.Fix, "sudo ", "")
		}
		found = append(found, f)
	}
	return found, nil
}

// Count is how many findings are in a state.
func Count(findings []Finding, state State) (n int) {
	for _, f := range findings {
		if f.State == state {
			n++
		}
	}
	return n
}
