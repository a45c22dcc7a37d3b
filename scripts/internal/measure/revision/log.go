package revision

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/measure/process"
)

// A Commit is a commit as the site shows it.
type Commit struct {
	Hash    string
	Time    int64 // time of the committer in Unix seconds
	Author  string
	Subject string
}

// Log lists a revision and its first parents, oldest first; nothing when the repository does not have it.
func Log(ctx context.Context, root, ref string) (all []Commit, err error) {
	commit, err := Hash(ctx, root, ref)
	if commit == "" {
		return nil, err
	}
	out, err := git(ctx, root, "-c", "i18n.logOutputEncoding=UTF-8", "log", "--first-parent", "--reverse", "--no-show-signature", "--no-color", "--format=%H%x00%ct%x00%an%x00%s", commit, "--")
	if err != nil {
		return nil, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 4 {
			return nil, fmt.Errorf("revision %.10s: git log printed %q", commit, line)
		}
		seconds, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("revision %.10s: git log printed %q", commit, line)
		}
		all = append(all, Commit{fields[0], seconds, fields[2], fields[3]})
	}
	return all, nil
}

// Export writes files and directories of a commit into dir. It skips those that the commit does not have.
func Export(ctx context.Context, root, commit, dir string, paths ...string) error {
	out, err := git(ctx, root, "ls-tree", "-z", "--name-only", "--full-tree", commit)
	if err != nil {
		return fmt.Errorf("revision %.10s: %w", commit, err)
	}
	has := strings.Split(out, "\x00")
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !slices.Contains(has, path) })
	if len(paths) == 0 {
		return nil
	}
	archive := filepath.Join(dir, "export.tar")
	defer os.Remove(archive) // the caller removes dir
	if _, err := git(ctx, root, append([]string{"archive", "--format=tar", "-o", archive, commit, "--"}, paths...)...); err != nil {
		return fmt.Errorf("revision %.10s: %w", commit, err)
	}
	_, err = process.Output(ctx, process.Command{Args: []string{"tar", "-xf", archive, "-C", dir}})
	return err
}
