package branch

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/testfile"
)

// A tag with the name of origin's branch replaces neither the site's data nor its list of commits.
func TestATagShadowsNoBranch(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"}, args...)...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := func(name string) string {
		testfile.Write(t, filepath.Join(root, "runs", name), "")
		git("add", "-A")
		git("commit", "-q", "-m", name)
		return git("rev-parse", "HEAD")
	}
	git("init", "-q", "-b", "topic")
	real := commit("real")
	forged := commit("forged")
	for _, c := range []struct {
		what   string
		before func()
	}{
		{"branches of origin", func() {
			for _, branch := range []string{"main", "gh-pages"} {
				git("update-ref", "refs/remotes/origin/"+branch, real)
				for _, tag := range []string{"origin/" + branch, branch, "refs/remotes/origin/" + branch} {
					git("tag", tag, forged)
				}
			}
		}},
		{"local branches", func() {
			for _, branch := range []string{"main", "gh-pages"} {
				git("update-ref", "-d", "refs/remotes/origin/"+branch)
				git("update-ref", "refs/heads/"+branch, real)
			}
		}},
	} {
		c.before()
		log, err := mainLog(t.Context(), root, mainRefs)
		if err != nil || len(log) != 1 || log[0].Hash != real {
			t.Errorf("%s: commits %+v, %v; want %s alone", c.what, log, err, real)
		}
		var f site.Facts
		if _, err := (SiteOptions{}).historyDir(t.Context(), root, t.TempDir(), &f); err != nil || f.History != real {
			t.Errorf("%s: history %s, %v; want %s", c.what, f.History, err, real)
		}
	}
}
