package pipeline

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// act runs this binary in place of each action, and of scripts/bench for what
// loads a server: ROLE says which.
var roles = map[string]func() error{
	"load":                    load,
	"trials":                  trials,
	"checkout":                standInCheckout,
	"setup-go":                func() error { return run(".", "go", "version") },
	"setup-node":              func() error { return run(".", "node", "--version") },
	"upload-artifact":         func() error { return upload(input("name"), input("path")) },
	"download-artifact":       download,
	"upload-pages-artifact":   func() error { return upload(input("name"), input("path")) },
	"deploy-pages":            deploy,
	"github-action-benchmark": chart,
}

func TestMain(m *testing.M) {
	role := os.Getenv("ROLE")
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](); err != nil {
		fmt.Fprintf(os.Stderr, "stand-in %s: %v\n", role, err)
		os.Exit(1)
	}
}

func input(name string) string { return os.Getenv(inputVariable(name)) }

// run runs a program in a directory, with its output in the job's log.
func run(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", program, strings.Join(args, " "), err)
	}
	return nil
}

// standInCheckout leaves the files of actions/checkout: a clone with origin, at the event's commit or at a
// ref, with all branches when the depth is 0. Of another repository it takes what it is asked for.
func standInCheckout() error {
	dir := filepath.Join(os.Getenv("GITHUB_WORKSPACE"), input("path"))
	ref := input("ref")
	if ref == "" {
		ref = os.Getenv("GITHUB_SHA")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	from := cmp.Or(input("repository"), os.Getenv("GITHUB_REPOSITORY"))
	fetch := []string{"fetch", "--quiet", "--no-tags", "--depth=1", "origin", ref}
	if input("fetch-depth") == "0" {
		fetch = []string{"fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*", ref}
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"remote", "add", "origin", "https://github.com/" + from},
		fetch,
	} {
		if err := run(dir, "git", args...); err != nil {
			return err
		}
	}
	at := "FETCH_HEAD" // begins with the branches, where all are fetched
	switch {
	case len(ref) == 40:
		at = ref
	case input("fetch-depth") == "0":
		at = "refs/remotes/origin/" + strings.TrimPrefix(ref, "refs/heads/")
	}
	return run(dir, "git", "checkout", "--quiet", "--detach", at)
}

// artifacts is where the artifacts of this run are kept, or of the one that an input names: one zip each.
func artifacts() string {
	return filepath.Join(os.Getenv("PIPELINE_ARTIFACTS"), cmp.Or(input("run-id"), os.Getenv("GITHUB_RUN_ID")))
}

// upload makes a zip of a single file or of a directory. The owner of a runner can upload any bytes: a job
// leaves such a zip in its directory, under this name.
const forgedZip = "forged.zip"

func upload(name, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		if input("if-no-files-found") == "error" {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(artifacts(), 0o755); err != nil {
		return err
	}
	to := filepath.Join(artifacts(), name+".zip")
	if _, err := os.Stat(to); err == nil {
		return fmt.Errorf("%s: an artifact of that name exists", name)
	}
	if forged, err := os.ReadFile(filepath.Join(filepath.Dir(from), forgedZip)); err == nil && !info.IsDir() {
		return os.WriteFile(to, forged, 0o644)
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	z := zip.NewWriter(out)
	if !info.IsDir() {
		err = addFile(z, filepath.Base(from), from)
	} else {
		err = filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == ".git" {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(from, p) // both are below one directory
			return addFile(z, filepath.ToSlash(rel), p)
		})
	}
	if err != nil {
		return err
	}
	return z.Close()
}

func addFile(z *zip.Writer, name, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	w, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// download copies the zips of a pattern: one alone into the path itself,
// several each into a directory of its name; without any the path is not made.
func download() error {
	if input("skip-decompress") != "true" {
		return fmt.Errorf("skip-decompress is %q; unpacking is not played", input("skip-decompress"))
	}
	all, err := filepath.Glob(filepath.Join(artifacts(), "*.zip"))
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(file string) bool {
		return !matches(input("pattern"), strings.TrimSuffix(filepath.Base(file), ".zip"))
	})
	for _, file := range all {
		name := filepath.Base(file)
		dir := input("path")
		if len(all) > 1 {
			dir = filepath.Join(dir, strings.TrimSuffix(name, ".zip"))
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// matches is what minimatch says, which the action uses, for the wildcards of our patterns.
func matches(pattern, name string) bool {
	form := strings.NewReplacer(`\+\(\[0-9\]\)`, "[0-9]+", `\*`, "[^/]*", `\{,\.functions\}`, `(\.functions)?`).Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^" + form + "$").MatchString(name)
}

// deploy makes the uploaded site the deployed one.
func deploy() error {
	site, err := os.ReadFile(filepath.Join(artifacts(), input("artifact_name")+".zip"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("PIPELINE_ARTIFACTS"), "deployed.zip"), site, 0o644); err != nil {
		return err
	}
	return tell("GITHUB_OUTPUT", "page_url=https://acme.github.io/fairstream/\n")
}

// tell appends to one of the files that a step writes to its runner.
func tell(variable, text string) error {
	f, err := os.OpenFile(os.Getenv(variable), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}
