package branch

import (
	"strings"
	"testing"
)

// Between the plan of a run and its publication, or between our fetch and our push,
// somebody deletes the branch or puts something else in its place. The run goes onto
// what is there, and what was taken away is not brought back.
func TestABranchThatIsReplacedOrDeleted(t *testing.T) {
	const unrelated = `tree=$(git mktree </dev/null); commit=$(echo other | git -c user.name=o -c user.email=o@o.example commit-tree $tree); git update-ref refs/heads/` + Branch + ` $commit`
	const deleted = "git update-ref -d refs/heads/" + Branch
	for _, c := range []struct {
		name, script string
		inPush       bool
		log          string
	}{
		{"replaced before", unrelated, false, "run 3\nother"},
		{"deleted before", deleted, false, "run 3"},
		{"replaced while we push", unrelated, true, "run 3\nother"},
		{"deleted while we push", deleted, true, "run 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := bare(t)
			publish(t, r, runOf(1))
			publish(t, r, runOf(2))
			if hook(t, r, "[ -e raced ] && exit 0; touch raced; unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"+c.script); !c.inPush {
				git(t, r.URL, "-c", "alias.x=!unset GIT_DIR; "+c.script+"; touch raced", "x")
			}
			tried, err := r.Publish(t.Context(), runOf(3), func(line string) { t.Log(line) })
			if want := map[bool]int{false: 1, true: 2}[c.inPush]; err != nil || tried != want {
				t.Errorf("%d tries, %v; want %d", tried, err, want)
			}
			if got := git(t, r.URL, "log", "--format=%s", Branch); got != c.log {
				t.Errorf("log:\n%s\nwant\n%s", got, c.log)
			}
			if got := strings.Fields(git(t, r.URL, "ls-tree", "-r", "--name-only", Branch, "runs")); len(got) != 1 || got[0] != runOf(3).Path {
				t.Errorf("runs: %q, want run 3 alone", got)
			}
			if n := len(chart(t, r).Entries[Bigger]); n != 1 {
				t.Errorf("%d points, want 1", n)
			}
		})
	}
}
