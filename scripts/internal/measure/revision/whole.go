package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/process"
)

// A Copy is a commit's files outside of the working copy.
type Copy struct {
	Dir   string
	Tree  string // hash of all files
	Files int
	Bytes int64
	// Empty lists the submodules whose files are not on this machine. Their directories are empty.
	Empty []string
}

// CopyWhole writes all files of a commit into dir, with those of submodules. The build of a server may need files
// outside of its directory. git archive would leave out files that are marked export-ignore. A directory of git's
// own would put the commit's hash into programs, and two equal programs would differ.
func CopyWhole(ctx context.Context, top, commit, dir string) (c Copy, err error) {
	c.Dir = dir
	if c.Tree, err = git(ctx, top, "rev-parse", "--verify", commit+"^{tree}"); err != nil {
		return c, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	if err := c.add(ctx, top, commit, ""); err != nil {
		return c, fmt.Errorf("revision %.10s: %w", commit, err)
	}
	err = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			c.Files, c.Bytes = c.Files+1, c.Bytes+info.Size()
		}
		return err
	})
	return c, err
}

// unwritten is the error of a program that should have written into dir. It is the machine's if the disk is full, which
// git does not say.
func unwritten(dir string, err error) error {
	probe := filepath.Join(dir, ".probe")
	full := os.WriteFile(probe, make([]byte, 1<<20), 0o600)
	os.Remove(probe) // the caller removes dir
	if errors.Is(full, syscall.ENOSPC) || errors.Is(full, syscall.EDQUOT) {
		return process.Unable{Err: fmt.Errorf("%w; free some space, or set TMPDIR to another directory: %w", full, err)}
	}
	return err
}

// add writes the files of a commit into a directory below c.Dir. An index of its own keeps that of the working copy.
func (c *Copy) add(ctx context.Context, top, commit, below string) error {
	dir := filepath.Join(c.Dir, below)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	index, remove, err := files.MkdirTemp("", "fairstream-index-")
	if err != nil {
		return err
	}
	defer remove() // best effort: a temporary directory
	for _, args := range [][]string{{"read-tree", commit}, {"checkout-index", "--all", "--force", "--prefix=" + dir + "/"}} {
		args = append([]string{"git"}, args...)
		if _, err := process.Output(ctx, process.Command{Args: args, Dir: top, Env: []string{"GIT_INDEX_FILE=" + filepath.Join(index, "index")}}); err != nil {
			return unwritten(dir, err)
		}
	}
	modules, err := submodules(ctx, top, commit)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		at := modules[path]
		from, inside := filepath.Join(top, path), filepath.Join(below, path)
		own, _, located := Locate(ctx, from)
		has := ""
		if located == nil && own != top {
			if has, err = Hash(ctx, from, at); err != nil {
				return err
			}
		}
		if has == "" {
			c.Empty = append(c.Empty, inside)
		} else if err := c.add(ctx, from, at, inside); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// submodules returns the commits of a commit's submodules by path.
func submodules(ctx context.Context, top, commit string) (map[string]string, error) {
	out, err := git(ctx, top, "ls-tree", "-r", "-z", "--full-tree", commit)
	all := map[string]string{}
	for _, line := range names(out) {
		kind, path, _ := strings.Cut(line, "\t")
		if fields := strings.Fields(kind); len(fields) == 3 && fields[1] == "commit" {
			all[path] = fields[2]
		}
	}
	return all, err
}

// ErrNoRepository means that a directory belongs to no git repository.
var ErrNoRepository = errors.New("not in a git repository")

// Locate returns the repository's directory around dir, and the path from there to dir: "" for the repository
// itself. Both are without symbolic links. dir must exist.
func Locate(ctx context.Context, dir string) (top, path string, err error) {
	out, err := git(ctx, dir, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil && strings.Contains(err.Error(), "not a git repository") {
		return "", "", ErrNoRepository
	}
	if err != nil {
		return "", "", err
	}
	top, path, _ = strings.Cut(out, "\n")
	return top, strings.TrimSuffix(path, "/"), nil
}

// IsSubmodule reports whether a path of the newest commit is a submodule.
func IsSubmodule(ctx context.Context, top, path string) (bool, error) {
	out, err := git(ctx, top, "ls-tree", "--full-tree", "HEAD", "--", path)
	return strings.HasPrefix(out, "160000 "), err
}

// RenamedFrom returns the path that a file of head had at base, if git finds that it was renamed; else "".
func RenamedFrom(ctx context.Context, top, base, head, path string) (string, error) {
	out, err := git(ctx, top, "diff", "--name-status", "-z", "--find-renames", "--diff-filter=R", "--no-ext-diff", base, head, "--")
	if err != nil {
		return "", fmt.Errorf("revision: %w", err)
	}
	for words := names(out); len(words) >= 3; words = words[3:] { // R100, old, new
		if words[2] == path {
			return words[1], nil
		}
	}
	return "", nil
}

// IsShallow reports whether a clone has only its newest commits.
func IsShallow(ctx context.Context, top string) bool {
	out, err := git(ctx, top, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}
