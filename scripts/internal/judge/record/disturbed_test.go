package record

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

// onDirect changes what k6 saw of direct.
func onDirect(m *measured, change func(*raw.Load)) {
	i := slices.IndexFunc(m.summary.Loads, func(l raw.Load) bool { return l.Target == raw.Direct })
	m.summary.Loads = slices.Clone(m.summary.Loads)
	change(&m.summary.Loads[i])
}

// ofComparison makes a side of a comparison a target of the k6 run.
func ofComparison(m *measured) {
	m.facts.Targets = append(m.facts.Targets, raw.TargetFacts{Name: raw.Target("b", "base")})
}

// Reasons that are not the server's fault are disturbed, and reasons for a warning like others.
func TestReasonsForADisturbedRecord(t *testing.T) {
	late := func(l *raw.Load) { l.Itl = &raw.Times{P50: 50, P99: 56} }
	outside := func(l *raw.Load) { l.BusySeconds = 24 }
	second := 1.0
	for name, c := range map[string]struct {
		paced  bool
		change func(*measured)
		why    string // "" for a record that is ok
	}{
		"direct late":           {true, func(m *measured) { onDirect(m, late) }, "direct's ITL p99 was 56.0 ms at a pace of 50.0 ms"},
		"direct late by slices": {false, func(m *measured) { onDirect(m, late) }, ""},
		"a full machine":        {true, func(m *measured) { m.load.CPUSeconds["a"] = 2.3 }, "used 82 % of the machine; want at most 80 %"},
		"k6 starved":            {false, func(m *measured) { m.load.BusySeconds = 24; onDirect(m, outside) }, "k6 spent 17 % of its VUs' time outside the streams"},
		"others":                {false, func(m *measured) { *m.load.MachineBusySeconds = 3.2 }, "other programs used 30 % of the machine"},
		"others, paced":         {true, func(m *measured) { *m.load.MachineBusySeconds = 3.2 }, ""},
		"others are not known":  {false, func(m *measured) { m.load.MachineBusySeconds = nil }, ""},
		"others beside a comparison": {false, func(m *measured) {
			*m.load.MachineBusySeconds, *m.load.MachineStealSeconds = 3.2, 0.5
			ofComparison(m)
		}, ""},
		"direct late beside a comparison": {true, func(m *measured) { ofComparison(m); onDirect(m, late) }, ""},
		"steal":                           {false, func(m *measured) { *m.load.MachineStealSeconds = 0.5 }, "took 12 % of the CPU (steal); want at most 10 %"},
		"steal, paced":                    {true, func(m *measured) { *m.load.MachineStealSeconds = 0.5 }, "took 12 % of the CPU (steal); want at most 10 %"},
		"a quota":                         {true, func(m *measured) { m.facts.Seconds, m.facts.ThrottledSeconds = 10, &second }, "a CPU quota stopped the targets, k6 and the stub for 5 % of the machine's time; want at most 1 %"},
		"a quota, hardly":                 {true, func(m *measured) { m.facts.Seconds, m.facts.ThrottledSeconds = 100, &second }, ""},
		"pidstat died":                    {true, func(m *measured) { m.facts.Pidstat = "pidstat: ended by signal 9 (killed)" }, "pidstat: ended by signal 9 (killed)"},
		"direct fails":                    {false, func(m *measured) { onDirect(m, func(l *raw.Load) { l.Failed = 1 }) }, "direct: 1 of 21 streams failed"},
		"direct fails, paced":             {true, func(m *measured) { onDirect(m, func(l *raw.Load) { l.Failed = 1 }) }, "1 of 21 streams failed"},
		"direct overruns":                 {false, func(m *measured) { onDirect(m, func(l *raw.Load) { overrun(l, 1.6) }) }, "direct: slices lasted 1.6 times as long as planned; want at most 1.5 times"},
		"a paced slice is all's":          {true, func(m *measured) { onDirect(m, func(l *raw.Load) { overrun(l, 1.6) }) }, ""},
		"direct had no slice":             {false, func(m *measured) { onDirect(m, func(l *raw.Load) { l.Level = "20" }) }, "direct had no slice on this level"},
		"direct was given up":             {false, func(m *measured) { onDirect(m, func(l *raw.Load) { l.Requests = 0 }) }, "direct had no slice on this level"},
		"direct has less time":            {false, func(m *measured) { onDirect(m, func(l *raw.Load) { l.Slices = 1 }) }, ""},
		"direct lost slices":              {false, func(m *measured) { m.summary.GivenUp = map[string]string{raw.Direct: "a request hung in slice 3"} }, "direct was given up: a request hung in slice 3"},
		"without direct": {false, func(m *measured) {
			m.facts.Targets, m.summary.Loads, m.facts.StubStreamSeconds = m.facts.Targets[:1], m.summary.Loads[:2], 39
		}, ""},
		"a machine without pidstat":     {true, func(m *measured) { m.facts.Unsampled, m.samples = true, nil }, ""},
		"no samples of the stub":        {false, func(m *measured) { m.samples = without(m.samples, 2, 0) }, "pidstat sampled stub in 0 seconds of 10"},
		"clock and pidstat of the stub": {false, func(m *measured) { m.summary.Slices[0].CPUMS["stub"] = 1300 }, "CPU time of stub: 2.30 s by its clock, 2.00 s by pidstat"},
	} {
		t.Run(name, func(t *testing.T) {
			m := healthy()
			m.paced = c.paced
			c.change(&m)
			m.facts.StubStreams = m.allRequests()
			status, why, disturbed := check(m)
			if c.why == "" {
				if status != OK || disturbed == nil || len(disturbed) > 0 {
					t.Errorf("%s, %q, disturbed %q; want ok", status, why, disturbed)
				}
				return
			}
			if status != Warning || len(disturbed) != 1 || !strings.Contains(disturbed[0], c.why) || !slices.Equal(why, disturbed) {
				t.Errorf("%s, %q, disturbed %q; want warned, %q", status, why, disturbed, c.why)
			}
		})
	}
}

// What ails direct itself is said once, and is disturbed.
func TestDirectIsDisturbedWhereAServerIsAtFault(t *testing.T) {
	m := healthy()
	onDirect(&m, func(l *raw.Load) { l.Failed = 1; overrun(l, 9) })
	m.target, m.load = raw.TargetFacts{Name: raw.Direct}, m.summary.Loads[2]
	if status, why, disturbed := check(m); status != Warning || len(why) != 1 || !slices.Equal(why, disturbed) {
		t.Errorf("%s, %q, disturbed %q", status, why, disturbed)
	}
}

// Conditions are what others did in the target's slices, not what the benchmark
// did itself.
func TestConditions(t *testing.T) {
	m := healthy()
	load := 0.5
	m.facts.LoadBefore, *m.load.MachineBusySeconds = &load, 2.2
	// 2.2 s of cores were busy in 2 s of slices, and 2 s are ours.
	if c := m.conditions(); *c.OthersPct != 5 || *c.StealPct != 2.5 || *c.LoadBefore != 0.5 {
		t.Errorf("others %v, steal %v, load %v", *c.OthersPct, *c.StealPct, *c.LoadBefore)
	}
	delete(m.load.CPUSeconds, "a")
	if c := m.conditions(); c.OthersPct != nil || *c.StealPct != 2.5 {
		t.Errorf("a process ended: %+v", c)
	}
	m.load.MachineBusySeconds, m.load.MachineStealSeconds, m.facts.LoadBefore = nil, nil, nil
	if c := m.conditions(); c.OthersPct != nil || c.StealPct != nil || c.LoadBefore != nil || c.Disturbed == nil {
		t.Errorf("unknown: %+v", c)
	}
	m.loaded, m.load.MachineStealSeconds = false, new(float64)
	if c := m.conditions(); c.StealPct != nil {
		t.Errorf("no slice: %+v", c)
	}
}
