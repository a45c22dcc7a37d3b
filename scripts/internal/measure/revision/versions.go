package revision

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fairstream/scripts/internal/workload"
)

// Versions number the versions of servers along a commit's first parents. A version is the number
// of commits so far that changed the server's directory.
type Versions struct {
	position map[string]int            // of a commit, from the oldest
	changes  map[workload.Server][]int // positions, ascending
}

// VersionsOf reads them from git.
func VersionsOf(ctx context.Context, root, commit string) (Versions, error) {
	v := Versions{map[string]int{}, map[workload.Server][]int{}}
	out, err := git(ctx, root, "rev-list", "--first-parent", "--reverse", commit, "--")
	if err != nil {
		return v, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	for i, hash := range strings.Fields(out) {
		v.position[hash] = i
	}
	out, err = git(ctx, root, "-c", "log.showRoot=true", "log", "--first-parent", "--diff-merges=first-parent", "--reverse", "--no-show-signature", "--no-color",
		"--no-renames", "--no-ext-diff", "--name-only", "--format=commit %H", commit, "--", "servers")
	if err != nil {
		return v, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	at := 0
	for line := range strings.Lines(out) {
		line = strings.Trim(line, "\"\n") // git quotes unusual names
		if hash, begins := strings.CutPrefix(line, "commit "); begins {
			at = v.position[hash]
			continue
		}
		if parts := strings.SplitN(line, "/", 4); len(parts) == 4 {
			s := workload.Server{Workload: parts[1], Name: parts[2]}
			if known := v.changes[s]; len(known) == 0 || known[len(known)-1] != at {
				v.changes[s] = append(known, at)
			}
		}
	}
	return v, nil
}

// Of is the version of a server at a commit; ok is false for a commit that is not among the first
// parents.
func (v Versions) Of(commit string, s workload.Server) (version int, ok bool) {
	at, ok := v.position[commit]
	version, _ = slices.BinarySearch(v.changes[s], at+1)
	return version, ok
}
