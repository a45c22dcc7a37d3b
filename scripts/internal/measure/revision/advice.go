package revision

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// completeClone says how to get the commits that a shallow clone lacks.
const completeClone = "this clone has only its newest commits; complete it with `git fetch --unshallow`, or give actions/checkout `fetch-depth: 0`"

// mostBranches limits the branches that an error names.
const mostBranches = 8

// unknown is the error of a revision that a repository does not have. It names what the reader may have meant.
func unknown(ctx context.Context, top, ref string) error {
	err := fmt.Errorf("revision %q: not in this repository, %s", ref, top)
	branches, listed := git(ctx, top, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")
	have := slices.DeleteFunc(strings.Fields(branches), func(b string) bool {
		return strings.HasSuffix(b, "/HEAD") || !strings.Contains(b, "/") && b == "origin"
	})
	switch {
	case listed == nil && slices.Contains(have, "origin/"+ref):
		return fmt.Errorf("%w; origin has a branch of that name: use origin/%s", err, ref)
	case IsShallow(ctx, top):
		return fmt.Errorf("%w; %s", err, completeClone)
	case listed == nil && len(have) > 0:
		more := ""
		if len(have) > mostBranches {
			more = fmt.Sprintf(" and %d more", len(have)-mostBranches)
		}
		return fmt.Errorf("%w; want a commit, branch or tag; its branches are %s%s", err, strings.Join(have[:min(len(have), mostBranches)], ", "), more)
	}
	return fmt.Errorf("%w; want a commit, branch or tag that git rev-parse finds", err)
}
