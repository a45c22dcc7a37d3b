package e2e

import (
	"bufio"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/show/site/simulate"
	"fairstream/scripts/internal/testfile"
)

// assets is what the build says of its files.
const assets = `{"style.css": {"file": "site.css"}}`

// pages writes pages of a line.
func (p testProject) pages() {
	p.write("gh-pages/site.js", "1")
	p.write("gh-pages/assets.json", assets)
	p.write("gh-pages/report.html", "<!doctype html><title><!--title--></title><!--answer--><script><!--data--></script>")
	p.write("gh-pages/package.json", `{"name": "pages", "scripts": {"build": "mkdir -p dist && cp *.js assets.json report.html dist"}}`)
	p.write("gh-pages/package-lock.json", `{"name": "pages", "lockfileVersion": 3, "packages": {"": {"name": "pages"}}}`)
}

// publishedProject is a project with pages, a commit on main, and a history of three on gh-pages.
func publishedProject(t *testing.T) testProject {
	p := newProject(t)
	p.copy("internal/judge/record/testdata/mixed.jsonl", "run.jsonl")
	p.pages()
	p.write(".gitignore", "dist/\nnode_modules/\n")
	p.git("init", "--quiet", "--initial-branch=main")
	p.git("remote", "add", "origin", "git@github.com:acme/fairstream.git")
	p.git("add", "gh-pages", "run.jsonl")
	p.git("commit", "--quiet", "-m", "first <b>")
	p.git("checkout", "--quiet", "--orphan", "gh-pages")
	p.git("rm", "--quiet", "-r", "-f", ".")
	_, err := simulate.Write(simulate.Options{Commits: 3, Servers: 2}, func(path string, data []byte) error {
		p.write(path, string(data))
		return nil
	})
	p.must(err)
	text, err := os.ReadFile("internal/judge/record/testdata/mixed.details.json")
	p.must(err)
	ranks, err := filepath.Glob(filepath.Join(p.root, "runs/*/*/*.leaderboard.jsonl"))
	p.must(err)
	ranked, err := filepath.Rel(p.root, ranks[0])
	p.must(err)
	p.write(record.DetailsPath(strings.Replace(ranked, ".leaderboard.", ".", 1)), string(text))
	p.write("runs/2031/01/broken.jsonl", "{}")
	p.write("gh-pages/accepted/a.json", "{}") // an unsigned draft of an acceptance
	p.must(os.Symlink("/etc/passwd", filepath.Join(p.root, "runs/2031/01/link.jsonl")))
	p.write("charts/data.js", "window.BENCHMARK_DATA = {}")
	p.git("add", record.EditionPath, "runs", "details", "charts")
	p.git("commit", "--quiet", "-m", "records")
	p.git("checkout", "--quiet", "main")
	return p
}

func (p testProject) manifest(site string) (m site.Manifest) {
	p.Helper()
	text, err := os.ReadFile(filepath.Join(p.root, site, "data/manifest.json"))
	p.must(err)
	p.must(json.Unmarshal(text, &m))
	return m
}

func (p testProject) text(name string) string {
	p.Helper()
	text, err := os.ReadFile(filepath.Join(p.root, name))
	p.must(err)
	return string(text)
}

// The history is found, or named, or left out; and a site is replaced whole or not at all.
func TestPublish(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	p.bench("site", "-o", "site").expect(t, 0, "site: left out: runs/2031/01/broken.jsonl: want runs/YYYY", "site: left out: gh-pages/accepted: acceptances: gh-pages/accepted/a.json: workload is missing", "link.jsonl: no regular file", "3 commits, 3 servers", "the site is in site")
	m := p.manifest("site")
	if m.Commits.Count != 3 || *m.Repository != "https://github.com/acme/fairstream" || *m.History != p.git("rev-parse", "gh-pages") {
		t.Errorf("%+v", m)
	}
	if drawn, _ := filepath.Glob(filepath.Join(p.root, "site/details/*/*/*.json.gz")); len(drawn) != 1 {
		t.Errorf("details %q, want those of one run", drawn)
	}
	if p.text("site/charts/data.js") == "" || p.text("site/site.js") != "1" {
		t.Error("files of the page are missing")
	}
	// The branch, though a directory is called so too.
	p.bench("site", "-o", "site", "-history", "gh-pages").expect(t, 0, "3 commits")
	// A directory, with a run of one's own; into the same place.
	p.git("worktree", "add", "--quiet", "elsewhere", "gh-pages")
	p.bench("site", "-o", "site", "-history", "elsewhere", "run.jsonl").expect(t, 0, "4 commits")
	if m := p.manifest("site"); m.Commits.Count != 4 || *m.History != p.git("rev-parse", "gh-pages") {
		t.Errorf("%+v", m)
	}
	p.bench("site", "-o", "site", "-history", "none", "run.jsonl").expect(t, 0, "1 commit, ")
	if latest := p.text("site/latest.json"); !strings.Contains(latest, "tenth-fails") || !strings.Contains(latest, `"quick":true`) {
		t.Errorf("the newest results are not those of the run: %s", latest)
	}
	before := p.text("site/data/manifest.json")
	p.write("kept/file", "mine")
	p.write("compare.jsonl", strings.Replace(p.text("run.jsonl"), `"side":""`, `"side":"base"`, 1))
	p.write("none.jsonl", "")
	for _, of := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "site: -o kept: it has files, but none of a site", []string{"-o", "kept"}},
		{2, "site: -history nowhere: neither a directory with runs/ nor a revision", []string{"-o", "site", "-history", "nowhere"}},
		{2, "site: compare.jsonl: no record of ", []string{"-o", "site", "compare.jsonl"}},
		{2, "site: none.jsonl: no records", []string{"-o", "site", "none.jsonl"}},
		{2, "site: nowhere.jsonl: no such file", []string{"-o", "site", "nowhere.jsonl"}},
		{2, "is in run.jsonl too; name it once", []string{"-o", "site", "run.jsonl", "./run.jsonl"}},
		{2, "site: run.jsonl: named twice; name it once", []string{"-o", "site", "run.jsonl", "run.jsonl"}},
		{2, "site: -serve 127.0.0.1:99999", []string{"-serve", "127.0.0.1:99999"}},
	} {
		r := p.bench(append([]string{"site"}, of.args...)...)
		if r.status != of.status || !strings.Contains(strings.ReplaceAll(r.stderr, "open nowhere.jsonl", "nowhere.jsonl"), of.says) {
			t.Errorf("%q: status %d, want %d with %q:\n%s", of.args, r.status, of.status, of.says, r.stderr)
		}
	}
	for name, want := range map[string]string{"servers/relay/some/server.json": "want an object", "scripts/internal/judge/prove/trials/1.jsonl": "want trials that scripts/bench prove wrote"} {
		p.write(name, "7\n")
		p.bench("site", "-o", "site").expect(t, 2, "site: ", name+": ", want)
		p.must(os.RemoveAll(filepath.Join(p.root, filepath.Dir(name))))
	}
	if p.text("site/data/manifest.json") != before || p.text("kept/file") != "mine" {
		t.Error("a publish that failed touched what stood there")
	}
	left, err := filepath.Glob(filepath.Join(p.root, ".site-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}

// The records of a comparison make a page with the verdict that replay prints, beside the history and
// own runs. Neither the trend nor the leaderboard has it.
func TestPublishShowsAComparison(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	p.write("out/run.jsonl", strings.Join(comparetest.Lines(t, "internal/judge/record/testdata/mixed.jsonl", func(r *record.Record) {
		r.Run.ID = "compared"
		if v := r.Metrics["server_cpu_us_per_stream"]; v != nil && r.Server.Side == "head" {
			*v *= 1.2
		}
		if r.Round == 2 {
			r.Status, r.Why, r.Conditions.Disturbed = record.Warning, []string{"the host took 9 %"}, []string{"the host took 9 %"}
		}
	}), ""))
	replay := p.bench("replay", "out/run.jsonl")
	replay.expect(t, 1)
	p.bench("site", "-history", "none", "-o", "alone", "out/run.jsonl").expect(t, 0, "0 commits, 1 server, 1 comparison, 0 series")
	p.bench("site", "-o", "site", "out/run.jsonl", "run.jsonl").expect(t, 0, "4 commits, ", "1 comparison")
	verdict, _, _ := strings.Cut(strings.Join(strings.Fields(replay.stdout), " "), " base and head are")
	_, sentence, _ := strings.Cut(verdict, ": ")
	for _, name := range []string{"alone", "site"} {
		all := p.glob(name + "/comparisons/local/*/index.html")
		if len(all) != 1 || len(p.glob(name+"/runs/local/*.jsonl.gz")) == 0 {
			t.Fatalf("%s: comparisons %q, want one, with its records", name, all)
		}
		text, err := os.ReadFile(all[0])
		p.must(err)
		page := strings.NewReplacer("−", "-", "µs", "us", "\u00a0", " ").Replace(html.UnescapeString(string(text)))
		for _, want := range []string{"Regressed", strings.TrimSuffix(sentence, "."), "round 2: the host took 9 %"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in\n%s", name, want, page)
			}
		}
	}
}

// Pages are built when what they are built from changed.
func TestPublishBuildsPages(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	p.write("gh-pages/package.json", "{}")
	testfile.Program(t, filepath.Join(p.root, "bin/node"), "#!/bin/sh\n")
	testfile.Program(t, filepath.Join(p.root, "bin/npm"), `#!/bin/sh
echo "$@" >> ../calls
[ ! -e ../broken ] || { echo "no such thing" >&2; exit 1; }
[ "$1" = ci ] || { mkdir -p dist/deep && cp assets.json dist/ && echo 1 > dist/deep/a.js; }
`)
	run := func() result {
		cmd := p.command("site", "-history", "none", "-o", "site")
		cmd.Env = append(cmd.Env, "PATH="+filepath.Join(p.root, "bin")+":"+os.Getenv("PATH"))
		return p.finish(cmd)
	}
	for _, change := range []struct{ name, calls string }{
		{"", "ci --no-audit --no-fund --prefer-offline\nrun build\n"}, {"", ""}, {"gh-pages/src/a.ts", "ci --no-audit --no-fund --prefer-offline\nrun build\n"}, {"gh-pages/accepted.txt", "ci --no-audit --no-fund --prefer-offline\nrun build\n"}, {"gh-pages/node_modules/a", ""},
	} {
		p.write("calls", "")
		if change.name != "" {
			p.write(change.name, "new")
		}
		run().expect(t, 0, "the site is in")
		if got := p.text("calls"); got != change.calls {
			t.Errorf("after %q npm was called with %q, want %q", change.name, got, change.calls)
		}
	}
	if got := p.text("site/deep/a.js"); got != "1\n" {
		t.Errorf("a built file: %q", got)
	}
	if exists(filepath.Join(p.root, "site", builtFile)) {
		t.Error("the note of how it was built is in the site")
	}
	p.write("broken", "")
	p.write("gh-pages/src/a.ts", "newer")
	run().expect(t, 3, "site: pages: npm ci --no-audit --no-fund --prefer-offline", "no such thing")
	cmd := p.command("site", "-history", "none", "-o", "site")
	cmd.Env = append(cmd.Env, "PATH="+pathWithout(t, "node", "npm"))
	p.finish(cmd).expect(t, 3, "site: pages: node: not found", "https://nodejs.org/en/download")
}

// One command shows a newcomer their own run, until Ctrl-C.
func TestPublishServes(t *testing.T) {
	t.Parallel()
	p := publishedProject(t)
	cmd := p.command("site", "-serve", "127.0.0.1:0", "run.jsonl")
	cmd.Env = append(cmd.Env, "TMPDIR="+p.TempDir())
	stdout, err := cmd.StdoutPipe()
	p.must(err)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	p.must(cmd.Start())
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		cmd.Wait()
		t.Fatalf("no address: %v\n%s", err, stderr.String())
	}
	for path, want := range map[string]string{"": "A shortened run of relay ranks nothing", "data/manifest.json": `"schema":1`} {
		answer, err := http.Get(strings.TrimSpace(url) + path)
		p.must(err)
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s%s: %d, %v, want %q:\n%s", url, path, answer.StatusCode, err, want, body)
		}
	}
	p.must(cmd.Process.Signal(syscall.SIGINT))
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, stderr.String())
	}
	p.leftovers()
	for _, variable := range cmd.Env {
		if dir, ok := strings.CutPrefix(variable, "TMPDIR="); ok {
			if left, _ := os.ReadDir(dir); len(left) > 0 && strings.HasPrefix(left[0].Name(), "fairstream") { // a missing file is fine
				t.Errorf("left %v", left)
			}
		}
	}
}

// glob are the files of a pattern below the project.
func (p testProject) glob(pattern string) []string {
	p.Helper()
	all, err := filepath.Glob(filepath.Join(p.root, pattern))
	p.must(err)
	return all
}
