package artifact

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/verify/contracts"
)

// onMain are rounds of a comparison of main.
func onMain(p plan.Plan, rounds ...int) []record.Record {
	records := comparison(rounds...)
	for i := range records {
		of := p.OfComparison(p.Comparisons[0])
		records[i].Run.Rounds, records[i].Run.Once = of.Rounds, of.Once
	}
	return records
}

// The workflow names the directory of the confirmation after that of the comparison.
func TestAConfirmationHasItsOwnName(t *testing.T) {
	p := mainPlan
	p.Comparisons = []plan.Comparison{{Server: relay("go-http")[0], Base: older}}
	for _, c := range []struct {
		job, id string
		ok      bool
	}{
		{"comparison", "77-2", true}, {"comparison", "77-2-confirm", false}, {"comparison", "77-1", false},
		{"confirm", "77-2-confirm", true}, {"confirm", "77-2", false}, {"confirm", "77-1-confirm", false},
	} {
		records := onMain(p, 1)
		for i := range records {
			records[i].Run.ID = c.id
		}
		dir := t.TempDir()
		write(t, dir, "records-"+c.job+".relay.go-http-2/a.zip", zipped(t, file{text: text(t, records...)}))
		if got, err := Read(dir, p, known, This); err != nil || (len(got.Refused) == 0) != c.ok {
			t.Errorf("%s of %s: %v: refused %+v", c.job, c.id, err, got.Refused)
		}
	}
}

// A comparison of main is one like a pull request's, of the base that its plan has for
// the server; what confirms it is an artifact of its own.
func TestComparisonsOfMainAreAccepted(t *testing.T) {
	p := mainPlan
	p.Comparisons = []plan.Comparison{{Server: relay("go-http")[0], Base: older}}
	dir := t.TempDir()
	write(t, dir, "records-comparison.relay.go-http-2/a.zip", zipped(t, file{text: text(t, onMain(p, 1, 2, 3, 4)...)}))
	write(t, dir, "records-confirm.relay.go-http-2/a.zip", zipped(t, file{text: text(t, onMain(p, 1)...)}))
	write(t, dir, "records-relay.go-http-1/a.zip", zipped(t, file{text: text(t, completeRecords("go-http")...)}))
	got, err := Read(dir, p, known, Run{})
	if err != nil || len(got.Refused) > 0 || len(got.Comparisons["comparison.relay.go-http"]) != 48 || len(got.Comparisons["confirm.relay.go-http"]) != 12 || len(got.All()) != 12 || got.Attempts["comparison.relay.go-http"] != 2 {
		t.Errorf("%v: refused %q, %d of the comparison, %d to confirm, %d others, attempts %v", err, got.Refused, len(got.Comparisons["comparison.relay.go-http"]), len(got.Comparisons["confirm.relay.go-http"]), len(got.All()), got.Attempts)
	}
	if want := []string{"relay.go-gin"}; !slices.Equal(got.Missing, want) {
		t.Errorf("missing %q, want %q", got.Missing, want)
	}
	for name, records := range map[string][]record.Record{
		"records-comparison.relay.go-gin-1/a.zip":  onMain(p, 1),               // no such comparison is planned
		"records-comparison.relay.go-http-1/a.zip": completeRecords("go-http"), // of no comparison
		"records-relay.go-http-1/a.zip":            onMain(p, 1),
	} {
		dir := t.TempDir()
		write(t, dir, name, zipped(t, file{text: text(t, records...)}))
		got, err := Read(dir, p, known, Run{})
		if err != nil || len(got.Refused) != 1 || len(got.All())+len(got.Comparisons) > 0 || !slices.Contains(got.Missing, "comparison.relay.go-http") {
			t.Errorf("%s: %v: refused %q, missing %q", name, err, got.Refused, got.Missing)
		}
	}
	other := p
	other.Comparisons = []plan.Comparison{{Server: relay("go-http")[0], Base: revision}}
	if got, err := Read(dir, other, known, Run{}); err != nil || len(got.Comparisons) > 0 || len(got.Refused) != 2 {
		t.Errorf("records of another base: %v, refused %q", err, got.Refused)
	}
}

// Two sources may build one program.
func TestIdenticalProgramsAreAccepted(t *testing.T) {
	if _, _, err := parse([]byte(text(t, notLoaded(comparison(1), strings.Repeat("5", 64))...)), pullPlan, known); err != nil {
		t.Error(err)
	}
}

// An honest server may lack each thing that it only should do, and base may fail the rest of the contract.
func TestAServerMayFailChecks(t *testing.T) {
	for _, c := range contracts.Of("relay") {
		records := comparison(1)
		for i := range records {
			s, name := &records[i].Server, c.Clause+" "+c.Name
			switch {
			case c.Must && s.Side == "base":
				s.FailedChecks = []string{name}
			case !c.Must && s.Side == "head":
				s.MissingChecks = []string{name}
			}
		}
		if _, _, err := parse([]byte(text(t, records...)), pullPlan, known); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}
