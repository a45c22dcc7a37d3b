package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// An Elsewhere is a git repository of other people, with some servers in it. k6, the stub and the tool stay those of
// this checkout.
type Elsewhere struct {
	Top   string                     // its directory
	Head  string                     // the revision that Paths are of
	Paths map[workload.Server]string // directory of each server below Top; "" is Top itself
}

// IsDirectory reports whether a name on the command line is a directory, and not a server of the tree.
func IsDirectory(name string) bool {
	_, err := workload.Parse(name)
	return err != nil && (strings.Contains(name, "/") || name == "." || name == "..")
}

// Checkout copies the whole repository at each side, and finds each server in it. A missing or broken server becomes
// a target with Broken. release removes the copies.
func (e Elsewhere) Checkout(ctx context.Context, servers []workload.Server, sides []Side) (targets []load.Target, release func() error, err error) {
	code, remove, err := files.MkdirTemp("", "fairstream-code-")
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = remove() // best effort: a temporary directory
		}
	}()
	for _, side := range sides {
		start := time.Now()
		whole, err := revision.CopyWhole(ctx, e.Top, side.Ref, filepath.Join(code, side.Name, filepath.Base(e.Top)))
		if err != nil {
			return nil, nil, err
		}
		fmt.Fprintf(os.Stderr, "copied %s at %s: %d files, %.1f MB, %.1f s\n", e.Top, side, whole.Files, float64(whole.Bytes)/1e6, time.Since(start).Seconds())
		for _, path := range whole.Empty {
			fmt.Fprintf(os.Stderr, "%s: the submodule %s is empty, because its commit is not on this machine; if the build needs it: git submodule update --init --recursive\n", side, path)
		}
		for _, id := range servers {
			t := load.Target{Server: server.Server{Workload: id.Workload, Name: id.Name}, Side: side.Name, Source: revision.Source{Commit: &side.Ref, Tree: &whole.Tree}}
			found, err := e.load(ctx, id, side, whole)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err == nil {
				t.Server = found
			}
			t.Broken = err
			targets = append(targets, t)
		}
	}
	return targets, remove, nil
}

// load reads a server in a copy. It has the name that it has at head, whatever its directory was called.
func (e Elsewhere) load(ctx context.Context, id workload.Server, side Side, whole revision.Copy) (server.Server, error) {
	path, err := e.At(ctx, id, side.Ref)
	if err == nil && path == nil {
		err = fmt.Errorf("%s: revision %.10s has no %s", id.Name, side.Ref, filepath.Join(e.Paths[id], server.File))
	}
	if err != nil {
		return server.Server{}, err
	}
	s, err := server.Load(filepath.Join(whole.Dir, *path))
	if err != nil {
		return s, err
	}
	if s.Workload != id.Workload {
		return s, fmt.Errorf("%s: its workload is %q at %.10s and %q at %.10s; only servers of one workload can be compared", id.Name, s.Workload, side.Ref, id.Workload, e.Head)
	}
	s.Name, s.Whole = id.Name, whole.Dir
	return s, nil
}

// At is the directory of a server at a revision, also if it was renamed since; nil without the server.
func (e Elsewhere) At(ctx context.Context, id workload.Server, ref string) (*string, error) {
	path := e.Paths[id]
	file := filepath.Join(path, server.File)
	if text, err := revision.File(ctx, e.Top, ref, file); err != nil || text != nil {
		return &path, err
	}
	old, err := revision.RenamedFrom(ctx, e.Top, ref, e.Head, file)
	if err != nil || filepath.Base(old) != server.File {
		return nil, err
	}
	path = strings.TrimSuffix(filepath.Dir(old), ".")
	return &path, nil
}

// Find finds the repository of directories, and their servers at head. All must be in one repository. The server of one directory may
// get another name; "" keeps that of the directory.
func Find(ctx context.Context, names []string, top, head, called string) (e Elsewhere, err error) {
	if called != "" && len(names) != 1 {
		return e, cli.Usagef("-name %s: want one directory of a server", called)
	}
	e = Elsewhere{Top: top, Head: head, Paths: map[workload.Server]string{}}
	for _, name := range names {
		_, path, err := locate(ctx, name)
		if err != nil {
			return e, err
		}
		text, err := revision.File(ctx, top, head, filepath.Join(path, server.File))
		if err != nil {
			return e, err
		}
		if text == nil {
			return e, e.missing(ctx, name, path)
		}
		s, err := server.Parse(text, filepath.Join(top, path))
		if err != nil {
			return e, cli.Usagef("at revision %.10s: %w", head, err)
		}
		if called != "" {
			s.Name = called
			if err := s.ID().Check(); err != nil {
				return e, cli.Usagef("-name: %w", err)
			}
		}
		if other, twice := e.Paths[s.ID()]; twice {
			return e, cli.Usagef("%s: %q and %q are two servers of that name; compare one at a time", s.ID(), other, path)
		}
		e.Paths[s.ID()] = path
	}
	return e, nil
}

// missing says why head has no server in a directory.
func (e Elsewhere) missing(ctx context.Context, name, path string) error {
	file := filepath.Join(path, server.File)
	if others := e.known(ctx); len(others) > 0 && !exists(filepath.Join(e.Top, file)) {
		return cli.Usagef("%s: revision %.10s has no %s; its servers are in %s; name one of these directories", name, e.Head, file, strings.Join(others, ", "))
	}
	module, err := path != "", error(nil)
	if module {
		module, err = revision.IsSubmodule(ctx, e.Top, path)
	}
	switch {
	case err != nil:
		return err
	case module:
		return cli.Usagef("%s: a submodule of %s that is not checked out; get its files with `git -C %[2]s submodule update --init %s`", name, e.Top, path)
	case exists(filepath.Join(e.Top, file)):
		return cli.Usagef("%s: revision %.10s has no %s; the file is here, but it is not committed there; commit it, or name a later revision with -head", name, e.Head, file)
	}
	return cli.Usagef("%s: revision %.10s has no %s; a server is a directory with a %s; `scripts/bench init %s` writes one, then commit it", name, e.Head, file, server.File, name)
}

// known lists the directories of servers at head; nil without any.
func (e Elsewhere) known(ctx context.Context) (dirs []string) {
	files, err := revision.Clone(e.Top).Files(ctx, e.Head)
	if err != nil {
		return nil // it only explains another error
	}
	for _, file := range files {
		if filepath.Base(file) == server.File {
			dirs = append(dirs, filepath.Join(e.Top, filepath.Dir(file)))
		}
	}
	return dirs
}

// Repository returns the directory of the repository that directories are in.
func Repository(ctx context.Context, names []string) (top string, err error) {
	for i, name := range names {
		of, _, err := locate(ctx, name)
		if err != nil {
			return "", err
		}
		if i > 0 && of != top {
			return "", cli.Usagef("%s is in the repository %s, and %s is in %s; revisions are of one repository, so compare one at a time", names[0], top, name, of)
		}
		top = of
	}
	return top, nil
}

// locate returns the repository of a directory and the path in it.
func locate(ctx context.Context, name string) (top, path string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", "", cli.Usagef("%s: no such directory; name the directory of a server, the one with its %s", name, server.File)
	}
	if !info.IsDir() {
		return "", "", cli.Usagef("%s: not a directory; name the directory of the server: %s", name, filepath.Dir(name))
	}
	top, path, err = revision.Locate(ctx, name)
	if err == revision.ErrNoRepository {
		return "", "", cli.Usagef("%s: not in a git repository, so it has no revisions; `scripts/bench run OLD NEW` loads two directories side by side", name)
	}
	return top, path, err
}

// rawDir is the directory of raw files, in the directory where the tool runs.
const rawDir = "raw"

// IgnoreRaw makes the directory of raw files, which git ignores. The .gitignore of another repository does not know it.
func IgnoreRaw() error {
	if err := os.Mkdir(rawDir, 0o755); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return cli.Usagef("comparison: %w; name a directory that can be written with -o", err)
	}
	return os.WriteFile(filepath.Join(rawDir, ".gitignore"), []byte("*\n"), 0o644)
}
