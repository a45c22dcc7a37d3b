package branch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"fairstream/scripts/internal/ci/github"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/compare"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/measure/verify/contracts"
	"fairstream/scripts/internal/show/answer"
	"fairstream/scripts/internal/show/report"
	"fairstream/scripts/internal/show/site"
	"fairstream/scripts/internal/workload"
)

// trialsDir holds trials, a file for each machine or period. The branch has more of them, in branchTrials.
const trialsDir, branchTrials = "scripts/internal/judge/prove/trials", "trials/*/*/*.jsonl"

// noHistory, as a value of -history, shows local runs only.
const noHistory = "none"

// repositoryForm matches addresses that may become a link. It excludes names and passwords.
var repositoryForm = regexp.MustCompile(`^https://[a-z0-9][a-z0-9.-]*/[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// facts gathers the repository, the history and the local runs.
func (p SiteOptions) facts(ctx context.Context, root, scratch string, files []string) (f site.Facts, closeFiles func(), err error) {
	closeFiles = func() {}
	if f.Local, err = localRuns(files); err != nil { // first, since people write these names
		return f, closeFiles, cli.UsageError{Err: err}
	}
	code, refs := root, mainRefs
	if p.Clone != "" { // its default branch has any name
		code, refs = p.Clone, []string{"HEAD"}
	}
	f.IsAncestor = func(string, string) (bool, error) { return false, nil }
	if isClone(code) { // without a history it has local runs, and no commits
		if f.Main, err = mainLog(ctx, code, refs); err != nil {
			return f, closeFiles, err
		}
		f.IsAncestor = func(commit, of string) (bool, error) { return revision.IsAncestor(ctx, code, commit, of) }
	} else if p.Clone != "" {
		return f, closeFiles, cli.Usagef("site: -clone %s: not the top of a git working copy", p.Clone)
	}
	f.Acceptances, f.Unread = accept.Read(filepath.Join(code, accept.Dir))
	if p.Clone == "" { // another repository may have a servers/ of any kind
		if f.Renamed, err = renamed(root); err != nil {
			return f, closeFiles, cli.UsageError{Err: fmt.Errorf("site: %w", err)}
		}
	}
	if f.Repository = trimmed(github.ServerURL() + "/" + os.Getenv("GITHUB_REPOSITORY")); f.Repository == "" {
		if url, err := Origin(ctx, code); err == nil {
			f.Repository = trimmed(url)
		}
	}
	f.Checks = map[string]int{}
	for _, name := range workload.Names() {
		f.Checks[name] = len(contracts.Of(name))
	}
	if f.Words, err = cli.ReadFile(filepath.Join(root, "scripts/GLOSSARY.md"), site.ReadGlossary); err != nil {
		return f, closeFiles, cli.UsageError{Err: fmt.Errorf("site: %w", err)}
	}
	steps, err := cli.ReadFile(filepath.Join(root, "servers/releases.jsonl"), verdict.ReadSteps)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, closeFiles, cli.UsageError{Err: fmt.Errorf("site: %w", err)}
	}
	_, f.Releases = report.Known(steps)
	dir, err := p.historyDir(ctx, code, scratch, &f)
	if err != nil {
		return f, closeFiles, err
	}
	trials, err := trialsIn(os.DirFS(filepath.Join(root, trialsDir)), "*.jsonl")
	if err != nil {
		return f, closeFiles, cli.UsageError{Err: fmt.Errorf("site: %s/%w", trialsDir, err)}
	}
	if f.Proven = proven(trials); dir == "" {
		return f, closeFiles, nil
	}
	// os.Root lets no link lead out of the directory.
	in, err := os.OpenRoot(dir)
	if err != nil {
		return f, closeFiles, err
	}
	f.Files = until{ctx, in.FS()}
	closeFiles = func() { in.Close() } // read only
	more, err := trialsIn(in.FS(), branchTrials)
	if err != nil {
		return f, closeFiles, cli.UsageError{Err: fmt.Errorf("site: %w", err)}
	}
	f.Proven = proven(append(trials, more...))
	if hasRuns(dir) {
		text, err := in.ReadFile(record.EditionPath)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return f, closeFiles, err
		}
		if err := record.CheckEdition(cmp.Or(p.History, Branch), text); err != nil {
			return f, closeFiles, cli.Usagef("site: %w; -history none leaves it out", err)
		}
	}
	return f, closeFiles, nil
}

// mainRefs are those of main: origin's, which every workflow checkout has, or else the local one.
var mainRefs = []string{revision.OfOrigin("main"), revision.Local("main"), "HEAD"}

// mainLog reads the commits of the first of refs that there is.
func mainLog(ctx context.Context, root string, refs []string) (all []site.Commit, err error) {
	var log []revision.Commit
	for _, ref := range refs {
		if log, err = revision.Log(ctx, root, ref); err != nil || len(log) > 0 {
			break
		}
	}
	for _, c := range log {
		all = append(all, site.Commit(c))
	}
	return all, err
}

// historyDir returns a directory with the history's files and its commit; "" without a history.
func (p SiteOptions) historyDir(ctx context.Context, root, scratch string, f *site.Facts) (dir string, err error) {
	refs := []string{revision.OfOrigin(Branch), revision.Local(Branch)}
	switch info, err := os.Stat(p.History); {
	case p.History == noHistory:
		return "", nil
	case p.History != "" && err == nil && info.IsDir() && hasRuns(p.History):
		top, err := filepath.EvalSymlinks(p.History)
		if err == nil && isClone(top) { // git would use a repository around the directory
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
			return dir, revision.Export(ctx, root, f.History, dir, record.EditionPath, "runs", "details", "events", "charts", "trials")
		}
	}
	if p.History != "" {
		return "", cli.Usagef("site: -history %s: neither a directory with runs/ nor a revision of this repository; git fetch origin %s gets the published one", p.History, Branch)
	}
	return "", nil
}

// isClone reports whether a directory is the top of a working copy.
func isClone(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// hasRuns reports whether a directory holds a history. Both the project and the branch have a gh-pages.
func hasRuns(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, "runs"))
	return err == nil && info.IsDir()
}

// renamed maps old names of servers to new ones.
func renamed(root string) (map[string]map[string]string, error) {
	servers, err := server.All(filepath.Join(root, "servers"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := map[string]map[string]string{}
	for _, s := range servers {
		for _, was := range s.Was {
			if names[s.Workload] == nil {
				names[s.Workload] = map[string]string{}
			}
			names[s.Workload][was] = s.Name
		}
	}
	return names, err
}

// trialsIn reads the trials in files of a pattern.
func trialsIn(in fs.FS, pattern string) (trials []prove.Trial, err error) {
	names, err := fs.Glob(in, pattern)
	for _, name := range names {
		f, err := in.Open(name)
		if err != nil {
			return nil, err
		}
		some, err := prove.ReadTrials(f)
		f.Close() // read only
		if err != nil {
			return nil, fmt.Errorf("%s: %w; want trials that scripts/bench prove wrote", name, err)
		}
		trials = append(trials, some...)
	}
	return trials, err
}

// proven gives the error rates that trials show; nil without trials.
func proven(trials []prove.Trial) func(workloads []string) []prove.Table {
	if len(trials) == 0 {
		return nil
	}
	return func(workloads []string) []prove.Table { return prove.ShortTables(trials, workloads) }
}

// localRuns reads records from files, and the details beside them.
func localRuns(files []string) (all []site.Local, err error) {
	seen := map[string]string{}
	for i, name := range files {
		if slices.Contains(files[:i], name) {
			return nil, fmt.Errorf("site: %s: named twice; name it once", name)
		}
		var local site.Local
		if local.Records, err = cli.ReadFile(name, record.Read); err != nil {
			return nil, fmt.Errorf("site: %w; want records, as written by scripts/bench run or compare", err)
		}
		if len(local.Records) == 0 {
			return nil, fmt.Errorf("site: %s: no records; want those of a run or a comparison, as written by scripts/bench run or compare", name)
		}
		if err := record.CheckUnique(record.File{Name: name, Records: local.Records}); err != nil {
			return nil, fmt.Errorf("site: %w", err)
		}
		if slices.ContainsFunc(local.Records, func(r record.Record) bool { return r.Server.Side != "" }) {
			var warnings []string
			if local.Answers, warnings, err = compare.Replay([]string{name}); err != nil {
				return nil, fmt.Errorf("site: %w", err)
			}
			for _, warning := range warnings {
				fmt.Fprintln(os.Stderr, "site:", answer.Plain(warning))
			}
		}
		for _, r := range local.Records {
			if of, ok := seen[r.Run.ID]; ok && of != name {
				return nil, fmt.Errorf("site: %s: run %s is in %s too; name it once", name, r.Run.ID, of)
			}
			seen[r.Run.ID] = name
		}
		drawn, err := cli.ReadFile(filepath.Join(filepath.Dir(name), session.DetailsFile), record.ReadDetails)
		if err == nil {
			local.Details = &drawn
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("site: %w; want what scripts/bench run wrote beside the records, or no such file", err)
		}
		all = append(all, local)
	}
	return all, nil
}
