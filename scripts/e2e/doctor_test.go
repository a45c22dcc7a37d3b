package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

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

// One screen, whatever this machine is.
func TestDoctorInShort(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	unknown := p.bench("doctor", "-short")
	unknown.expect(t, 0, "looking at the machine")
	if n := strings.Count(unknown.stdout, "\n"); n < 8 || n > 24 {
		t.Errorf("%d lines:\n%s", n, unknown.stdout)
	}
}

// The step of the action, as a runner would run it, writes the machine into the summary before the load. No fault of
// it ends the job.
func TestTheSummaryOfAJobBeginsWithTheMachine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	text, err := os.ReadFile("../.github/actions/compare/action.yml")
	p.must(err)
	var action struct {
		Runs struct {
			Steps []struct {
				Name, Run, Shell string
				Env              map[string]string
				Go               bool `yaml:"continue-on-error"`
			}
		}
	}
	p.must(yaml.Unmarshal(text, &action))
	order := map[string]int{}
	for i, step := range action.Runs.Steps {
		order[step.Name] = i + 1
	}
	i := order["machine"]
	if i == 0 || i > order["compare"] || i > order["summary"] {
		t.Fatalf("steps %v; want the machine before compare and summary", order)
	}
	step := action.Runs.Steps[i-1]
	if !step.Go {
		t.Error("machine: a fault of it ends the job; want continue-on-error")
	}
	if want := action.Runs.Steps[order["compare"]-1].Env["BENCH"]; step.Env["BENCH"] != want {
		t.Errorf("machine runs %q, compare %q", step.Env["BENCH"], want)
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	like := p.command("doctor") // for its environment
	cmd := exec.Command(step.Shell, "-e", "-c", step.Run)
	cmd.Dir, cmd.Env = like.Dir, append(like.Env, "BENCH="+like.Path, "GITHUB_STEP_SUMMARY="+summary)
	p.finish(cmd).expect(t, 0)
	got, err := os.ReadFile(summary)
	p.must(err)
	if s := string(got); !strings.HasPrefix(s, "<details><summary>Measured on ") || !strings.Contains(s, "\nNoise to expect\n") || !strings.HasSuffix(s, "</details>\n\n") {
		t.Errorf("summary:\n%s", s)
	}
}

func TestDoctorRefusals(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, c := range []struct{ args, want string }{
		{"-for 3s", "doctor: flag provided but not defined: -for"},
		{"-short -json", "doctor: -short: is one screen of text about this machine; leave out -json, -all and -machines"},
		{"-format markdown", "doctor: -format markdown: has no effect without -short"},
		{"-short -format pdf", "doctor: -format pdf: unknown; known are text, markdown"},
		{"now", `unexpected argument "now"`},
	} {
		p.bench(append([]string{"doctor"}, strings.Fields(c.args)...)...).expect(t, 2, c.want)
	}
}
