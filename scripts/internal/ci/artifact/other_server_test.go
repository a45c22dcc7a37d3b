package artifact

import (
	"maps"
	"slices"
	"testing"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// A workflow of another repository may measure several servers. One's name may begin as another's, and each report may
// download the records of all.
func TestRecordsOfAnotherServerOfTheWorkflowAreNotOurs(t *testing.T) {
	shop, two := workload.Server{Workload: "relay", Name: "shop"}, workload.Server{Workload: "relay", Name: "shop-2"}
	of := func(s workload.Server) string {
		records := comparison(1, 2)
		for i := range records {
			if records[i].Server.Side != "" {
				records[i].Server.Name = s.Name
			}
		}
		return text(t, records...)
	}
	for _, s := range []workload.Server{shop, two} {
		dir := t.TempDir()
		for _, each := range []workload.Server{shop, two} {
			write(t, dir, "records-"+each.Dotted()+"-1/a.zip", zipped(t, file{text: of(each)}))
		}
		p := plan.Plan{Kind: plan.Pull, Revision: revision, Base: older, Pull: 7, Servers: []workload.Server{s}, Rounds: 12, Directory: s.Name}
		got, err := Read(dir, p, nil, This)
		if err != nil || len(got.Refused)+len(got.Missing) > 0 || !slices.Equal(slices.Collect(maps.Keys(got.Records)), []string{s.Dotted()}) {
			t.Errorf("%s: %v, refused %v, missing %v, records of %v", s, err, got.Refused, got.Missing, slices.Collect(maps.Keys(got.Records)))
		}
		p.Directory = "" // at home each artifact has a job of the plan
		if got, err = Read(dir, p, nil, This); err != nil || len(got.Refused) == 0 {
			t.Errorf("%s at home: %v, refused %v", s, err, got.Refused)
		}
	}
}

// A server of this repository whose description does not fit would be refused in every honest run.
func TestOurServersFitTheForms(t *testing.T) {
	all, err := server.All("../../../../servers")
	if err != nil || len(all) < 30 {
		t.Fatalf("%d servers, %v", len(all), err)
	}
	for _, s := range all {
		for _, text := range []string{s.Language, s.Framework} {
			if !frameworkForm.MatchString(text) {
				t.Errorf("%s: %q; want the form %s", s.ID(), text, frameworkForm)
			}
		}
	}
}
