package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// The tests of this package run the tool as users do: as a program, in a project of its own, with real k6 and
// pidstat. Their paths start at scripts/, the directory above.

// Files that commands leave beside the raw files, or read.
const (
	recordsFile = "run.jsonl"
	detailsFile = "details.json"
	trialsFile  = "trials.jsonl"
	eventsFile  = "events.json"
	chartsFile  = "charts.json"
	biggerFile  = "bigger.json"
	smallerFile = "smaller.json"
	// Of the branch gh-pages, and of main.
	builtFile = ".sources"
)

// built is the tool of the projects. It verifies as ours does, but with light checks: what
// the whole ones show is tested in contract.
var built string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "fairstream-e2e-")
		if err == nil {
			defer os.RemoveAll(dir) // the system would remove it some day
			err = os.Chdir("..")
		}
		built = filepath.Join(dir, "bench")
		for _, command := range []string{"./bench setup",
			"go build -trimpath -buildvcs=false -ldflags=-X=fairstream/scripts/internal/measure/verify.light=yes -o " + built + " ."} {
			if err == nil {
				args := strings.Fields(command)
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
				err = cmd.Run()
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// A project is a copy of this one with servers of the test's choice.
type testProject struct {
	*testing.T
	root string
}

// newProject makes a project that shares k6 and the stub with this one and has
// no server yet.
func newProject(t *testing.T) testProject {
	t.Helper()
	p := testProject{t, t.TempDir()}
	for _, dir := range []string{"scripts/bin", "servers/relay", "tmp"} {
		p.must(os.MkdirAll(filepath.Join(p.root, dir), 0o755))
	}
	for _, dir := range []string{"k6", "stub"} {
		real, err := filepath.Abs(filepath.Join("..", dir))
		p.must(err)
		p.must(os.Symlink(real, filepath.Join(p.root, dir)))
	}
	// A link spares each of many projects 25 MB, where the disk is the same.
	if os.Link(built, filepath.Join(p.root, "scripts/bin/bench")) != nil {
		p.copy(built, "scripts/bin/bench")
	}
	p.copy("GLOSSARY.md", "scripts/GLOSSARY.md") // pages are built from it
	return p
}

// isLong says that scripts/test was given -long.
var isLong = os.Getenv("FAIRSTREAM_LONG") != ""

// long leaves a test that takes so much time to scripts/test -long, which knows it by
// its name.
func long(t *testing.T, takes string) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestLong") {
		t.Fatal("call it TestLong...")
	}
	if !isLong {
		t.Skip("takes " + takes)
	}
}

func (p testProject) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// copy copies a file or a directory of this module into the project.
func (p testProject) copy(from, to string) {
	p.Helper()
	out, err := exec.Command("cp", "-aL", from, filepath.Join(p.root, to)).CombinedOutput()
	if err != nil {
		p.Fatalf("cp: %v: %s", err, out)
	}
}

func (p testProject) write(name, text string) {
	p.Helper()
	testfile.Write(p, filepath.Join(p.root, name), text)
}

// wrong adds a server that is wrong as its name says; testdata/wrong has the list.
func (p testProject) wrong(name string) {
	p.Helper()
	p.copy("e2e/testdata/wrong", "servers/relay/"+name)
	p.runs(name, []string{"bin/server", name})
}

// runs writes the server.json of a server that wrong added: the command to run it.
func (p testProject) runs(name string, run []string) {
	p.Helper()
	args, err := json.Marshal(run)
	p.must(err)
	p.write("servers/relay/"+name+"/server.json", fmt.Sprintf(`{"workload": "relay", "language": "go", "framework": "none",
		"build": ["go", "build", "-trimpath", "-ldflags=-s", "-o", "bin/server", "."], "run": %s, "versions": {"go": ["go", "version"]}}`, args))
}

// A result is what a command left.
type result struct {
	stdout, stderr string
	status         int
}

// bench runs the project's tool in the project.
func (p testProject) bench(args ...string) result {
	p.Helper()
	return p.finish(p.command(args...))
}

func (p testProject) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.root, "scripts/bin/bench"), args...)
	cmd.Dir = p.root
	cmd.Env = append(os.Environ(), "TMPDIR="+p.temp(), "CI=") // the same in a workflow and at a desk
	return cmd
}

func (p testProject) finish(cmd *exec.Cmd) result {
	p.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		p.Fatal(err)
	}
	p.leftovers()
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// temp is the project's own directory for temporary files.
func (p testProject) temp() string { return filepath.Join(p.root, "tmp") }

// leftovers fails the test if any process of the project is alive, or any
// temporary file is left.
func (p testProject) leftovers() {
	p.Helper()
	left, err := os.ReadDir(p.temp())
	p.must(err)
	for _, entry := range left {
		p.Errorf("left: %s", filepath.Join(p.temp(), entry.Name()))
	}
	for _, pid := range p.processes() {
		cmdline, _ := os.ReadFile("/proc/" + pid + "/cmdline") // it may have ended
		p.Errorf("left running: process %s: %s", pid, strings.ReplaceAll(string(cmdline), "\x00", " "))
	}
}

// processes are those that run in the project, run a program of it, name a file
// of it, or write to one: all that the project's tool starts.
func (p testProject) processes() (pids []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		cmdline, _ := os.ReadFile(dir + "/cmdline") // it may have ended
		cwd, _ := os.Readlink(dir + "/cwd")         // it may have ended
		exe, _ := os.Readlink(dir + "/exe")         // it may have ended
		stdout, _ := os.Readlink(dir + "/fd/1")     // it may have ended
		if strings.Contains(strings.Join([]string{string(cmdline), cwd, exe, stdout}, "\n"), p.root) {
			pids = append(pids, filepath.Base(dir))
		}
	}
	return pids
}

// expect checks an exit status and that each text is in stderr.
func (r result) expect(t *testing.T, status int, texts ...string) {
	t.Helper()
	if r.status != status {
		t.Errorf("exit status %d, want %d", r.status, status)
	}
	for _, text := range texts {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("stderr lacks %q", text)
		}
	}
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", r.stdout, r.stderr)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
