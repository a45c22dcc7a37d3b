package pipeline

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// command runs a program in a directory; its output is part of the error.
func command(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	return nil
}

// The linters, each with what it is to say of a fault.
var linters = []struct {
	name string
	path func(*testing.T) string
	args []string
	file string
	old  string
	new  string
	says string
}{
	// shellcheck and pyflakes are not on every machine, and a step is one command.
	{"actionlint", func(t *testing.T) string { return tool(t, "actionlint") },
		[]string{"-shellcheck=", "-pyflakes=", "-no-color"},
		"workflows/benchmark.yml", "needs.plan.outputs.jobs !=", "needs.plan.outputs.job !=", `property "job" is not defined`},
	// Its strictest persona, which includes the others. Offline: the checks that ask GitHub compare pins with
	// tags, which Dependabot does when it raises them.
	{"zizmor", zizmor,
		[]string{"--persona", "auditor", "--offline", "--no-progress", "--strict-collection", ".github"},
		"workflows/ci.yml", "run: scripts/test", "run: scripts/test ${{ github.head_ref }}", "template-injection"},
}

func TestLint(t *testing.T) {
	for _, l := range linters {
		t.Run(l.name, func(t *testing.T) {
			if err := command(root, l.path(t), l.args...); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLintersFindFaults(t *testing.T) {
	for _, l := range linters {
		t.Run(l.name, func(t *testing.T) {
			program := l.path(t)
			dir := t.TempDir()
			if err := command(dir, "git", "init", "--quiet"); err != nil { // actionlint looks for a project
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(dir, ".github"), os.DirFS(filepath.Join(root, ".github"))); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, ".github", l.file)
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), l.old) {
				t.Fatalf("%s has no %q: %v", l.file, l.old, err)
			}
			testfile.Write(t, path, strings.Replace(string(text), l.old, l.new, 1))
			if err := command(dir, program, l.args...); err == nil || !strings.Contains(err.Error(), l.says) {
				t.Errorf("got %v, want %q", err, l.says)
			}
		})
	}
}

// The workflows that init writes into other repositories are as clean as ours.
func TestWorkflowsOfInitLint(t *testing.T) {
	files, err := server.Caller{Server: "apps/chat", Uses: "acme/fairstream", Commit: strings.Repeat("a", 40), Note: "v1.2.3", Branch: "main"}.Workflows()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range linters {
		t.Run(l.name, func(t *testing.T) {
			program := l.path(t)
			for _, fault := range []bool{false, true} {
				dir := t.TempDir()
				if err := command(dir, "git", "init", "--quiet"); err != nil {
					t.Fatal(err)
				}
				for name, text := range files {
					if fault {
						text = []byte(strings.Replace(string(text), "    uses: acme/fairstream/.github/workflows/compare.yml@"+strings.Repeat("a", 40), "    uses: acme/fairstream/.github/workflows/compare.yml@main\n    secrets: ${{ inputs.x }}", 1))
					}
					if err := server.Write(filepath.Join(dir, name), text); err != nil {
						t.Fatal(err)
					}
				}
				if err := command(dir, program, l.args...); (err != nil) != fault {
					t.Errorf("with a fault %v: %v", fault, err)
				}
			}
		})
	}
}
