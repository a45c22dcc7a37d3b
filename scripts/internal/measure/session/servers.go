package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/files"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/load"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// Servers finds the project and its servers. Names select some of them, in the order of the tree. NAME and
// WORKLOAD/NAME are in the tree, and WORKLOAD means all of its servers. Another name with a slash is a
// directory anywhere with a server.json. Without names the servers are those of the first workload.
func Servers(names []string) (root string, servers []server.Server, err error) {
	if root, err = build.Root(); err != nil {
		return "", nil, err
	}
	var own []string
	var others []server.Server
	for _, name := range names {
		if !IsDirectory(name) {
			own = append(own, name)
			continue
		}
		dir, err := filepath.Abs(name)
		if err != nil {
			return "", nil, err
		}
		s, err := server.Load(dir)
		if err != nil {
			return "", nil, cli.UsageError{Err: err}
		}
		others = append(others, s)
	}
	all, err := server.All(filepath.Join(root, "servers"))
	if err == nil && (len(own) > 0 || len(others) == 0) {
		servers, err = server.Select(all, own)
	}
	if err != nil {
		return "", nil, cli.UsageError{Err: err}
	}
	servers = append(servers, others...)
	for i, s := range servers {
		if slices.ContainsFunc(servers[:i], func(t server.Server) bool { return t.ID() == s.ID() }) {
			return "", nil, cli.Usagef("%s: two servers of that name; rename one of the directories", s.ID())
		}
	}
	return root, servers, nil
}

// Buildable finds servers as Servers does. It leaves out those in C++ whose compiler is missing, and references that are
// missing, unless they are named themselves: the others are enough for the main job.
func Buildable(ctx context.Context, names []string) (root string, servers []server.Server, err error) {
	if root, servers, err = Servers(names); err != nil {
		return "", nil, err
	}
	return root, buildable(ctx, names, servers), nil
}

func buildable(ctx context.Context, names []string, servers []server.Server) []server.Server {
	return slices.DeleteFunc(servers, func(s server.Server) bool {
		ofWorkload := len(names) == 0 || slices.Contains(names, s.Workload)
		named := slices.ContainsFunc(names, func(name string) bool {
			id, err := workload.Parse(name)
			return err == nil && id == s.ID()
		})
		if s.Language != "c++" && !s.Reference || named || !ofWorkload {
			return false
		}
		missing := build.Toolchains(ctx, []server.Server{s})
		if missing != nil {
			fmt.Fprintf(os.Stderr, "%s is left out: %v\n", s.ID(), missing)
		}
		return missing != nil
	})
}

// IDs names servers.
func IDs(servers []server.Server) (ids []workload.Server) {
	for _, s := range servers {
		ids = append(ids, s.ID())
	}
	return ids
}

// Targets makes targets of servers in the working copy.
func Targets(ctx context.Context, servers []server.Server) []load.Target {
	var all []load.Target
	for _, s := range servers {
		all = append(all, load.Target{Server: s, Source: revision.SourceOf(ctx, s.Dir)})
	}
	return all
}

// Named parses the servers of a command line, each once. Each must exist in at least one of revisions. The name
// of a workload means all of its servers there.
func Named(ctx context.Context, root string, names []string, revisions ...string) (servers []workload.Server, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	var there []workload.Server
	var known, short []string
	for _, commit := range revisions {
		short = append(short, fmt.Sprintf("%.10s", commit))
		some, err := revision.Servers(ctx, root, commit)
		if err != nil {
			return nil, err
		}
		for _, s := range some {
			if !slices.Contains(there, s) {
				there, known = append(there, s), append(known, s.String())
			}
		}
	}
	for _, name := range names {
		if workload.IsName(name) {
			for _, s := range there {
				if s.Workload == name && !slices.Contains(servers, s) {
					servers = append(servers, s)
				}
			}
			continue
		}
		s, err := workload.Parse(name)
		if err != nil {
			return nil, cli.Usagef("server %q: want the name of a directory of servers/%s/, or WORKLOAD/NAME, since revisions are those of this project; "+
				"scripts/bench run OLD NEW loads two directories side by side", name, workload.Names()[0])
		}
		if !slices.Contains(known, s.String()) {
			return nil, cli.Usagef("server %q: not in revision %s; known there are %s%s", name, strings.Join(short, " or "), strings.Join(known, ", "), directoryHere(name))
		}
		if slices.Contains(servers, s) {
			return nil, cli.Usagef("%s: named twice; name each server once", s)
		}
		servers = append(servers, s)
	}
	return servers, nil
}

// directoryHere explains how to name a directory that is called like a server; "" when there is none.
func directoryHere(name string) string {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return ""
	}
	return fmt.Sprintf("; to name the directory here, write ./%s", name)
}

// A Side is a revision and its name in the records: base, head, or "" without a comparison.
type Side struct{ Name, Ref string }

// String is such as "base, 0123456789".
func (s Side) String() string {
	if s.Name == "" {
		return fmt.Sprintf("%.10s", s.Ref)
	}
	return fmt.Sprintf("%s, %.10s", s.Name, s.Ref)
}

// Checkout extracts every server of every side from git into a temporary directory. k6, the stub and the
// harness come from this checkout. A missing or broken server becomes a target with Broken. release removes
// the directory.
func Checkout(ctx context.Context, root string, servers []workload.Server, sides []Side) (targets []load.Target, release func() error, err error) {
	code, remove, err := files.MkdirTemp("", "fairstream-code-")
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			_ = remove() // best effort: a temporary directory
		}
	}()
	for _, id := range servers {
		for _, s := range sides {
			t := load.Target{Server: server.Server{Workload: id.Workload, Name: id.Name}, Side: s.Name, Source: revision.Source{Commit: &s.Ref}}
			found, err := revision.Extract(ctx, root, s.Ref, id, filepath.Join(code, s.Name))
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if machine, ok := errors.AsType[process.Unable](err); ok {
				return nil, nil, fmt.Errorf("%s: %w", id, machine)
			}
			if err == nil {
				t.Server, t.Source = found.Server, found.Source
			}
			t.Broken = err
			targets = append(targets, t)
		}
	}
	return targets, remove, nil
}
