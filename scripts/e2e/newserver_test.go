package e2e

import (
	"strings"
	"testing"

	"fairstream/scripts/internal/files"
)

// Adding a server is adding a directory; no other file is touched.
func TestOneDirectoryAddsAServer(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	release, err := files.WaitLock(t.Context(), "..", nil) // while nothing is built there
	p.must(err)
	for _, name := range []string{"go-http", "rust-axum"} {
		p.copy("../servers/relay/"+name, "servers/relay/"+name)
	}
	p.must(release())
	before := p.bench("list")
	before.expect(t, 0)

	p.copy("../servers/relay/go-http", "servers/relay/go-fourth")
	after := p.bench("list")
	after.expect(t, 0)
	if strings.Contains(before.stdout, "go-fourth") || !strings.Contains(after.stdout, "go-fourth") {
		t.Errorf("before:\n%s\nafter:\n%s", before.stdout, after.stdout)
	}
	if r := p.bench("list", "-json"); !strings.Contains(r.stdout, `"name":"go-fourth"`) {
		t.Errorf("list -json:\n%s", r.stdout)
	}
	// The user's environment must not reach the servers.
	cmd := p.command("run", "-quick", "-rounds", "1", "-scenario", "baseline", "go-fourth", "rust-axum")
	cmd.Env = append(cmd.Env, "HTTP_PROXY=http://127.0.0.1:9", "http_proxy=http://127.0.0.1:9", "K6_VUS=1", "K6_DURATION=1s", "GOMAXPROCS=1")
	r := p.finish(cmd)
	r.expect(t, 0, "build: go-fourth: done")
	for _, name := range []string{"go-fourth", "rust-axum"} {
		if !strings.Contains(r.stdout, "\n  "+name+" ") {
			t.Errorf("no row for %s:\n%s", name, r.stdout)
		}
	}
}
