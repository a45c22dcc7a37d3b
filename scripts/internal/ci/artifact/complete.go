package artifact

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/workload"
)

func isDirect(r record.Record) bool { return r.Server.Name == raw.Direct }

// checkComplete compares the records of an artifact with each other. All belong to one run. Each scenario and round has
// every target on every level, with direct, so that nobody can leave out a bad record.
func (f frame) checkComplete(records []record.Record) error {
	first := records[0]
	names := map[string][]string{record.Compare: workload.Named(first.Workload).ComparedRecords()} // names of records by scenario; other scenarios get theirs below
	k6Runs := map[slot]map[place]record.Record{}
	servers := map[string]raw.Server{}
	var order []slot
	for i, r := range records {
		if err := alike(first, r); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		s := of(f.plan, r)
		if !slices.Contains(names[s.scenario], r.Scenario) {
			names[s.scenario] = append(names[s.scenario], r.Scenario)
		}
		if k6Runs[s] == nil {
			k6Runs[s] = map[place]record.Record{}
			order = append(order, s)
		}
		if _, twice := k6Runs[s][at(r)]; twice {
			return fmt.Errorf("line %d: %s is there twice", i+1, at(r))
		}
		if of, seen := servers[r.Target()]; seen && !reflect.DeepEqual(of, r.Server) {
			return fmt.Errorf("line %d: server is another than in earlier lines; want one description of %s", i+1, r.Target())
		}
		servers[r.Target()] = r.Server
		k6Runs[s][at(r)] = r
	}
	for scenario, all := range names {
		if len(all) > maxLevels || len(all) > 1 && slices.Contains(all, scenario) {
			return fmt.Errorf("%s has the records %q; want one without a level, or at most %d", scenario, all, maxLevels)
		}
	}
	for _, s := range order {
		have := k6Runs[s]
		for _, scenario := range names[s.scenario] {
			direct, ok := have[place{raw.Direct, "", scenario, s.round}]
			scripted := workload.Named(first.Workload).Scripted // nothing is direct there
			if !ok && !scripted {
				return fmt.Errorf("%s round %d: direct is missing", scenario, s.round)
			}
			for _, server := range f.servers {
				for side := range commits(f.plan) {
					r, ok := have[place{server.Name, side, scenario, s.round}]
					if !ok {
						return fmt.Errorf("%s is missing", place{server.Name, side, scenario, s.round})
					}
					if err := beside(r, direct); err != nil && !scripted {
						return fmt.Errorf("%s: %w", at(r), err)
					}
				}
				if f.plan.Kind == plan.Pull {
					if err := f.sides(have[place{server.Name, "base", scenario, s.round}], have[place{server.Name, "head", scenario, s.round}]); err != nil {
						return fmt.Errorf("%s %s round %d: %w", server.Name, scenario, s.round, err)
					}
				}
			}
		}
	}
	return nil
}

// sides compares base and head. The plan has changed servers only, so their sources differ. Two sources may
// still build one program, which is then not loaded.
func (f frame) sides(base, head record.Record) error {
	same := func(a, b *string) bool { return a != nil && b != nil && *a == *b }
	if f.plan.Base != f.plan.Revision && same(base.Server.Tree, head.Server.Tree) {
		return fmt.Errorf("server.tree is %s on both sides; the plan says that they differ", *base.Server.Tree)
	}
	if verdict.NotLoadedRecord(base) && verdict.NotLoadedRecord(head) && !same(base.Server.Artefact, head.Server.Artefact) {
		return errors.New("not loaded as the same program, but server.artefact differs")
	}
	return nil
}

// alike refuses records of two runs, or of two machines, in one artifact.
func alike(a, b record.Record) error {
	for _, part := range []struct {
		name string
		a, b any
	}{{"workload", a.Workload, b.Workload}, {"run", a.Run, b.Run}, {"host", a.Host, b.Host}, {"tools", a.Tools, b.Tools}} {
		if !reflect.DeepEqual(part.a, part.b) {
			return fmt.Errorf("%s is another than in line 1; want records of one run in an artifact", part.name)
		}
	}
	return nil
}

// beside compares a record with direct's record of the same k6 run.
func beside(r, direct record.Record) error {
	if !r.Started.Equal(direct.Started) || !reflect.DeepEqual(r.Conditions.LoadBefore, direct.Conditions.LoadBefore) {
		return errors.New("started or conditions.load_before differ from direct's; want those of one k6 run")
	}
	// Targets that are loaded side by side share one slice.
	if _, timeSlices := record.Level(r.Scenario); timeSlices == "" {
		for _, c := range [][2]*float64{{r.Conditions.StealPct, direct.Conditions.StealPct}, {r.Conditions.OthersPct, direct.Conditions.OthersPct}} {
			if c[0] != nil && c[1] != nil && *c[0] != *c[1] {
				return fmt.Errorf("conditions are %g %%, and %g %% in direct's record of the same slice", *c[0], *c[1])
			}
		}
	}
	for _, m := range record.Table(r.Workload) {
		seen, known := r.Metrics.Get(m.Name)
		if !known {
			continue
		}
		own := "rate_per_s"
		if m.Unit == record.MSOverhead {
			own = strings.Replace(m.Name, "_overhead", "", 1)
		} else if m.Name != overDirect {
			continue
		}
		value, ok := r.Metrics.Get(own)
		if !ok {
			return fmt.Errorf("metric %s is %g, though %s is not known", m.Name, seen, own)
		}
		there, ok := direct.Metrics.Get(own)
		if !ok {
			continue // direct's record is invalid and has no figures
		}
		// All figures were rounded to seven digits.
		want, slack := value-there, 2e-6*(value+there)
		if m.Name == overDirect {
			want, slack = value/there, 1e-5*value/there
		}
		if math.Abs(seen-want) > slack {
			return fmt.Errorf("metric %s is %g; %s is %g, and %g of direct", m.Name, seen, own, value, there)
		}
	}
	return nil
}
