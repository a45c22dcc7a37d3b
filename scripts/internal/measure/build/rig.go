package build

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/workload"
)

// RigHash is the hash, in hex, of the sources that load and answer a workload. They are its scripts and those
// that they import, our Go packages in its k6 modules and its stub, go.mod and go.sum of their modules, and
// the version of Go. Figures of different rigs are not comparable. It does not hash the binaries, since they
// hold the packages of all workloads.
func RigHash(ctx context.Context, root string, w workload.Workload) (string, error) {
	r := rig{root: root, scripts: map[string]bool{}}
	var part []string
	for _, name := range w.Stub {
		part = append(part, "./"+name)
	}
	err := errors.Join(r.load(ctx, w), r.packages(ctx, "stub", part))
	if err != nil {
		return "", fmt.Errorf("setup: rig of %s: %w", w.Name, err)
	}
	hash, err := Hash(root, r.files)
	if err != nil {
		return "", fmt.Errorf("setup: rig of %s: %w", w.Name, err)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(hash+r.versions))), nil
}

// A rig collects the input of the hash: files by their names below root, and versions.
type rig struct {
	root     string
	files    []string
	versions string
	scripts  map[string]bool // scripts that were read
	modules  []string        // our modules that they import, such as sse
}

// load adds the scripts of a workload and the k6 modules that they import. Where each server has a script of its own, the
// rig is our output of k6.
func (r *rig) load(ctx context.Context, w workload.Workload) error {
	dir := path.Join("k6", w.Name)
	if w.Scripted {
		return r.packages(ctx, "k6", []string{"./" + w.Name})
	}
	names, err := fs.Glob(os.DirFS(r.root), dir+"/*.js")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: no scripts", dir)
	}
	for _, name := range names {
		if err := r.script(name); err != nil {
			return err
		}
	}
	return errors.Join(r.all(dir), r.packages(ctx, "k6", r.modules))
}

// imported finds what a script imports.
var imported = regexp.MustCompile(`\b(?:from|import)\s*['"]([^'"]+)['"]`)

// script finds our modules that a script imports, directly or through another script. k6/x/NAME comes from
// k6/NAME.
func (r *rig) script(name string) error {
	if r.scripts[name] {
		return nil
	}
	r.scripts[name], r.files = true, append(r.files, name)
	text, err := os.ReadFile(filepath.Join(r.root, name))
	if err != nil {
		return err
	}
	for _, match := range imported.FindAllSubmatch(text, -1) {
		from := string(match[1])
		if module, ours := strings.CutPrefix(from, "k6/x/"); ours {
			r.modules = append(r.modules, "./"+module)
		} else if strings.HasPrefix(from, ".") {
			if err := r.script(path.Join(path.Dir(name), from)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// all adds the files of a directory, except tests, their data, and READMEs.
func (r *rig) all(dir string) error {
	return fs.WalkDir(os.DirFS(r.root), dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == "testdata":
			return fs.SkipDir
		case !entry.IsDir() && !strings.Contains(entry.Name(), "_test.") && path.Ext(name) != ".md":
			r.files = append(r.files, name)
		}
		return nil
	})
}

// ownFiles makes go list print the files of our packages, a name a line. Ours are the main module and those
// in its directory.
const ownFiles = `{{$dir := .Dir}}{{with .Module}}{{if or .Main .Replace}}{{.GoMod}}
{{range $.GoFiles}}{{$dir}}/{{.}}
{{end}}{{range $.EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{end}}{{end}}`

// packages adds the sources of our packages in a module: Go files, go.mod and go.sum, and the version of Go.
func (r *rig) packages(ctx context.Context, module string, packages []string) error {
	pins, err := fs.Glob(os.DirFS(r.root), module+"/go.[ms]*") // go.mod, and go.sum if there is one
	if err != nil {
		return err
	}
	r.files = append(r.files, pins...)
	dir, err := filepath.EvalSymlinks(filepath.Join(r.root, module)) // in the form of go list
	if err != nil {
		return err
	}
	goes := process.Command{Dir: dir, Env: buildEnv, Args: []string{"go", "env", "GOVERSION"}}
	version, err := process.Output(ctx, goes)
	if err != nil {
		return err
	}
	r.versions += version
	if len(packages) == 0 {
		return nil // go list would read it as the program, which has all packages
	}
	goes.Args = append([]string{"go", "list", "-deps", "-f", ownFiles}, packages...)
	list, err := process.Output(ctx, goes)
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		name, err := filepath.Rel(dir, strings.TrimSpace(line))
		if err != nil {
			return err
		}
		r.files = append(r.files, path.Join(module, name))
	}
	return nil
}
