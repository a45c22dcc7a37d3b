package revision

import (
	"context"
	"fmt"
	"strings"
)

// Hash is the hash of a revision; "" when the repository does not have it.
func Hash(ctx context.Context, root, ref string) (string, error) {
	return object(ctx, root, ref+"^{commit}")
}

// History is a commit and all of its ancestors, newest first: none before what is
// made on top of it.
func History(ctx context.Context, root, commit string) ([]string, error) {
	out, err := git(ctx, root, "rev-list", "--topo-order", commit, "--")
	if err != nil {
		return nil, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	return strings.Fields(out), nil
}

// Steps are the commits after base and up to head that changed what lies below a
// path, oldest first; of what was merged, the merge alone.
func Steps(ctx context.Context, root, base, head, path string) ([]string, error) {
	out, err := git(ctx, root, "rev-list", "--first-parent", "--topo-order", "--reverse", base+".."+head, "--", path)
	if err != nil {
		return nil, fmt.Errorf("revision: %.10s..%.10s: %w", base, head, err)
	}
	return strings.Fields(out), nil
}

// Paths are the files in which two commits differ.
func Paths(ctx context.Context, root, a, b string) (paths []string, err error) {
	out, err := git(ctx, root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", a, b, "--")
	if err != nil {
		return nil, fmt.Errorf("revision: %w", err)
	}
	return names(out), nil
}

// Files are those below a directory of a revision; none when the repository has
// no such revision.
func Files(ctx context.Context, root, ref, dir string) ([]string, error) {
	if commit, err := Hash(ctx, root, ref); commit == "" {
		return nil, err
	}
	out, err := git(ctx, root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", ref, "--", dir+"/")
	return names(out), err
}

// names are what git lists with -z: as they are, where it would else quote some.
func names(out string) []string { return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }) }

// Releases are the commits in the history of a commit that have a tag v…
func Releases(ctx context.Context, root, commit string) ([]string, error) {
	out, err := git(ctx, root, "for-each-ref", "--merged="+commit, "--format=%(*objectname) %(objectname)", "refs/tags/v*")
	if err != nil {
		return nil, fmt.Errorf("revision: tags: %w", err)
	}
	var commits []string
	for line := range strings.Lines(out) { // what an annotated tag points at comes first
		commits = append(commits, strings.Fields(line)[0])
	}
	return commits, nil
}
