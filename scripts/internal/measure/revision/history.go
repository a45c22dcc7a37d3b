package revision

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fairstream/scripts/internal/measure/process"
)

// OfOrigin names a branch of origin in full. git would take a tag "origin/main" before the branch origin/main,
// and a checkout with all branches fetches tags too.
func OfOrigin(branch string) string { return "refs/remotes/origin/" + branch }

// Local names a local branch in full, likewise.
func Local(branch string) string { return "refs/heads/" + branch }

// Hash returns the hash of a revision; "" when the repository does not have it.
func Hash(ctx context.Context, root, ref string) (string, error) {
	if strings.HasPrefix(ref, "refs/") { // else git would take refs/tags/refs/... in its place
		if _, err := git(ctx, root, "show-ref", "--verify", "--quiet", ref); process.Exited(err, 1) {
			return "", nil
		}
	}
	return object(ctx, root, ref+"^{commit}")
}

// Time is the time of a commit's committer.
func Time(ctx context.Context, root, commit string) (time.Time, error) {
	out, err := git(ctx, root, "show", "--no-patch", "--no-show-signature", "--format=%cI", commit, "--")
	if err != nil {
		return time.Time{}, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	return time.Parse(time.RFC3339, out)
}

// History lists a commit and all its ancestors, newest first.
func History(ctx context.Context, root, commit string) ([]string, error) {
	out, err := git(ctx, root, "rev-list", "--topo-order", commit, "--")
	if err != nil {
		return nil, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	return strings.Fields(out), nil
}

// Steps lists the commits after base and up to head that changed files below a path, oldest first. A merged
// branch counts as its merge commit.
func Steps(ctx context.Context, root, base, head, path string) ([]string, error) {
	out, err := git(ctx, root, "rev-list", "--first-parent", "--topo-order", "--reverse", base+".."+head, "--", path)
	if err != nil {
		return nil, fmt.Errorf("revision: %.10s..%.10s: %w", base, head, err)
	}
	return strings.Fields(out), nil
}

// Paths lists the files in which two commits differ.
func Paths(ctx context.Context, root, a, b string) (paths []string, err error) {
	out, err := git(ctx, root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", a, b, "--")
	if err != nil {
		return nil, fmt.Errorf("revision: %w", err)
	}
	return names(out), nil
}

// Files lists the files below a directory of a revision; none when the repository does not have the revision.
func Files(ctx context.Context, root, ref, dir string) ([]string, error) {
	if commit, err := Hash(ctx, root, ref); commit == "" {
		return nil, err
	}
	out, err := git(ctx, root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", ref, "--", dir+"/")
	return names(out), err
}

// names splits a list of git's option -z. Without it git would quote some names.
func names(out string) []string { return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }) }
