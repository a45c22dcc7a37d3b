package prove

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

// A Patch is a regression in the sources of a server.
type Patch struct {
	Name   string  `json:"name"`   // of its file
	Server string  `json:"server"` // WORKLOAD/NAME
	What   string  `json:"what"`
	Cell   string  `json:"cell"`            // the deciding cell that should find it
	Pct    float64 `json:"pct"`             // intended change of that cell
	Costs  string  `json:"costs,omitempty"` // its CPU time, measured alone; "" if unknown
	// Function is a regular expression for the names of the function that does it; "" if it is not asked for.
	Function string `json:"function,omitempty"`
}

// Check reports what is wrong with a patch. Its cell must decide, since other cells need not be found.
func (p Patch) Check() error {
	server, err := workload.Parse(p.Server)
	if err != nil {
		return fmt.Errorf("patch %s: %w", p.Name, err)
	}
	var deciding []string
	for _, c := range workload.Named(server.Workload).Criteria {
		if c.Decides != "" {
			deciding = append(deciding, c.Name())
		}
	}
	switch {
	case p.Name == "" || p.What == "":
		return fmt.Errorf("patch %q of %s injects %q: want a name and a sentence", p.Name, p.Server, p.What)
	case !slices.Contains(deciding, p.Cell):
		return fmt.Errorf("patch %s: %q does not decide on %s; want one of %s", p.Name, p.Cell, p.Server, strings.Join(deciding, ", "))
	case !compiles(p.Function):
		return fmt.Errorf("patch %s: function %q: want a regular expression", p.Name, p.Function)
	case p.Pct == 0 || p.Pct < -100 || p.Pct > 1000:
		return fmt.Errorf("patch %s: a change of %g %%; want one of -100 to 1000, below 0 where less is worse", p.Name, p.Pct)
	}
	return nil
}

func compiles(expression string) bool {
	_, err := regexp.Compile(expression)
	return err == nil
}

// patched is the table of regressions that patches injected.
func patched(all []result) Table {
	t := Table{
		Title: "Regressions that patches inject",
		Head:  []string{"patch", "server", "should be found in", "intended %", "costs", "its change %, with 95 % interval", "it is", "verdict", "rounds", "other cells that changed, %"},
		Note: "Intended is an estimate. Costs is what the code of the patch took in a benchmark of it alone. One comparison of a patch says whether it was found, and not how often it would be. " +
			"The first regression in a deciding cell ends a comparison, so the cell that should find it may still be open.",
	}
	for _, r := range all {
		p := r.Patch
		if p == nil {
			continue
		}
		change, others := "-", []string{}
		for _, c := range r.Cells {
			text := interval(c)
			switch name := c.Criterion.Name(); {
			case name == p.Cell:
				change = text
			case c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved:
				others = append(others, fmt.Sprintf("%s %s", name, text))
			}
		}
		if len(others) == 0 {
			others = []string{"-"}
		}
		t.add(p.Name, p.Server, p.Cell, fmt.Sprintf("%+g", p.Pct), cmp.Or(p.Costs, "-"), change, string(r.cellVerdict(p.Cell)), string(r.Verdict), fmt.Sprint(r.used), strings.Join(others, ", "))
	}
	slices.SortStableFunc(t.Rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return t
}

// interval is the change of a cell with its 95 % interval: in per cent, or in the metric's unit.
func interval(c verdict.Cell) string {
	times := 100.0
	if c.Criterion.Absolute {
		times = 1
	}
	return fmt.Sprintf("%+.1f (%+.1f to %+.1f)", times*c.Change, times*c.Low, times*c.High)
}
