package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/ci/history"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/show/site"
)

// trialsDir has the trials of prove, a file for each machine or stretch of work.
const trialsDir = "scripts/internal/judge/prove/trials"

// noHistory as -history shows local runs alone.
const noHistory = "none"

// repositoryForm is that of an address which may become a link: nobody's name or
// password in it.
var repositoryForm = regexp.MustCompile(`^https://[a-z0-9][a-z0-9.-]*/[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// facts are what the repository, the history and local runs say.
func (p Options) facts(ctx context.Context, root, scratch string, files []string) (f site.Facts, closeFiles func(), err error) {
	closeFiles = func() {}
	f.IsAncestor = func(string, string) (bool, error) { return false, nil }
	if isClone(root) { // else it has local runs to show, and no commits
		if f.Main, err = mainLog(ctx, root); err != nil {
			return f, closeFiles, err
		}
		f.IsAncestor = func(commit, of string) (bool, error) { return revision.IsAncestor(ctx, root, commit, of) }
	}
	f.Acceptances, f.Unread = accept.Read(filepath.Join(root, accept.Dir))
	if f.Renamed, err = renamed(root); err != nil {
		return f, closeFiles, cli.UsageError{Err: fmt.Errorf("publish: %w", err)}
	}
	if f.Repository = trimmed(github.ServerURL() + "/" + os.Getenv("GITHUB_REPOSITORY")); f.Repository == "" {
		if url, err := history.Origin(ctx, root); err == nil {
			f.Repository = trimmed(url)
		}
	}
	if f.Proven, err = proven(root); err != nil {
		return f, closeFiles, cli.UsageError{Err: fmt.Errorf("publish: %w", err)}
	}
	if f.Local, err = localRuns(files); err != nil {
		return f, closeFiles, cli.UsageError{Err: err}
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
	return f, func() { in.Close() }, nil // it was only read
}

// mainLog is what git says of main's commits: of origin's, which every checkout of a
// workflow has, else of the own one.
func mainLog(ctx context.Context, root string) (all []site.Commit, err error) {
	var log []revision.Commit
	for _, ref := range []string{"origin/main", "main", "HEAD"} {
		if log, err = revision.Log(ctx, root, ref); err != nil || len(log) > 0 {
			break
		}
	}
	for _, c := range log {
		all = append(all, site.Commit(c))
	}
	return all, err
}

// historyDir is a directory with the history's files, "" without one; and it says
// which commit that is.
func (p Options) historyDir(ctx context.Context, root, scratch string, f *site.Facts) (dir string, err error) {
	refs := []string{"origin/" + history.Branch, history.Branch}
	switch info, err := os.Stat(p.History); {
	case p.History == noHistory:
		return "", nil
	case p.History != "" && err == nil && info.IsDir() && hasRuns(p.History):
		top, err := filepath.EvalSymlinks(p.History)
		if err == nil && isClone(top) { // git would find one that it lies in
			f.History, err = revision.Hash(ctx, top, "HEAD")
		}
		return p.History, err
	case p.History == "" && !isClone(root):
		return "", nil
	case p.History != "":
		refs = []string{p.History}
	}
	for _, ref := range refs {
		if f.History, err = revision.Hash(ctx, root, ref); err != nil {
			return "", err
		}
		if f.History != "" {
			dir = filepath.Join(scratch, "history")
			if err := os.Mkdir(dir, 0o755); err != nil {
				return "", err
			}
			return dir, revision.Export(ctx, root, f.History, dir, "runs", "details", "events", "charts")
		}
	}
	if p.History != "" {
		return "", cli.Usagef("publish: -history %s: neither a directory with runs/ nor a revision of this repository; git fetch origin %s gets the published one", p.History, history.Branch)
	}
	return "", nil
}

// isClone tells whether a directory is the top of a working copy of its own.
func isClone(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// hasRuns tells a directory with a history from others: gh-pages is one of the project,
// and the branch.
func hasRuns(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "runs"))
	return err == nil && info.IsDir()
}

// renamed says which servers had other names: old to new.
func renamed(root string) (map[string]string, error) {
	servers, err := manifest.All(filepath.Join(root, "servers"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := map[string]string{}
	for _, s := range servers {
		for _, was := range s.Was {
			names[was] = s.Name
		}
	}
	return names, err
}

// proven are the tables of our trials, none without trials.
func proven(root string) ([]prove.Table, error) {
	names, err := filepath.Glob(filepath.Join(root, trialsDir, "*.jsonl"))
	var trials []prove.Trial
	for _, name := range names {
		some, err := cli.ReadFile(name, prove.ReadTrials)
		if err != nil {
			return nil, fmt.Errorf("%w; want trials that scripts/bench prove wrote", err)
		}
		trials = append(trials, some...)
	}
	if len(trials) == 0 {
		return nil, err
	}
	return prove.Tables(trials, prove.Seed), nil
}

// localRuns are the records in files, with the details that lie beside them.
func localRuns(files []string) (all []site.Local, err error) {
	seen := map[string]string{}
	for i, name := range files {
		if slices.Contains(files[:i], name) {
			return nil, fmt.Errorf("publish: %s: named twice; name it once", name)
		}
		var local site.Local
		if local.Records, err = cli.ReadFile(name, record.Read); err != nil {
			return nil, fmt.Errorf("publish: %w; want records, as written by scripts/bench run", err)
		}
		if len(local.Records) == 0 {
			return nil, fmt.Errorf("publish: %s: no records; want those of a run, as written by scripts/bench run", name)
		}
		if err := record.CheckUnique(record.File{Name: name, Records: local.Records}); err != nil {
			return nil, fmt.Errorf("publish: %w", err)
		}
		for _, r := range local.Records {
			if r.Server.Side != "" {
				return nil, fmt.Errorf("publish: %s: records of a comparison; scripts/bench replay %s shows them", name, name)
			}
			if of, ok := seen[r.Run.ID]; ok && of != name {
				return nil, fmt.Errorf("publish: %s: run %s is in %s too; name it once", name, r.Run.ID, of)
			}
			seen[r.Run.ID] = name
		}
		drawn, err := cli.ReadFile(filepath.Join(filepath.Dir(name), session.DetailsFile), details.Read)
		if err == nil {
			local.Details = &drawn
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("publish: %w; want what scripts/bench run wrote beside the records, or no such file", err)
		}
		all = append(all, local)
	}
	return all, nil
}
