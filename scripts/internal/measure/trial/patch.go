package trial

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// A file of a patch begins with these lines, in this order. What `git diff` prints follows.
var patchHead = []string{"Injects: ", "Found in: ", "Intended: "}

// costHead begins a line that may follow: what the patch takes, by BenchmarkInjectedCost.
const costHead = "Costs: "

// functionHead begins another: what names the function that does it, for the samples of perf.
const functionHead = "Function: "

// patchSuffix ends the name of such a file.
const patchSuffix = ".patch"

// changed is a line of a diff that names a file of a server.
var changed = regexp.MustCompile(`(?m)^(?:---|\+\+\+) [ab]/servers/([a-z0-9-]+/[a-z0-9-]+)/\S+$`)

// named is any line of a diff that names a file.
var named = regexp.MustCompile(`(?m)^(?:--- |\+\+\+ )`)

// ReadPatches reads the patches in a directory, by name.
func ReadPatches(dir string) (patches []prove.Patch, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+patchSuffix))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no file *%s; want the directory of patches, such as internal/measure/trial/patches in scripts", dir, patchSuffix)
	}
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		p, parseErr := parsePatch(strings.TrimSuffix(filepath.Base(file), patchSuffix), string(text))
		if one := errors.Join(readErr, parseErr); one != nil {
			return nil, fmt.Errorf("%s: %w", file, one)
		}
		patches = append(patches, p)
	}
	return patches, err
}

func parsePatch(name, text string) (prove.Patch, error) {
	lines := strings.SplitN(text, "\n", len(patchHead)+3)
	for i, want := range patchHead {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			return prove.Patch{}, fmt.Errorf("line %d: want %q and a text", i+1, want)
		}
		lines[i] = strings.TrimPrefix(lines[i], want)
	}
	pct, err := strconv.ParseFloat(strings.TrimSuffix(lines[2], " %"), 64)
	if err != nil {
		return prove.Patch{}, fmt.Errorf("line 3: %q: want a change in per cent, such as \"+8 %%\"", lines[2])
	}
	files, servers := changed.FindAllStringSubmatch(text, -1), []string{}
	for _, m := range files {
		servers = append(servers, m[1])
	}
	if servers = slices.Compact(servers); len(servers) != 1 || len(files) != len(named.FindAllString(text, -1)) {
		return prove.Patch{}, fmt.Errorf("it changes files of %q; want files of one server only, as `git diff` prints them, below servers/", servers)
	}
	p := prove.Patch{Name: name, Server: servers[0], What: lines[0], Cell: lines[1], Pct: pct}
	for _, line := range lines[len(patchHead):] {
		if costs, has := strings.CutPrefix(line, costHead); has {
			p.Costs = costs
		}
		if function, has := strings.CutPrefix(line, functionHead); has {
			p.Function = function
		}
	}
	return p, p.Check()
}

// ApplyPatch changes a server's sources as a file says. The server may be a copy anywhere.
func ApplyPatch(ctx context.Context, s server.Server, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return err
	}
	below := strings.Count("a/"+s.ID().Dir()+"/", "/") // a patch has paths from the project's top, and Dir has the files
	_, err = process.Output(ctx, process.Command{
		Args: []string{"git", "apply", "-p" + strconv.Itoa(below), file}, Dir: dir,
		Env: []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)}, // in a repository it skips files in silence
	})
	if err != nil {
		return fmt.Errorf("%s: it does not fit %s: %w", file, s.ID(), err)
	}
	return nil
}

// sources is a server's directory without built files.
type sources struct{ fs.FS }

// ReadDir leaves built directories out, so that nothing walks into them.
func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return name == "." && slices.Contains(built, e.Name()) }), err
}
