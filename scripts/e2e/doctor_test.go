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
	r := p.bench("doctor", "-for", "0", "-json")
	var report doctor.Report
	if err := json.Unmarshal([]byte(r.stdout), &report); err != nil {
		t.Fatalf("%v\n%s\n%s", err, r.stdout, r.stderr)
	}
	if len(report.Findings) != len(doctor.Checks) || report.Noise != nil {
		t.Errorf("%d findings, want %d; noise %v, want none", len(report.Findings), len(doctor.Checks), report.Noise)
	}
	want := 0
	if doctor.Count(report.Findings, doctor.Mend) > 0 {
		want = 1
	}
	r.expect(t, want, "looking at the machine")
}

func TestDoctorMeasures(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	r := p.bench("doctor", "-for", "8s", "-all")
	for _, text := range []string{"Noise now: two equal loads of 2 s may differ by ", "Measured for 8 s on ", "\nFine\n"} {
		if !strings.Contains(r.stdout, text) {
			t.Errorf("no %q in:\n%s", text, r.stdout)
		}
	}
	if r.status != 0 && r.status != 1 {
		t.Errorf("exit status %d:\n%s", r.status, r.stderr)
	}
}

func TestDoctorRefusals(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, c := range []struct{ args, want string }{
		{"-for 3s", "doctor: -for 3s: want 0, or whole seconds from 8 on"},
		{"-for 8500ms", "doctor: -for 8.5s: want 0"},
		{"-for -5s", "doctor: -for -5s: want 0"},
		{"now", `unexpected argument "now"`},
	} {
		p.bench(append([]string{"doctor"}, strings.Fields(c.args)...)...).expect(t, 2, c.want)
	}
}
