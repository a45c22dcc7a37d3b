package branch

import (
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/testrepo"
)

// A tag with the name of origin's branch replaces neither the site's data nor its list of commits.
func TestATagShadowsNoBranch(t *testing.T) {
	root := t.TempDir()
	commit := func(name string) string {
		testfile.Write(t, filepath.Join(root, "runs", name), "")
		return testrepo.Commit(t, root)
	}
	git(t, root, "init", "-q", "-b", "topic")
	real := commit("real")
	forged := commit("forged")
	for _, c := range []struct {
		what   string
		before func()
	}{
		{"branches of origin", func() {
			for _, branch := range []string{"main", "gh-pages"} {
				git(t, root, "update-ref", "refs/remotes/origin/"+branch, real)
				for _, tag := range []string{"origin/" + branch, branch, "refs/remotes/origin/" + branch} {
					git(t, root, "tag", tag, forged)
				}
			}
		}},
		{"local branches", func() {
			for _, branch := range []string{"main", "gh-pages"} {
				git(t, root, "update-ref", "-d", "refs/remotes/origin/"+branch)
				git(t, root, "update-ref", "refs/heads/"+branch, real)
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
