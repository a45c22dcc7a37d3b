package plan

import (
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// ofWorkloads are the servers of the workloads of these names: all without any. It refuses names that no
// server has.
func ofWorkloads(names []string, all []workload.Server) (servers []workload.Server, err error) {
	known := Plan{Servers: all}.Workloads()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, InputError{fmt.Errorf("plan: workload %.60q: unknown; known are %s", name, strings.Join(known, ", "))}
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(s workload.Server) bool { return !slices.Contains(names, s.Workload) }), nil
}

// choose plans what each workload is loaded with: those of the named scenarios that it has, or its usual
// ones. A workload without any of the named ones is left out. It is an error if a person asked for it.
func (p *Plan) choose(named []string, asked bool) error {
	has, all := map[string][]string{}, []string{}
	for _, name := range p.Workloads() {
		has[name] = record.Loadable(workload.Named(name))
		all = append(all, has[name]...)
	}
	for _, s := range named {
		if !slices.Contains(all, s) {
			slices.Sort(all)
			return InputError{fmt.Errorf("plan: scenario %.60q: unknown; known are %s", s, strings.Join(slices.Compact(all), ", "))}
		}
	}
	p.Scenarios = map[string]string{}
	for _, name := range p.Workloads() {
		scenarios := workload.Named(name).ScenarioNames()
		if len(named) > 0 {
			scenarios = slices.DeleteFunc(slices.Clone(named), func(s string) bool { return !slices.Contains(has[name], s) })
		}
		switch {
		case len(scenarios) > 0:
			p.Scenarios[name] = strings.Join(scenarios, ",")
		case asked:
			return InputError{fmt.Errorf("plan: workload %s: it has no scenario %s; it has %s", name, strings.Join(named, ", "), strings.Join(has[name], ", "))}
		default:
			p.leaveOut(name)
		}
	}
	return nil
}

// leaveOut removes the servers of a workload.
func (p *Plan) leaveOut(name string) {
	p.Servers = slices.DeleteFunc(slices.Clone(p.Servers), func(s workload.Server) bool { return s.Workload == name })
	delete(p.Scenarios, name)
}
