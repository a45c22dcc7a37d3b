package e2e

import (
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// Two releases of a package are compared in a server of the checkout. The second time they are not measured again.
func TestReleasesOfAPackageAreCompared(t *testing.T) {
	t.Parallel()
	const dir = "servers/http/clock"
	p := newProject(t)
	p.write("servers/http/README.md", "")
	p.write(dir+"/package.json", `{"private": true, "dependencies": {"ms": "2.1.3"}}`)
	p.write(dir+"/package-lock.json", `{"lockfileVersion": 3, "requires": true, "packages": {"": {"dependencies": {"ms": "2.1.3"}}, "node_modules/ms": {"version": "2.1.3"}}}`)
	p.write(dir+"/server.js", `const ms = require('ms');
require('http').createServer((_, answer) => answer.end(ms(60000))).listen(process.env.PORT, '127.0.0.1');
`)
	p.write(dir+"/server.json", `{"workload": "http", "language": "node", "framework": "none", "build": ["npm", "ci", "--no-audit", "--no-fund"], "run": ["node", "server.js"],
		"versions": {"ms": ["node", "-p", "require('ms/package.json').version"]}, "requests": [{"path": "/", "answer": {"text": "1m"}}]}`)
	p.write(".gitignore", "node_modules/\n")
	p.git("init", "-q", "-b", "main")
	p.commit()

	if r := p.bench("releases", "ms", "http/clock"); r.status != 0 || !strings.Contains(r.stdout, "\n2.1.3 ") {
		t.Errorf("exit status %d, %s\n%s", r.status, r.stdout, r.stderr)
	}
	for _, args := range [][]string{
		{"releases", "-from", "2.1.3", "express", "http/clock"},
		{"compare", "-base", "express@4.0.0", "-head", "express@5.0.0", "http/clock"},
	} {
		if r := p.bench(args...); r.status != 2 || !strings.Contains(r.stderr, "does not use the package express") {
			t.Errorf("%q: exit status %d, %s", args, r.status, r.stderr)
		}
	}
	if r := p.bench("compare", "-base", "ms@2.1.2", "-head", "ms@2.1.99", "http/clock"); r.status == 0 || !strings.Contains(r.stderr, "head: ms@2.1.99: ") {
		t.Errorf("a version that does not exist: exit status %d, %s", r.status, r.stderr)
	}

	if r := p.bench("releases", "-from", "2.1.2", "-to", "2.1.3", "-rounds", "1", "ms", "http/clock"); r.status != 2 || !strings.Contains(r.stderr, "-rounds 1: want 2 or more") {
		t.Errorf("one round: exit status %d, %s", r.status, r.stderr)
	}
	if r := p.bench("compare", "-bisect", "-base", "ms@2.1.2", "-head", "ms@2.1.3", "http/clock"); r.status != 2 || !strings.Contains(r.stderr, "scripts/bench releases -from 2.1.2 -to 2.1.3 ms") {
		t.Errorf("commits between releases: exit status %d, %s", r.status, r.stderr)
	}
	search := []string{"releases", "-from", "2.1.2", "-to", "2.1.3", "-quick", "-rounds", "2", "-o", "out", "ms", "http/clock"}
	first := p.bench(search...)
	if first.status > 1 { // 1: two short rounds are too few for a verdict
		first.expect(t, 0)
	}
	if !strings.HasPrefix(first.stdout, "ms 2.1.2 to 2.1.3: ") {
		t.Errorf("it says %s", first.stdout)
	}
	records := testfile.Read(p, p.glob("out/2.1.2-2.1.3/" + recordsFile)[0], record.Read)
	of := func(side string) string {
		i := slices.IndexFunc(records, func(r record.Record) bool { return r.Server.Side == side })
		return records[i].Server.Versions["ms"]
	}
	if of("base") != "2.1.2" || of("head") != "2.1.3" {
		t.Errorf("base uses %s, and head %s", of("base"), of("head"))
	}
	if again := p.bench(search...); again.stdout != first.stdout || strings.Contains(again.stderr, "build:") {
		t.Errorf("the second time: %s\n%s\nwant as before: %s", again.stdout, again.stderr, first.stdout)
	}
	if p.text(dir+"/package.json") != `{"private": true, "dependencies": {"ms": "2.1.3"}}` {
		t.Error("the checkout was changed")
	}
}
