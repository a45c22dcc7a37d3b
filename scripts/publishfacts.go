package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"fairstream/scripts/acks"
	"fairstream/scripts/history"
	"fairstream/scripts/manifest"
	"fairstream/scripts/prove"
	"fairstream/scripts/publish"
	"fairstream/scripts/record"
	"fairstream/scripts/revision"
)

// What main says beside the pages: which server is a renamed one, and what trials
// of prove say. Both may be missing.
const (
	renamedFile = "gh-pages/renamed.json"
	provenFile  = "scripts/prove/trials/tables.json"
)

// noHistory as -history shows local runs alone.
const noHistory = "none"

// repositoryForm is that of an address which may become a link: nobody's name or
// password in it.
var repositoryForm = regexp.MustCompile(`^https://[a-z0-9][a-z0-9.-]*/[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// facts are what the repository, the history and local runs say.
func (p plannedSite) facts(ctx context.Context, root, scratch string, files []string) (f publish.Facts, closeFiles func(), err error) {
	closeFiles = func() {}
	f.IsAncestor = func(string, string) (bool, error) { return false, nil }
	if isClone(root) { // else it has local runs to show, and no commits
		if f.Main, err = mainLog(ctx, root); err != nil {
			return f, closeFiles, err
		}
		f.IsAncestor = func(commit, of string) (bool, error) { return revision.IsAncestor(ctx, root, commit, of) }
	}
	if f.Acks, err = acks.Read(filepath.Join(root, acks.Dir)); err != nil {
		return f, closeFiles, usageError{err}
	}
	if f.Renamed, err = renamed(filepath.Join(root, renamedFile)); err != nil {
		return f, closeFiles, usageError{err}
	}
	if f.Repository = trimmed(serverURL() + "/" + os.Getenv("GITHUB_REPOSITORY")); f.Repository == "" {
		if url, err := history.Origin(ctx, root); err == nil {
			f.Repository = trimmed(url)
		}
	}
	if f.Proven, err = proven(filepath.Join(root, provenFile)); err != nil {
		return f, closeFiles, usageError{err}
	}
	if f.Local, err = localRuns(files); err != nil {
		return f, closeFiles, usageError{err}
	}
	dir, err := p.historyDir(ctx, root, scratch, &f)
	if err != nil || dir == "" {
		return f, closeFiles, err
	}
	// Whatever lies there, no link leads out of it.
	in, err := os.OpenRoot(dir)
	if err != nil {
		return f, closeFiles, err
	}
	f.Files = until{ctx, in.FS()}
	return f, func() { in.Close() }, nil
}

// mainLog is what git says of main's commits: of origin's, which every checkout of a
// workflow has, else of the own one.
func mainLog(ctx context.Context, root string) (all []publish.Commit, err error) {
	for _, ref := range []string{"origin/main", "main", "HEAD"} {
		log, err := revision.Log(ctx, root, ref)
		if err != nil {
			return nil, err
		}
		for _, c := range log {
			all = append(all, publish.Commit{SHA: c.Hash, Time: c.Time, Author: c.Author, Subject: c.Subject})
		}
		if len(all) > 0 {
			break
		}
	}
	return all, nil
}

// historyDir is a directory with the history's files, "" without one; and it says
// which commit that is.
func (p plannedSite) historyDir(ctx context.Context, root, scratch string, f *publish.Facts) (dir string, err error) {
	refs := []string{"origin/" + history.Branch, history.Branch}
	switch info, err := os.Stat(p.history); {
	case p.history == noHistory:
		return "", nil
	case p.history != "" && err == nil && info.IsDir():
		top, err := filepath.EvalSymlinks(p.history)
		if err == nil && isClone(top) { // git would find one that it lies in
			f.History, err = revision.Known(ctx, top, "HEAD")
		}
		return p.history, err
	case p.history == "" && !isClone(root):
		return "", nil
	case p.history != "":
		refs = []string{p.history}
	}
	for _, ref := range refs {
		if f.History, err = revision.Known(ctx, root, ref); err != nil {
			return "", err
		}
		if f.History != "" {
			dir = filepath.Join(scratch, "history")
			if err := os.Mkdir(dir, 0o755); err != nil {
				return "", err
			}
			return dir, revision.Export(ctx, root, f.History, dir, "runs", "details", "flags", "charts")
		}
	}
	if p.history != "" {
		return "", usageError{fmt.Errorf("publish: -history %s: neither a directory nor a revision of this repository; git fetch origin %s gets the published one", p.history, history.Branch)}
	}
	return "", nil
}

// isClone tells whether a directory is the top of a working copy of its own.
func isClone(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// renamed reads which servers had other names: old to new.
func renamed(name string) (names map[string]string, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &names)
	}
	if err != nil {
		return nil, fmt.Errorf("publish: %s: %w; want {\"old name\": \"new name\"}", renamedFile, err)
	}
	for old, new := range names {
		if !manifest.IsName(old) || !manifest.IsName(new) {
			return nil, fmt.Errorf("publish: %s: %q, %q: want names of directories of servers/", renamedFile, old, new)
		}
	}
	return names, nil
}

// proven are the tables of our trials; none when there is no such file.
func proven(name string) (tables []prove.Table, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &tables)
	}
	if err != nil {
		return nil, fmt.Errorf("publish: %s: %w; want tables, as scripts/bench prove -tables -format json writes them", provenFile, err)
	}
	return tables, nil
}

// localRuns are the records in files, with the details that lie beside them.
func localRuns(files []string) (all []publish.Local, err error) {
	seen := map[string]string{}
	for _, name := range files {
		var local publish.Local
		if local.Records, err = readFile(name, record.Read); err != nil {
			return nil, fmt.Errorf("publish: %w; want records, as written by scripts/bench run", err)
		}
		if len(local.Records) == 0 {
			return nil, fmt.Errorf("publish: %s: no records; want those of a run, as written by scripts/bench run", name)
		}
		for _, r := range local.Records {
			if r.Server.Side != "" {
				return nil, fmt.Errorf("publish: %s: records of a pair; scripts/bench compare %s shows them", name, name)
			}
			if of, ok := seen[r.Run.ID]; ok && of != name {
				return nil, fmt.Errorf("publish: %s: run %s is in %s too; name it once", name, r.Run.ID, of)
			}
			seen[r.Run.ID] = name
		}
		local.Details, err = readFile(filepath.Join(filepath.Dir(name), detailsFile), record.ReadDetails)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("publish: %w; want what scripts/bench run wrote beside the records, or no such file", err)
		}
		all = append(all, local)
	}
	return all, nil
}
