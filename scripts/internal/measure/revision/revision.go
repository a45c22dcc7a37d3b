// Package revision finds the commit of a server's code, and extracts the code of other commits from git. It
// does not change the working copy. In .git it adds at most a missing commit.
package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// A Source is the origin of code, as hashes of git. Null is unknown: there is no git, or files differ from
// the commit.
type Source struct{ Commit, Tree *string }

// SourceOf returns the source of a directory of a working copy.
func SourceOf(ctx context.Context, dir string) Source {
	if Uncommitted(ctx, dir) {
		return Source{}
	}
	commit, err1 := git(ctx, dir, "rev-parse", "HEAD")
	tree, err2 := git(ctx, filepath.Dir(dir), "rev-parse", "HEAD:./"+filepath.Base(dir))
	if errors.Join(err1, err2) != nil {
		return Source{}
	}
	return Source{&commit, &tree}
}

// Uncommitted reports whether a directory has changes that no commit has, or is in no repository.
func Uncommitted(ctx context.Context, dir string) bool {
	status, err := git(ctx, dir, "status", "--porcelain", "--", ".")
	return err != nil || status != ""
}

// Checkout returns a working copy's commit and whether files differ from it; nil without git or repository.
func Checkout(ctx context.Context, root string) (commit *string, dirty *bool) {
	head, err1 := git(ctx, root, "rev-parse", "HEAD")
	status, err2 := git(ctx, root, "status", "--porcelain")
	if errors.Join(err1, err2) != nil {
		return nil, nil
	}
	changed := status != ""
	return &head, &changed
}

// Resolve returns the full hash of a revision. It fetches an unknown full hash from origin.
func Resolve(ctx context.Context, root, ref string) (string, error) {
	if strings.HasPrefix(ref, "-") || ref == "" {
		return "", fmt.Errorf("revision %q: want a commit, branch or tag", ref)
	}
	if commit, err := Hash(ctx, root, ref); err != nil || commit != "" {
		return commit, err
	}
	if !record.IsCommit(ref) {
		return "", unknown(ctx, root, ref)
	}
	if _, err := git(ctx, root, "fetch", "--quiet", "--no-tags", "origin", ref); err != nil {
		advice := ""
		if IsShallow(ctx, root) {
			advice = "\n" + completeClone
		}
		return "", fmt.Errorf("revision %s: not in this repository, %s, and fetching it from origin failed: %w%s", ref, root, err, advice)
	}
	return git(ctx, root, "rev-parse", "--verify", ref+"^{commit}")
}

// IsAncestor reports whether commit is in the history of head. An unknown commit is not.
func IsAncestor(ctx context.Context, root, commit, head string) (bool, error) {
	for _, of := range []string{commit, head} {
		if known, err := Hash(ctx, root, of); known == "" {
			return false, err
		}
	}
	base, err := git(ctx, root, "merge-base", commit, head)
	if process.Exited(err, 1) { // there is no common ancestor
		return false, nil
	}
	return base == commit, err
}

// A Server is a server's code at a revision, in its own directory.
type Server struct {
	server.Server
	Source
}

// Extract writes a server's directory at a commit into dir and loads it. A commit without the server, or with
// a broken manifest, is an error.
func Extract(ctx context.Context, root, commit string, of workload.Server, dir string) (Server, error) {
	path, name := of.Dir(), of.Name
	tree, err := object(ctx, root, commit+":"+path)
	if err != nil {
		return Server{}, fmt.Errorf("%s: %w", name, err)
	}
	if tree == "" {
		return Server{}, fmt.Errorf("%s: not in revision %.10s", name, commit)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Server{}, err
	}
	archive := filepath.Join(dir, name+".tar")
	defer os.Remove(archive) // the caller removes dir
	if _, err := git(ctx, root, "archive", "--format=tar", "-o", archive, commit, path); err != nil {
		return Server{}, fmt.Errorf("%s: revision %.10s: %w", name, commit, unwritten(dir, err))
	}
	if _, err := process.Output(ctx, process.Command{Args: []string{"tar", "-xf", archive, "-C", dir}}); err != nil {
		return Server{}, fmt.Errorf("%s: revision %.10s: %w", name, commit, unwritten(dir, err))
	}
	s, err := server.LoadIn(filepath.Join(dir, "servers"), of.Workload, of.Name)
	if err != nil {
		return Server{}, err
	}
	return Server{s, Source{&commit, &tree}}, nil
}

// Servers lists the servers at a commit, by workload and name.
func Servers(ctx context.Context, root, commit string) (all []workload.Server, err error) {
	out, err := git(ctx, root, "ls-tree", "-r", "--name-only", "--full-tree", commit+":servers")
	if err != nil {
		return nil, fmt.Errorf("revision %.10s: servers/: %w", commit, err)
	}
	for path := range strings.Lines(out) {
		of, inside, found := strings.Cut(strings.TrimSpace(path), "/")
		name, file, _ := strings.Cut(inside, "/")
		if s := (workload.Server{Workload: of, Name: name}); found && file == server.File && s.Check() == nil {
			all = append(all, s)
		}
	}
	return all, nil
}

// HasServer reports whether a commit has the server.
func HasServer(ctx context.Context, root, commit string, s workload.Server) (bool, error) {
	if s.Check() != nil {
		return false, nil
	}
	file, err := object(ctx, root, commit+":"+s.Dir()+"/"+server.File)
	return file != "", err
}

// IsReference reports whether a server at a commit is a reference. A broken manifest is reported where it is loaded.
func IsReference(ctx context.Context, root, commit string, s workload.Server) (bool, error) {
	if s.Check() != nil {
		return false, nil
	}
	text, err := File(ctx, root, commit, s.Dir()+"/"+server.File)
	if err != nil || text == nil {
		return false, err
	}
	found, err := server.Parse(text, s.Dir())
	return err == nil && found.Reference, nil
}

// File returns a file at a revision; nil when the repository does not have the revision or the file.
func File(ctx context.Context, root, ref, path string) ([]byte, error) {
	if strings.HasPrefix(ref, "-") || ref == "" {
		return nil, fmt.Errorf("revision %q: want a commit, branch or tag", ref)
	}
	if commit, err := Hash(ctx, root, ref); commit == "" {
		return nil, err
	}
	if found, err := git(ctx, root, "ls-tree", "--name-only", "--full-tree", ref, "--", path); err != nil || found == "" {
		return nil, err
	}
	text, err := git(ctx, root, "cat-file", "blob", ref+":"+path)
	return []byte(text), err
}

// LastChange is the time of the last commit in a revision's history that changed files below a path. It is
// zero without such a commit.
func LastChange(ctx context.Context, root, ref, path string) (when time.Time, err error) {
	if strings.HasPrefix(ref, "-") || ref == "" {
		return when, fmt.Errorf("revision %q: want a commit, branch or tag", ref)
	}
	if commit, err := Hash(ctx, root, ref); commit == "" {
		return when, err
	}
	out, err := git(ctx, root, "log", "-1", "--no-show-signature", "--format=%cI", ref, "--", path)
	if err != nil || out == "" {
		return when, err
	}
	return time.Parse(time.RFC3339, out)
}

// Changed lists the differences between the merge base of two commits and the second: the servers, and
// whether the rig or the tool changed.
type Changed struct {
	Servers []workload.Server // servers that exist in head, without references, which have no comparison
	Rig     bool              // k6/, stub/ or scripts/
}

// Since lists what head changed since it left base. It also returns the commit where it left.
func Since(ctx context.Context, root, base, head string) (from string, c Changed, err error) {
	if from, err = MergeBase(ctx, root, base, head); err != nil {
		return "", c, err
	}
	paths, err := Paths(ctx, root, from, head)
	if err != nil {
		return "", c, err
	}
	seen := map[workload.Server]bool{}
	for _, path := range paths {
		top, rest, _ := strings.Cut(path, "/")
		of, rest, _ := strings.Cut(rest, "/")
		name, _, inside := strings.Cut(rest, "/")
		s := workload.Server{Workload: of, Name: name}
		switch {
		case top == "k6" || top == "stub" || top == "scripts":
			c.Rig = true
		case top == "servers" && inside && !seen[s]:
			seen[s] = true
			there, errThere := HasServer(ctx, root, head, s)
			reference, errReference := IsReference(ctx, root, head, s)
			if err := errors.Join(errThere, errReference); err != nil {
				return "", Changed{}, err
			}
			if there && !reference {
				c.Servers = append(c.Servers, s)
			}
		}
	}
	return from, c, nil
}

// MergeBase returns the newest commit in the history of both base and head.
func MergeBase(ctx context.Context, root, base, head string) (string, error) {
	from, err := git(ctx, root, "merge-base", base, head)
	switch {
	case err == nil:
		return from, nil
	case process.Exited(err, 1) && IsShallow(ctx, root):
		return "", fmt.Errorf("revision: %.10s and %.10s have no common commit here; %s", base, head, completeClone)
	case process.Exited(err, 1):
		return "", fmt.Errorf("revision: %.10s and %.10s have no common commit; want two revisions of one history", base, head)
	}
	return "", fmt.Errorf("revision: %w", err)
}

// object returns the hash of a name; "" when there is none. A failing git is an error, since then nobody
// looked.
func object(ctx context.Context, dir, name string) (string, error) {
	hash, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
	if process.Exited(err, 1) { // git exits with 128 for a broken repository and for a missing one
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("revision %s: %w", strings.TrimSuffix(name, "^{commit}"), err)
	}
	return hash, nil
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := process.Output(ctx, process.Command{Args: append([]string{"git"}, args...), Dir: dir})
	return strings.TrimSpace(out), err
}
