package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/show/site"
)

// A file in internal/workload and four directories add a workload. It goes from verify to a page of the site,
// and nothing else is edited.
func TestOneFileAndFourDirectoriesAddAWorkload(t *testing.T) {
	t.Parallel()
	p := testProject{t, t.TempDir()}
	p.sources("scripts", "stub", "k6", "gh-pages", "servers/relay/go-http")
	for _, built := range []string{"k6/bin", "gh-pages/dist"} {
		if exists(filepath.Join("..", built)) {
			p.copy("../"+built, built)
		}
	}
	trials, err := filepath.Glob(filepath.Join(p.root, "scripts/internal/judge/prove/trials/*.jsonl"))
	p.must(err)
	for _, name := range trials { // the site judges each trial, which takes a minute
		p.must(os.Remove(name))
	}
	p.must(os.MkdirAll(p.temp(), 0o755))
	const from = "e2e/testdata/newworkload/"
	p.copy(from+"workload.go", "scripts/internal/workload/hello.go")
	for dir, to := range map[string]string{"servers": "servers/hello", "k6": "k6/hello", "verify": "scripts/internal/measure/verify/hello", "stub": "stub/hello"} {
		p.copy(from+dir, to)
	}
	p.write("servers/hello/hello/go.mod", "module hello\n\ngo 1.26.0\n")
	for _, command := range []string{
		"go generate -C stub ./...", "go generate -C scripts ./internal/measure/verify/contracts",
		"go build -C scripts -trimpath -buildvcs=false -o bin/bench .",
	} {
		args := strings.Fields(command)
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = p.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}

	p.bench("setup").expect(t, 0)
	p.bench("verify", "hello").expect(t, 0)
	r := p.bench("run", "-rounds", "1", "-o", "raw/one", "hello")
	r.expect(t, 0, "records: raw/one/"+recordsFile)
	if !strings.Contains(r.stdout, " calm") || !strings.Contains(r.stdout, "\n  hello ") {
		t.Errorf("the table:\n%s", r.stdout)
	}
	records, err := os.ReadFile(filepath.Join(p.root, "raw/one", recordsFile))
	p.must(err)
	for _, want := range []string{`"workload":"hello"`, `"scenario":"calm"`, `"failed_pct":0,`} {
		if got := strings.Count(string(records), want); got != 2 { // of the server and of direct
			t.Errorf("%d records have %s; want 2:\n%s", got, want, records)
		}
	}

	p.bench("site", "-history", "none", "-o", "site", "raw/one/"+recordsFile).expect(t, 0)
	var m site.Manifest
	text, err := os.ReadFile(filepath.Join(p.root, "site/data/manifest.json"))
	p.must(err)
	p.must(json.Unmarshal(text, &m))
	if m.Workload != "hello" || !exists(filepath.Join(p.root, "site/run/index.html")) {
		t.Errorf("the site begins with %q, of %+v", m.Workload, m.Workloads)
	}
}

// sources copies the files that git has below some paths of this project.
func (p testProject) sources(paths ...string) {
	p.Helper()
	out, err := exec.Command("git", append([]string{"-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, paths...)...).Output()
	p.must(err)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		p.must(os.MkdirAll(filepath.Join(p.root, filepath.Dir(name)), 0o755))
		text, err := os.ReadFile(filepath.Join("..", name))
		p.must(err)
		info, err := os.Stat(filepath.Join("..", name))
		p.must(err)
		p.must(os.WriteFile(filepath.Join(p.root, name), text, info.Mode()))
	}
}
