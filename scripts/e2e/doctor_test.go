package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/doctor"
)

// Whatever this machine is: every check is answered, and the exit status says
// whether any is to be mended.
func TestDoctorLooksAtThisMachine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	r := p.bench("doctor", "-json")
	var report doctor.Report
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		t.Fatalf("%v\n%s\n%s", err, r.stdout, r.stderr)
	}
	if len(report.Findings) != len(doctor.Checks) {
		t.Errorf("%d findings, want %d", len(report.Findings), len(doctor.Checks))
	}
	want := 0
	if doctor.Count(report.Findings, doctor.Fix) > 0 {
		want = 1
	}
	r.expect(t, want, "looking at the machine")
}

func TestDoctorRefusals(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, c := range []struct{ args, want string }{
		{"-for 3s", "doctor: flag provided but not defined: -for"},
		{"now", `unexpected argument "now"`},
	} {
		p.bench(append([]string{"doctor"}, strings.Fields(c.args)...)...).expect(t, 2, c.want)
	}
}
