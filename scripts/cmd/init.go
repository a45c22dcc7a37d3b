package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/branch"
	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/session"
	"fairstream/scripts/internal/workload"
)

// Init writes the first server.json of a server, and the workflows that compare it.
func Init(flags *flag.FlagSet) cli.Action {
	of := flags.String("workload", "", "`name` of the workload: "+strings.Join(workload.Names(), ", ")+"; without it, init looks at the sources and the URLs, and says why")
	publish := flags.Bool("publish", false, "also write a workflow that keeps the history on the branch gh-pages, with a site")
	return func(ctx context.Context, args []string) error {
		if err := workload.Check(*of); *of != "" && err != nil {
			return cli.Usagef("-workload: %w", err)
		}
		if len(args) == 0 || len(args) > 1 && *of != "" && !workload.Named(*of).Declares {
			return cli.Usagef("init: want one directory, that of the server, such as: scripts/bench init ../shop/server")
		}
		dir, err := filepath.Abs(args[0])
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if info, statErr := os.Stat(args[0]); err != nil || statErr != nil || !info.IsDir() {
			return cli.Usagef("init: %s: no such directory; name the directory of the server, the one with its go.mod, Cargo.toml, package.json or requirements.txt", args[0])
		}
		top, below, located := revision.Locate(ctx, dir)
		if located != nil && located != revision.ErrNoRepository {
			return located
		}
		if located != nil {
			top = dir
		}
		draft, err := server.Recognise(dir, top)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		var unquoted []string
		if draft.Requests, unquoted, err = server.Ask(ctx, args[1:]); err != nil {
			return cli.Usagef("init: %w", err)
		}
		fmt.Fprintf(cli.Stdout, "found     %s, %s\n", draft.Language, draft.Framework)
		content, err := os.ReadFile(server.Manifest(dir))
		switch {
		case err == nil: // it stays, and says itself what it is
			draft.Unsure = nil
			var there struct {
				Workload string `json:"workload"`
			}
			if err := json.Unmarshal(content, &there); err == nil { // also of a file that is not complete
				*of = there.Workload
			}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		case *of == "":
			var why string
			if *of, why, err = draft.Choose(dir); err != nil {
				return err
			}
			fmt.Fprintf(cli.Stdout, "workload  %s, %s\n", *of, why)
			content = draft.JSON(*of)
		default:
			content = draft.JSON(*of)
		}
		if _, err := server.Parse(content, dir); err != nil { // such as the requests that only a person knows
			draft.Unsure = append(draft.Unsure, fmt.Sprintf("complete server.json: %v (servers/%s/README.md has an example)", err, cmp.Or(*of, workload.HTTP)))
		}
		if len(draft.Requests) > 0 {
			draft.Unsure = append(draft.Unsure, "read the requests in server.json: keep what a right answer always has, and give each the weight that your users give it")
			draft.Unsure = append(draft.Unsure, unquoted...)
		}
		kept, err := written(server.Manifest(dir), draft.JSON(*of))
		if err != nil {
			return err
		}
		if kept && len(draft.Requests) > 0 {
			fmt.Fprintf(cli.Stdout, "requests to copy into it:\n    %s\n", strings.Join(draft.Requests, ",\n    "))
		}
		if located != nil {
			fmt.Fprintf(cli.Stdout, "no workflow: %s is not in a git repository; run git init, then init again\n", dir)
			todo(draft, args[0], *of, nil)
			return nil
		}
		caller, notes, err := callerOf(ctx, below)
		if err != nil {
			return err
		}
		if *publish {
			caller.Branch = revision.DefaultBranch(ctx, top)
			notes = append(notes, fmt.Sprintf("check that %q is the default branch in fairstream-publish.yml", caller.Branch),
				"in the repository's settings on GitHub, choose Pages, Source: GitHub Actions")
		}
		for _, name := range draft.Built() {
			if !revision.Ignored(ctx, dir, strings.Trim(name, "/")) {
				notes = append(notes, fmt.Sprintf("add %s to .gitignore in %s, since the build makes it", name, args[0]))
			}
		}
		files, err := caller.Workflows()
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			there, err := os.ReadFile(filepath.Join(top, name))
			if err == nil && !names(there, caller.Server) {
				next := "add %q to its servers"
				if strings.HasSuffix(name, "-publish.yml") {
					next = "it takes one server, so copy its job under another name, with %q"
				}
				notes = append(notes, fmt.Sprintf("%s does not name this server: "+next, name, caller.Server))
			}
			if _, err := written(filepath.Join(top, name), files[name]); err != nil {
				return err
			}
		}
		if !raised(top) {
			notes = append(notes, `nothing updates fairstream in the workflows; Dependabot does, with the ecosystem "github-actions" in .github/dependabot.yml`)
		}
		todo(draft, args[0], *of, notes)
		return nil
	}
}

// names reports whether a workflow compares a server, or all.
func names(workflow []byte, dir string) bool {
	for line := range strings.Lines(string(workflow)) {
		key, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		list, _, _ = strings.Cut(list, " #")
		list = strings.Trim(list, `"`)
		if ok && (key == "server" || key == "servers") && (list == plan.Auto || slices.Contains(strings.FieldsFunc(list, func(r rune) bool { return r == ',' }), dir)) {
			return true
		}
	}
	return false
}

// written writes a new file, and says so. A file that is there stays.
func written(name string, content []byte) (kept bool, err error) {
	err = server.Write(name, content)
	if errors.Is(err, server.ErrThere) {
		fmt.Fprintf(cli.Stdout, "kept      %s, which was there\n", name)
		return true, nil
	}
	if err != nil {
		return false, cli.Usagef("init: %w", err)
	}
	fmt.Fprintf(cli.Stdout, "wrote     %s\n", name)
	return false, nil
}

// unknownUses stands for this project on GitHub where its checkout does not say where that is.
const unknownUses = "OWNER/fairstream"

// callerOf says how workflows call this checkout. notes are what somebody has to change in them.
func callerOf(ctx context.Context, below string) (c server.Caller, notes []string, err error) {
	root, err := build.Root()
	if err != nil {
		return c, nil, err
	}
	c.Server = filepath.ToSlash(below)
	if c.Server == "" {
		c.Server = "."
	}
	commit, dirty := revision.Checkout(ctx, root)
	if commit == nil {
		return c, nil, cli.Usagef("init: %s: not a clone, so the workflow cannot name its commit; clone the project with git, and start scripts/bench there", root)
	}
	if c.Commit = *commit; *dirty {
		notes = append(notes, fmt.Sprintf("%s has uncommitted changes, and the workflow uses its commit %.10s without them", root, c.Commit))
	}
	c.Note = "commit of fairstream; Dependabot raises it"
	if tag := revision.TagOf(ctx, root, c.Commit); tag != "" {
		c.Note = tag
	}
	c.Uses = unknownUses
	if origin, err := branch.Origin(ctx, root); err == nil {
		if name := gitHubName(origin); name != "" {
			c.Uses = name
		}
	}
	if c.Uses == unknownUses {
		notes = append(notes, fmt.Sprintf("%s has no origin on GitHub: replace %s in the workflows with the repository that has commit %.10s", root, unknownUses, c.Commit))
	}
	return c, notes, nil
}

// raised reports whether a robot raises the actions of a repository.
func raised(top string) bool {
	for name, says := range map[string]string{".github/dependabot.yml": "github-actions", ".github/dependabot.yaml": "github-actions", "renovate.json": "", ".github/renovate.json": ""} {
		if text, err := os.ReadFile(filepath.Join(top, name)); err == nil && strings.Contains(string(text), says) {
			return true
		}
	}
	return false
}

// gitHubName is OWNER/NAME of a remote on GitHub; "" for any other.
func gitHubName(remote string) string {
	for _, before := range []string{"https://github.com/", "git@github.com:", "ssh://git@github.com/"} {
		if name, ok := strings.CutPrefix(remote, before); ok && strings.Count(name, "/") == 1 {
			return strings.TrimSuffix(name, ".git")
		}
	}
	return ""
}

// pathOf names a directory so that no command takes it for a server of the project.
func pathOf(dir string) string {
	if session.IsDirectory(dir) {
		return dir
	}
	return "./" + dir
}

// todo prints what is left to do.
func todo(draft server.Draft, dir, of string, notes []string) {
	steps := append(draft.Unsure, notes...)
	steps = append(steps,
		fmt.Sprintf("check the server against its contract (servers/%s/README.md): scripts/bench verify %s", of, pathOf(dir)),
		"commit the files; the pull request that adds them is not compared yet, and each later one is")
	fmt.Fprintln(cli.Stdout, "\nleft to do, or to check:")
	for i, step := range steps {
		fmt.Fprintf(cli.Stdout, "%d. %s\n", i+1, step)
	}
}
