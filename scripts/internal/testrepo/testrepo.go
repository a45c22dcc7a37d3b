// Package testrepo runs git in repositories of tests.
package testrepo

import (
	"os/exec"
	"strings"
	"testing"
)

// Git runs git in a directory, with an author and without signatures, and returns what it printed.
func Git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{
		"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false",
	}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Commit commits all files of a repository, and returns the commit.
func Commit(t testing.TB, dir string) string {
	t.Helper()
	Git(t, dir, "add", "-A")
	Git(t, dir, "commit", "-q", "--allow-empty", "-m", "change")
	return Git(t, dir, "rev-parse", "HEAD")
}
