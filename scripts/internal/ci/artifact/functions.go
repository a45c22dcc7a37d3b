package artifact

import (
	"fmt"
	"math"
	"regexp"

	"fairstream/k6/shared/strict"
	"fairstream/scripts/internal/judge/where"
	"fairstream/scripts/internal/workload"
)

// functionsForm matches the name of an artifact with the functions that changed in a comparison. The groups are the job and the attempt.
var functionsForm = regexp.MustCompile(`^records-([^/]+)\.functions-([0-9]{1,6})(/|\.zip$)`)

// functionsMember is the only file in that artifact.
const functionsMember = "functions.json"

// Limits of that file.
const (
	mostFrom = 40  // functions that pass a change on
	mostUS   = 1e9 // of a request
)

// functionsOf reads the functions that changed in the comparison of a job, of the same attempt; nil without any.
func (b attached) functionsOf(dir, job string, run claim) (found *where.Found, refused []Refusal) {
	return readOnly(b.all[job][run.attempt], "functions of "+job, func(name string) (*where.Found, error) {
		return readFunctions(dir, name, run)
	})
}

// readFunctions reads the functions of accepted records. No verdict depends on them.
func readFunctions(dir, name string, run claim) (*where.Found, error) {
	text, err := readMember(dir, name, functionsMember)
	if err != nil {
		return nil, err
	}
	var all []where.Found
	if err := strict.Decode(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", functionsMember, err)
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("%s: %d servers; want one", functionsMember, len(all))
	}
	f := all[0]
	w := workload.Named(run.records[0].Workload)
	of := workload.Server{Workload: f.Workload, Name: f.Server}
	switch {
	case of.Check() != nil || !ofServer(run, of):
		return nil, fmt.Errorf("%s: server %q has no records in this run", functionsMember, bounded(of.String()))
	case f.Unit != w.Unit || f.Rounds < 2 || f.Rounds > 24 || len(f.Functions) > where.MostFunctions:
		return nil, fmt.Errorf("%s: %d functions in %d rounds of a %q; want at most %d in 2 to 24 of a %s", functionsMember, len(f.Functions), f.Rounds, bounded(f.Unit), where.MostFunctions, w.Unit)
	}
	f.Scenario, f.Note = Harmless(f.Scenario), Harmless(f.Note)
	for i := range f.Functions {
		if err := checkFunction(&f.Functions[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", functionsMember, err)
		}
	}
	return &f, nil
}

// ofServer reports whether records are of a server.
func ofServer(run claim, id workload.Server) bool {
	for _, r := range run.records {
		if r.ID() == id {
			return true
		}
	}
	return false
}

// checkFunction makes the names harmless, and refuses figures that no measurement gives.
func checkFunction(f *where.Function) error {
	if len(f.From) > mostFrom {
		return fmt.Errorf("%q: %d functions call it; want at most %d", bounded(f.Name), len(f.From), mostFrom)
	}
	f.Name = Harmless(f.Name)
	for i := range f.From {
		f.From[i] = Harmless(f.From[i])
	}
	for _, c := range []where.Change{f.Own, f.Total} {
		for _, v := range []float64{c.Base, c.Head, c.By, c.Low, c.High} {
			if !(math.Abs(v) <= mostUS) {
				return fmt.Errorf("%q: %g us; want at most %g", bounded(f.Name), v, mostUS)
			}
		}
		if c.Low > c.By || c.By > c.High || c.Base < 0 || c.Head < 0 {
			return fmt.Errorf("%q: %g us, %g to %g; want them in order", bounded(f.Name), c.By, c.Low, c.High)
		}
	}
	return nil
}
