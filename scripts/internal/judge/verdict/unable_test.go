package verdict

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A record without a figure that is disturbed is of the machine or the rig: its round
// is measured again, and its server is not dead however often that happens.
func TestWhatTheMachineCouldNotDoIsNoDeath(t *testing.T) {
	const why = "not ready after 5s; this machine is too busy"
	for name, c := range map[string]struct {
		disturbed bool
		want      Verdict
	}{"the machine's": {true, Inconclusive}, "its own": {false, Regressed}} {
		p := Comparisons(comparisonRecords(func(r *record.Record) {
			if r.Server.Side == "head" && r.Round > 2 {
				r.Status, r.Why, r.Metrics = record.Invalid, []string{why}, record.Metrics{}
				if c.disturbed {
					r.Conditions.Disturbed = []string{why}
				}
			}
		}))[0]
		for _, r := range p.Rounds {
			lost := r.Round > 2
			if r.Dead[1] != (lost && !c.disturbed) || (len(r.Discarded) > 0) != (lost && c.disturbed) {
				t.Errorf("%s: round %d: dead %v, discarded %q", name, r.Round, r.Dead, r.Discarded)
			}
		}
		if a := Judge(p); a.Verdict != c.want {
			t.Errorf("%s: %s %q; want %s", name, a.Verdict, a.Why, c.want)
		} else if c.disturbed && !strings.Contains(strings.Join(a.Discarded, "\n"), why) {
			t.Errorf("%s: told is %q", name, a.Discarded)
		}
	}
}

// A server that was not built, or fails the contract, differs from one that did not start or died:
// only the first is the same in every round.
func TestWhatIsBrokenIsReadFromRecords(t *testing.T) {
	artefact, zero := "a", 0.0
	for name, c := range map[string]struct {
		artefact *string
		why      string
		failed   *float64 // per cent
		want     bool
	}{
		"not built":                 {nil, "build: go-http: go: exited with status 1", nil, true},
		"fails the contract":        {&artefact, "verify: C4 lock-step: event 1 did not come", nil, true},
		"as it comes through CI":    {&artefact, "`verify: C4 lock-step: event 1 did not come`", nil, true},
		"did not start":             {&artefact, "exited with status 4; its last lines:\n    verify: no", nil, false},
		"died under load":           {&artefact, "died 2.0 s into comparison: exited with status 7", &zero, false},
		"died, and says it was us":  {&artefact, "verify: C4", &zero, false},
		"nothing is the matter yet": {&artefact, "", nil, false},
	} {
		records := comparisonRecords(func(r *record.Record) {
			if r.Server.Side == "head" {
				r.Status, r.Why, r.Server.Artefact = record.Invalid, []string{c.why}, c.artefact
				r.Metrics = record.Metrics{"failed_pct": c.failed}
			}
		})
		for _, r := range Comparisons(records)[0].Rounds {
			if r.Broken != [2]bool{false, c.want} {
				t.Errorf("%s: broken is %v; want %v of head", name, r.Broken, c.want)
			}
		}
	}
}

// A machine that lacks the Go of one side says nothing about the server.
func TestAMissingGoIsNobodysFault(t *testing.T) {
	const build = "build: go-http: "
	const lacks = "Go 1.27.4 is not on this machine and could not be downloaded; install it"
	artefact, zero := "a", 0.0
	for name, c := range map[string]struct {
		sides    string
		artefact *string
		why      string
		failed   *float64
		verdict  Verdict
		want     string
	}{
		"head":                                 {"head", nil, build + lacks, nil, NotMeasured, lacks},
		"base":                                 {"base", nil, build + lacks, nil, NotMeasured, lacks},
		"both":                                 {"base head", nil, build + lacks, nil, NotMeasured, lacks},
		"as it comes through CI":               {"head", nil, "`" + build + lacks + "`", nil, NotMeasured, "`" + lacks + "`"},
		"a build that prints it":               {"head", nil, build + "go: exited with status 1; its last lines: build: x: " + lacks, nil, Regressed, ""},
		"a check that says it":                 {"head", &artefact, "verify: C4 header: " + build + lacks, nil, Regressed, ""},
		"a server that was built, and says it": {"head", &artefact, build + lacks, nil, Regressed, ""},
		"a server that dies, and says it":      {"head", nil, build + lacks, &zero, Regressed, ""},
	} {
		a := Judge(Comparisons(comparisonRecords(func(r *record.Record) {
			if strings.Contains(c.sides, r.Server.Side) {
				r.Status, r.Why, r.Server.Artefact = record.Invalid, []string{c.why}, c.artefact
				r.Metrics = record.Metrics{"failed_pct": c.failed}
			}
		}))[0])
		if a.Verdict != c.verdict || !a.Done || c.want != "" && a.Why != c.want {
			t.Errorf("%s: %s: %s; want %s: %s", name, a.Verdict, a.Why, c.verdict, c.want)
		}
	}
}
