package verdict

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/workload"
)

// comparisonOf is a comparison whose sides scatter by sd, with head times factor in the cells named.
func comparisonOf(rounds int, sd float64, factors map[string]float64) Comparison {
	return comparisonIn("relay", rounds, sd, factors)
}

func comparisonIn(name string, rounds int, sd float64, factors map[string]float64) Comparison {
	random := rand.New(rand.NewPCG(5, 6))
	p := Comparison{Workload: name, Server: "go-http", Epoch: "e", Planned: 12}
	for n := 1; n <= rounds; n++ {
		r := Round{Round: n, Cells: map[string]At{}}
		for _, c := range workload.Named(name).Criteria {
			if c.Absolute {
				continue
			}
			for _, record := range c.Records() {
				speed := 1 + 0.3*random.Float64() // of the machine in this round
				r.Cells[cellName(record, c.Metric)] = At{100 * speed, 100 * speed * cmp.Or(factors[c.Name()], 1) * (1 + sd*random.NormFloat64())}
			}
		}
		p.Rounds = append(p.Rounds, r)
	}
	return p
}

func cellOf(a Answer, name string) Cell {
	for _, c := range a.Cells {
		if cellName(c.Scenario, c.Metric.Name) == name {
			return c
		}
	}
	return Cell{}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, cell string
		factor, sd float64
		rounds     int
		want       Verdict
	}{
		{"dearer", "steady server_cpu_us_per_stream", 1.05, 0.005, 12, Regressed},
		{"cheaper", "steady server_cpu_us_per_stream", 0.95, 0.005, 12, Improved},
		{"less throughput", "stress rate_per_s", 0.95, 0.005, 12, Regressed},
		{"more throughput", "stress rate_per_s", 1.05, 0.005, 12, Improved},
		{"more memory", "baseline server_rss_peak_bytes", 1.05, 0.005, 12, Regressed},
		{"no change", "steady server_cpu_us_per_stream", 1, 0.005, 12, Unchanged},
		{"sure, and below the floor", "steady server_cpu_us_per_stream", 1.013, 0.001, 12, Unchanged},
		{"a change below the margin, with noise", "steady server_cpu_us_per_stream", 1.02, 0.03, 12, NoLargeChange},
		{"noise", "steady server_cpu_us_per_stream", 1, 0.2, 12, Inconclusive},
		{"before the first look", "steady server_cpu_us_per_stream", 2, 0.005, 3, ""},
		{"at the first look", "steady server_cpu_us_per_stream", 1.5, 0.005, 4, Regressed},
		{"the first look spends little", "steady server_cpu_us_per_stream", 1.05, 0.01, 4, Inconclusive},
		{"between looks the rest waits", "steady server_cpu_us_per_stream", 1.5, 0.005, 7, Regressed},
	} {
		a := Judge(comparisonOf(c.rounds, c.sd, map[string]float64{c.cell: c.factor}))
		if got := cellOf(a, c.cell); got.Verdict != c.want {
			t.Errorf("%s: %s, want %s (%+v)", c.name, got.Verdict, c.want, got)
		}
		if c.want == Regressed && a.Cells[0].Verdict != Regressed {
			t.Errorf("%s: a regression is not the first cell: %+v", c.name, a.Cells[0])
		}
		if c.rounds == 7 && a.Rounds != 6 {
			t.Errorf("%s: judged after %d rounds, want 6", c.name, a.Rounds)
		}
	}
}

// A comparison is done when nothing is open, or no round is left.
func TestDone(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds int
		sd     float64
		once   bool
		want   bool
	}{
		{"quiet", 4, 0.002, false, true},
		{"noisy", 8, 0.2, false, false},
		{"noisy, and all was tried", 12, 0.2, false, true},
		{"between looks", 5, 0.2, false, false},
		{"quiet, and judged once", 4, 0.002, true, false},
		{"judged once", 12, 0.002, true, true},
	} {
		p := comparisonOf(c.rounds, c.sd, nil)
		p.Once = c.once
		if a := Judge(p); a.Done != c.want {
			t.Errorf("%s: done is %t: %s %s", c.name, a.Done, a.Verdict, a.Why)
		}
	}
}

// Discarded rounds do not count, are reported, and make no verdict better.
func TestDiscardedRounds(t *testing.T) {
	p := comparisonOf(18, 0.005, nil)
	for i := range 6 {
		p.Rounds[2*i].Discarded = []string{"a neighbour"}
		p.Rounds[2*i].Cells = map[string]At{"steady server_cpu_us_per_stream": {1, 9}}
	}
	a := Judge(p)
	if a.Rounds != 12 || len(a.Discarded) != 6 || a.Verdict != Unchanged || !a.Done {
		t.Errorf("6 of 18 rounds discarded: %d rounds count, %s, done %t: %q", a.Rounds, a.Verdict, a.Done, a.Discarded)
	}
	for i := range p.Rounds {
		if i%2 == 0 {
			p.Rounds[i].Discarded = []string{"a neighbour"}
		}
	}
	p.Rounds = p.Rounds[:13]
	if a := Judge(p); !a.Done || !strings.Contains(a.Why, "too noisy: it discarded 7 of 13 rounds") && a.Verdict == Inconclusive {
		t.Errorf("7 of 13 rounds discarded: %s, done %t: %q", a.Verdict, a.Done, a.Why)
	}
	p.Rounds = p.Rounds[:6]
	if a := Judge(p); a.Verdict != Inconclusive || a.Done || !strings.Contains(a.Why, "3 of the 4 rounds") {
		t.Errorf("3 of 6 rounds discarded: %s, done %t: %q", a.Verdict, a.Done, a.Why)
	}
}

func TestASideThatFails(t *testing.T) {
	for _, c := range []struct {
		name       string
		base, head int  // the first rounds fail
		dead       bool // without a figure
		broken     bool // not built, or fails the contract
		discarded  bool // by the machine
		rounds     int
		want       Verdict
		done       bool
		why        string
	}{
		{"head has no figures in all", 0, 12, true, false, false, 12, Regressed, true, "12 of 12 rounds: C4"},
		{"head has none twice", 0, 2, true, false, false, 12, Regressed, true, "2 of 12 rounds: C4"},
		{"the machine ends no server", 0, 2, true, false, true, 12, Regressed, true, "2 of 12 rounds: C4"},
		{"head is broken: another round would be the same", 0, 1, true, true, false, 1, Regressed, true, "1 of 1 rounds: C4"},
		{"head is broken, and base died once", 1, 1, true, true, false, 1, NotMeasured, true, "base fails in 1 and head in 1 of 1"},
		{"head has none in the only round: another tells", 0, 1, true, false, false, 1, Inconclusive, false, "0 of the 4 rounds"},
		{"base is broken", 1, 0, true, true, false, 1, NotMeasured, true, "base fails in 1 of 1 rounds: C4"},
		{"base has none in the only round", 1, 0, true, false, false, 1, Inconclusive, false, "0 of the 4 rounds"},
		{"both are broken", 1, 1, true, true, false, 1, NotMeasured, true, "base fails in 1 and head in 1 of 1"},
		{"head has none in one of many: another round tells", 0, 1, true, false, false, 13, Unchanged, true, ""},
		{"head loses streams in seven", 0, 7, false, false, false, 7, Regressed, true, "7 of 7 rounds: C4"},
		{"in six of six it may be chance", 0, 6, false, false, false, 6, Inconclusive, false, "0 of the 4 rounds"},
		{"what a discarded round lost the machine may have lost", 0, 7, false, false, true, 7, Inconclusive, true, "too noisy"},
		{"a few of many", 0, 2, false, false, false, 14, Unchanged, true, ""},
		{"base has no figures", 3, 0, true, false, false, 12, NotMeasured, true, "base fails in 3 of 12 rounds: C4"},
		{"both have none", 2, 3, true, false, false, 12, NotMeasured, true, "base fails in 2 and head in 3 of 12"},
		{"both lose streams all the time", 9, 9, false, false, false, 9, NotMeasured, true, "base fails in 9 and head in 9 of 9"},
	} {
		p := comparisonOf(c.rounds, 0.001, nil)
		for i := range p.Rounds {
			r := &p.Rounds[i]
			for side, n := range []int{c.base, c.head} {
				if i < n {
					r.Faults[side], r.Dead[side], r.Broken[side] = "C4: buffers", c.dead, c.broken
					if c.discarded {
						r.Discarded = []string{"a neighbour"}
					}
				}
			}
		}
		a := Judge(p)
		if a.Verdict != c.want || !strings.Contains(a.Why, c.why) || a.Done != c.done {
			t.Errorf("%s: %s, done %t: %q; want %s, %t, %q", c.name, a.Verdict, a.Done, a.Why, c.want, c.done, c.why)
		}
		failed := 0
		for _, told := range a.Discarded {
			if strings.Contains(told, "one side failed") && strings.HasSuffix(told, ": C4: buffers") {
				failed++
			}
		}
		if (c.want == Unchanged || c.want == Inconclusive) && failed != c.base+c.head {
			t.Errorf("%s: %q is told", c.name, a.Discarded)
		}
	}
}

// The sign test's risk is Alpha, and no more rounds than these reach it.
func TestSigns(t *testing.T) {
	for _, c := range []struct {
		head, base int
		want       float64
	}{{0, 0, 1}, {0, 3, 1}, {1, 0, 0.5}, {6, 0, 1.0 / 64}, {7, 0, 1.0 / 128}, {7, 1, 9.0 / 256}, {12, 0, 1.0 / 4096}} {
		if got := signs(c.head, c.base); !near(got, c.want, 1e-9) {
			t.Errorf("%d and %d: %g, want %g", c.head, c.base, got, c.want)
		}
	}
}

// A cell that a side has no figure of is not measured, and no improvement hides it.
func TestWhatOneSideLacksIsNotMeasured(t *testing.T) {
	p := comparisonOf(12, 0.001, map[string]float64{"stress rate_per_s": 1.2})
	for i := range p.Rounds {
		delete(p.Rounds[i].Cells, "steady server_cpu_us_per_stream")
		p.Rounds[i].Missing = []string{"steady server_cpu_us_per_stream"}
	}
	if a := Judge(p); a.Verdict != NotMeasured || cellOf(a, "steady server_cpu_us_per_stream").Verdict != NotMeasured || cellOf(a, "stress rate_per_s").Verdict != Improved {
		t.Errorf("%s: %+v", a.Verdict, a.Cells)
	}
	p = Comparisons(comparisonRecords(func(r *record.Record) {
		if r.Server.Side == "head" && r.Scenario == "steady" {
			r.Metrics["server_cpu_us_per_stream"] = nil
		}
	}))[0]
	for _, r := range p.Rounds {
		if !slices.Equal(r.Missing, []string{"steady server_cpu_us_per_stream"}) {
			t.Errorf("round %d: missing %q", r.Round, r.Missing)
		}
	}
}

// comparisonRecords are records of a comparison. mend turns them into the case.
func comparisonRecords(mend func(*record.Record)) []record.Record {
	var records []record.Record
	for round := 1; round <= 4; round++ {
		for _, side := range []string{"", "base", "head"} {
			for _, scenario := range []string{"steady", "stress-100"} {
				r := record.Record{Scenario: scenario, Round: round, Status: record.OK, Metrics: record.Metrics{}}
				r.Run.Rounds, r.Server.Name, r.Server.Side = 12, "go-http", side
				artefact := "artefact of " + side
				r.Server.Artefact = &artefact
				if side == "" {
					r.Server.Name, r.Server.Artefact = "direct", nil
				}
				for _, m := range record.Table("relay") {
					v := 100.0
					if m.Name == "failed_pct" {
						v = 0
					}
					r.Metrics[m.Name] = &v
				}
				others := 5.0
				r.Conditions.OthersPct = &others
				mend(&r)
				records = append(records, r)
			}
		}
	}
	return records
}

// Which rounds the machine discarded is read from what both sides and direct saw.
func TestDiscardedIsReadFromRecords(t *testing.T) {
	at := func(side, scenario string, round int, do func(*record.Record)) func(*record.Record) {
		return func(r *record.Record) {
			if r.Server.Side == side && r.Scenario == scenario && r.Round == round {
				do(r)
			}
		}
	}
	set := func(metric string, v float64) func(*record.Record) {
		return func(r *record.Record) { r.Metrics[metric] = &v }
	}
	for _, c := range []struct {
		name string
		mend func(*record.Record)
		want string // "" is: no round is discarded
	}{
		{"nothing", func(*record.Record) {}, ""},
		{"direct was disturbed", at("", "steady", 2, func(r *record.Record) { r.Conditions.Disturbed = []string{"k6 was delayed"} }), "k6 was delayed"},
		{"a neighbour of head alone", at("head", "stress-100", 2, func(r *record.Record) { v := 40.0; r.Conditions.OthersPct = &v }), ""},
		{"a faster machine", at("", "stress-100", 2, set("rate_per_s", 300)), ""},
		{"a slower one", at("", "stress-100", 2, set("rate_per_s", 30)), ""},
		{"a late rig", at("", "steady", 2, set("itl_p99_ms", 130)), "requests of direct were 30.0 ms late (p99), and other programs did little"},
		{"direct's pace, which is the stub's", at("", "steady", 2, set("rate_per_s", 10)), ""},
		{"a slow server is not the machine", at("head", "stress-100", 2, set("rate_per_s", 10)), ""},
	} {
		p := Comparisons(comparisonRecords(c.mend))[0]
		for _, r := range p.Rounds {
			got := strings.Join(r.Discarded, "; ")
			if want := r.Round == 2 && c.want != ""; want != (got != "") || want && !strings.Contains(got, c.want) {
				t.Errorf("%s: round %d: %q; want %q in round 2", c.name, r.Round, got, c.want)
			}
		}
	}
}

func TestIdenticalWasNotRun(t *testing.T) {
	same := "the same"
	not := func(r *record.Record) {
		if r.Server.Name != "direct" {
			r.Server.Artefact = &same
		}
	}
	if p := Comparisons(comparisonRecords(not))[0]; p.Identical {
		t.Error("what was loaded is called identical")
	}
	p := Comparisons(comparisonRecords(func(r *record.Record) {
		not(r)
		r.Status, r.Why = record.Invalid, []string{NotLoaded}
	}))[0]
	if a := Judge(p); a.Verdict != Identical || !a.Done {
		t.Errorf("%s, done %t; want identical", a.Verdict, a.Done)
	}
	p = Comparisons(comparisonRecords(func(r *record.Record) {
		not(r)
		r.Status, r.Why = record.Invalid, []string{"verify: C4 lock-step"}
	}))[0]
	if a := Judge(p); a.Verdict != NotMeasured {
		t.Errorf("both sides broken, and the same program: %s", a.Verdict)
	}
}

// lateRig are records in which the rig delays direct, and other programs use a part of the machine.
func lateRig(othersPct float64) func(*record.Record) {
	return func(r *record.Record) {
		r.Conditions.OthersPct = &othersPct
		if late := 130.0; r.Server.Side == "" && r.Scenario == "steady" {
			r.Metrics["itl_p99_ms"] = &late
		}
	}
}

// What others had is read of levels, where a side has slices of its own. It discards no round.
func TestOthersAreReadFromRecords(t *testing.T) {
	set := func(others, steal float64) func(*record.Record) {
		return func(r *record.Record) {
			if r.Server.Side == "head" {
				r.Conditions.OthersPct, r.Conditions.StealPct = &others, &steal
			}
		}
	}
	for _, r := range Comparisons(comparisonRecords(set(60, 3)))[0].Rounds {
		if len(r.Others) != 1 || r.Others["stress-100"] != (At{5, 63}) || len(r.Discarded) != 0 {
			t.Errorf("round %d: %v, discarded %q; want 5 and 63 %% in stress-100", r.Round, r.Others, r.Discarded)
		}
	}
	for _, r := range Comparisons(comparisonRecords(func(r *record.Record) { r.Conditions.OthersPct = nil }))[0].Rounds {
		if len(r.Others) != 0 {
			t.Errorf("round %d: %v of what nobody knows", r.Round, r.Others)
		}
	}
}
