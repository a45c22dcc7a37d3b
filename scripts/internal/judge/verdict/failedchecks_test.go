package verdict

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// A base that fails the contract has figures, so the cells decide. The answer names the checks of both sides.
func TestFailedChecksStandBesideTheVerdict(t *testing.T) {
	failing := func(base, head []string) Answer {
		return Compare(comparisonRecords(func(r *record.Record) {
			r.Server.FailedChecks = map[string][]string{"base": base, "head": head}[r.Server.Side]
		}))[0]
	}
	plain := failing(nil, nil)
	const reader, aborts = "C7 stalled-reader", "C7 aborts"
	for _, c := range []struct{ base, head, gained, bothFail []string }{
		{base: []string{reader}, gained: []string{reader}},
		{base: []string{reader, aborts}, head: []string{aborts}, gained: []string{reader}, bothFail: []string{aborts}},
	} {
		a := failing(c.base, c.head)
		if a.Verdict != plain.Verdict || len(a.Cells) != len(plain.Cells) {
			t.Errorf("%q, %q: %s with %d cells; want %s", c.base, c.head, a.Verdict, len(a.Cells), plain.Verdict)
		}
		if !slices.Equal(a.Gained, c.gained) || !slices.Equal(a.BothFail, c.bothFail) {
			t.Errorf("%q, %q: head now passes %q, both fail %q", c.base, c.head, a.Gained, a.BothFail)
		}
	}
}

// Such a head is not loaded. So somebody changed records in which it has figures, and the figures decide nothing.
func TestFiguresDoNotExcuseACheckThatOnlyHeadFails(t *testing.T) {
	for _, c := range []struct {
		base, head []string
		why        string
	}{
		{nil, []string{"C2 header"}, "head fails, base does not: C2 header"},
		{[]string{"C7 aborts"}, []string{"C7 aborts", "C2 header", "C7 crowd"}, "head fails, base does not: C2 header, C7 crowd"},
	} {
		a := Compare(comparisonRecords(func(r *record.Record) {
			r.Server.FailedChecks = map[string][]string{"base": c.base, "head": c.head}[r.Server.Side]
		}))[0]
		if a.Verdict != Regressed || a.Why != c.why || !a.Done || len(a.Cells) > 0 {
			t.Errorf("base %q, head %q: %s, %q, %d cells; want %q", c.base, c.head, a.Verdict, a.Why, len(a.Cells), c.why)
		}
	}
}

// A release that fails a check is loaded, so the cells decide. The answer names the check.
func TestAReleaseThatFailsACheckHasFigures(t *testing.T) {
	a := Compare(comparisonRecords(func(r *record.Record) {
		if r.Server.Commit = nil; r.Server.Side == "head" {
			r.Server.FailedChecks, r.Server.Packages, r.Server.Bump = []string{"C7 aborts"}, []string{"hono 4.11.9 to 4.12.0", "ms 1.0.0 to 2.0.0"}, true
		}
	}))[0]
	if len(a.Cells) == 0 || !slices.Equal(a.Failing, []string{"C7 aborts"}) || !a.Bump || len(a.Packages) != 2 {
		t.Errorf("%s, %d cells, head fails %q, packages %q", a.Verdict, len(a.Cells), a.Failing, a.Packages)
	}
}

// A head that was not loaded stopped at its first failure, so nothing is known of its other checks.
func TestAHeadThatIsNotLoadedPassesNothingNow(t *testing.T) {
	a := Compare(comparisonRecords(func(r *record.Record) {
		switch r.Server.Side {
		case "base":
			r.Server.FailedChecks = []string{"C7 stalled-reader"}
		case "head":
			r.Status, r.Why, r.Metrics = record.Invalid, []string{"verify: C2 header: POST /chat gets no stream"}, record.Metrics{}
			r.Server.FailedChecks = []string{"C2 header"}
		}
	}))[0]
	if a.Verdict != Regressed || a.Gained != nil {
		t.Errorf("%s, head now passes %q; want regressed, and nothing", a.Verdict, a.Gained)
	}
	if want := "head fails what base passes, and base fails C7 stalled-reader: "; !strings.HasPrefix(a.Why, want) {
		t.Errorf("%q; want %q", a.Why, want)
	}
}
