package revision

import (
	"context"
	"fmt"
	"strings"
)

// A Clone is a directory in a git repository that GitHub's checkout made.
type Clone string

// MergeBase returns the newest commit in the history of both a branch, tag or commit, and a commit. A branch is that of
// origin, since a checkout has no local ones.
func (c Clone) MergeBase(ctx context.Context, base, head string) (string, error) {
	found, err := Hash(ctx, string(c), OfOrigin(base))
	if err == nil && found == "" {
		found, err = Resolve(ctx, string(c), base)
	}
	if err != nil {
		return "", err
	}
	if head, err = Resolve(ctx, string(c), head); err != nil {
		return "", err
	}
	return MergeBase(ctx, string(c), found, head)
}

// File returns a file of a commit; nil without the file.
func (c Clone) File(ctx context.Context, commit, path string) ([]byte, error) {
	text, err := File(ctx, string(c), commit, path)
	if err != nil {
		return nil, fmt.Errorf("revision %.10s: %s: %w", commit, path, err)
	}
	return text, nil
}

// Files lists the files of a commit by their paths.
func (c Clone) Files(ctx context.Context, commit string) ([]string, error) {
	out, err := git(ctx, string(c), "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	return names(out), err
}

// Changed lists the files that differ between the merge base of base and head, and head.
func (c Clone) Changed(ctx context.Context, base, head string) (paths []string, known bool, err error) {
	if base, err = c.MergeBase(ctx, base, head); err != nil {
		return nil, false, err
	}
	paths, err = Paths(ctx, string(c), base, head)
	return paths, true, err
}

// TagOf is the tag of a commit that is a version, such as v1.2.0; "" without any.
func TagOf(ctx context.Context, root, commit string) string {
	out, err := git(ctx, root, "describe", "--tags", "--exact-match", "--match", "v[0-9]*", commit)
	if err != nil {
		return "" // nearly all commits have none
	}
	return out
}

// Ignored reports whether git ignores a path in a directory.
func Ignored(ctx context.Context, dir, path string) bool {
	_, err := git(ctx, dir, "check-ignore", "--quiet", "--no-index", "--", path+"/x")
	return err == nil
}

// DefaultBranch is the default branch of origin, as the clone knows it; without it, the branch that is checked out.
func DefaultBranch(ctx context.Context, top string) string {
	if out, err := git(ctx, top, "symbolic-ref", "--short", "refs/remotes/origin/HEAD"); err == nil {
		return strings.TrimPrefix(out, "origin/")
	}
	out, err := git(ctx, top, "symbolic-ref", "--short", "HEAD")
	if err != nil {
		return "main" // a detached head
	}
	return out
}
