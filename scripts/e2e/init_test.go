package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What init writes passes the contract if the server does, and a second init changes nothing.
func TestInitMakesAServerThatPasses(t *testing.T) {
	t.Parallel()
	r, p := theirs(t)
	p.write(".gitignore", "/raw/\n/tmp/\n")
	p.git("init", "-q")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "rig")
	p.git("remote", "add", "origin", "https://github.com/acme/fairstream.git")
	commit := p.git("rev-parse", "HEAD")
	r.write("apps/README", "")
	names := []string{"go-http", "bun-http"}
	if isLong {
		names = append(names, "go-fiber", "go-gin", "bun-hono", "rust-actix", "rust-axum", "rust-http")
	}
	for i, name := range names {
		dir := filepath.Join(r.root, "apps", name)
		r.copy("../servers/relay/"+name, "apps/"+name)
		r.must(os.Remove(filepath.Join(dir, "server.json")))
		for _, built := range []string{"bin", "target", "node_modules"} {
			r.must(os.RemoveAll(filepath.Join(dir, built)))
		}
		out := p.in(r.root, "init", "apps/"+name)
		out.expect(t, 0)
		verb := "wrote"
		if i > 0 {
			verb = "kept "
		}
		for _, want := range []string{"wrote     " + dir + "/server.json\n", verb + "     " + r.root + "/.github/workflows/fairstream.yml", verb + "     " + r.root + "/.github/workflows/fairstream-forks.yml", "scripts/bench verify apps/" + name, " to .gitignore"} {
			if !strings.Contains(out.stdout, want) {
				t.Errorf("%s: init does not print %q:\n%s", name, want, out.stdout)
			}
		}
		p.in(r.root, "verify", "./apps/"+name).expect(t, 0)
	}
	workflow := r.text(".github/workflows/fairstream.yml")
	if !strings.Contains(workflow, "uses: acme/fairstream/.github/workflows/compare.yml@"+commit+" # ") || !strings.Contains(workflow, "servers: \"apps/go-http\" # auto finds all\n") {
		t.Errorf("fairstream.yml:\n%s", workflow)
	}
	r.git("add", "-A", "apps/go-http/server.json", ".github")
	const unraised = "nothing updates fairstream in the workflows"
	if out := p.in(r.root, "init", "apps/go-http"); !strings.Contains(out.stdout, unraised) {
		t.Errorf("init does not print %q:\n%s", unraised, out.stdout)
	}
	r.write(".github/dependabot.yml", "version: 2\nupdates: [{package-ecosystem: github-actions, directory: /, schedule: {interval: weekly}}]\n")
	r.git("add", ".github")
	again := p.in(r.root, "init", "apps/go-http")
	again.expect(t, 0)
	if strings.Contains(again.stdout, unraised) {
		t.Errorf("Dependabot raises it:\n%s", again.stdout)
	}
	if changed := r.git("diff", "--name-only"); changed != "" || strings.Contains(again.stdout, "wrote") {
		t.Errorf("a second init changed %q:\n%s", changed, again.stdout)
	}
	if !strings.Contains(again.stdout, "kept      "+r.root+"/apps/go-http/server.json, which was there") {
		t.Errorf("again:\n%s", again.stdout)
	}
	r.write("apps/go-http/server.json", `{"workload": "http", "language": "go"}`)
	if out := p.in(r.root, "init", "apps/go-http"); !strings.Contains(out.stdout, "(servers/http/README.md): scripts/bench verify") {
		t.Errorf("an incomplete server.json:\n%s", out.stdout)
	}
	p.in(r.root, "init", "apps").expect(t, 2, "no server that init knows: it looks for go.mod")
	p.in(r.root, "init", "nowhere").expect(t, 2, "nowhere: no such directory; name the directory of the server")
	p.in(r.root, "init").expect(t, 2, "want one directory, that of the server, such as: scripts/bench init ../shop/server")
	p.in(r.root, "init", "-workload", "relay", "apps/go-http", "http://127.0.0.1:1/").expect(t, 2, "want one directory")
	p.in(r.root, "init", "-workload", "http", "apps/go-http", "http://127.0.0.1:1/").expect(t, 2, "http://127.0.0.1:1/", "start the server, and check the port and the path")
	p.in(r.root, "init", "-workload", "relais", "apps/go-http").expect(t, 2, `workload "relais": unknown; known are relay`)
}
