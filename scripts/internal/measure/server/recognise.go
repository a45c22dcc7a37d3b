package server

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Draft is what a server's directory shows about the server, and what somebody still has to decide.
type Draft struct {
	Language  string
	Framework string
	Build     []string
	Run       []string
	Versions  map[string][]string
	Requests  []string // of servers that declare them, in JSON; see Ask
	Script    string   // path of a k6 script in the directory; "" without one
	Unsure    []string // guesses that somebody has to check
}

// A directory is a server's directory in a repository.
type directory struct {
	dir, top string // top is the repository, or dir without one
}

// Recognise drafts the manifest of the server in dir. top is the repository's directory around it.
func Recognise(dir, top string) (Draft, error) {
	d := directory{dir, top}
	for _, draft := range []func() (Draft, bool, error){d.golang, d.rust, d.javascript, d.cpp, d.python} {
		found, ok, err := draft()
		if ok && err == nil {
			found.Script, err = d.k6Script()
		}
		if ok || err != nil {
			return found, err
		}
	}
	return Draft{}, fmt.Errorf("%s: no server that init knows: it looks for go.mod, Cargo.toml, package.json, sources in C++ or CMakeLists.txt, requirements.txt or pyproject.toml; "+
		"name the directory that has one of them, or write server.json by hand (servers/README.md has examples)", dir)
}

// text is a file's content; "" without the file.
func (d directory) text(name string) (string, error) {
	content, err := os.ReadFile(filepath.Join(d.dir, name))
	if os.IsNotExist(err) {
		return "", nil
	}
	return string(content), err
}

// has reports whether the directory has a file.
func (d directory) has(name string) bool {
	info, err := os.Stat(filepath.Join(d.dir, name))
	return err == nil && info.Mode().IsRegular()
}

// above finds a file in the directory, or in one around it up to the repository's; "" without any.
func (d directory) above(name string) string {
	for dir := d.dir; ; dir = filepath.Dir(dir) {
		if (directory{dir, d.top}).has(name) {
			return dir
		}
		if dir == d.top || dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// first is the first of files that exists; "" without any.
func (d directory) first(names ...string) string {
	i := slices.IndexFunc(names, d.has)
	if i < 0 {
		return ""
	}
	return names[i]
}

// A framework is recognised by the name of its package.
type framework struct{ pkg, name string }

// chosen is the first framework whose package a text names as a word.
func chosen(text string, known []framework) (framework, bool) {
	i := slices.IndexFunc(known, func(f framework) bool {
		return regexp.MustCompile(`(?mi)(^|[\s"'])` + regexp.QuoteMeta(f.pkg) + `($|[\s"'=<>~!;\[,])`).MatchString(text)
	})
	if i < 0 {
		return framework{}, false
	}
	return known[i], true
}

var goFrameworks = []framework{
	{"github.com/gin-gonic/gin", "gin"}, {"github.com/gofiber/fiber/v3", "fiber"}, {"github.com/gofiber/fiber/v2", "fiber"}, {"github.com/labstack/echo/v4", "echo"},
	{"github.com/labstack/echo/v5", "echo"}, {"github.com/go-chi/chi/v5", "chi"}, {"github.com/valyala/fasthttp", "fasthttp"},
}

var isMain = regexp.MustCompile(`(?m)^package main\b`)

// golang recognises a module, or a program in a module around it.
func (d directory) golang() (draft Draft, ok bool, err error) {
	programs, err := d.programs()
	module := d.above("go.mod")
	if err != nil || module == "" || !d.has("go.mod") && len(programs) == 0 {
		return draft, false, err
	}
	text, err := (directory{module, d.top}).text("go.mod")
	if err != nil {
		return draft, false, err
	}
	draft = Draft{Language: "go", Framework: "net/http", Run: []string{"bin/server"}, Versions: map[string][]string{"go": {"go", "env", "GOVERSION"}}}
	if f, ok := chosen(text, goFrameworks); ok {
		draft.Framework, draft.Versions[f.name] = f.name, []string{"go", "list", "-m", f.pkg}
	}
	program := "."
	switch {
	case len(programs) == 0:
		draft.Unsure = append(draft.Unsure, "no package main was found; correct the last word of \"build\"")
	case len(programs) > 1:
		draft.Unsure = append(draft.Unsure, fmt.Sprintf("the module has the programs %s; \"build\" takes the first", strings.Join(programs, ", ")))
		fallthrough
	default:
		program = programs[0]
	}
	draft.Build = []string{"go", "build", "-trimpath", "-buildvcs=false", "-o", "bin/server", program}
	return draft, true, nil
}

// programs lists the packages main in the directory and in cmd/.
func (d directory) programs() (found []string, err error) {
	for _, pattern := range []string{"*.go", "cmd/*.go", "cmd/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(d.dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			below, err := filepath.Rel(d.dir, filepath.Dir(file))
			if err != nil {
				return nil, err
			}
			if below != "." {
				below = "./" + filepath.ToSlash(below)
			}
			if isMain.Match(content) && !strings.HasSuffix(file, "_test.go") && !slices.Contains(found, below) {
				found = append(found, below)
			}
		}
	}
	return found, nil
}

var rustFrameworks = []framework{
	{"actix-web", "actix-web"}, {"axum", "axum"}, {"rocket", "rocket"}, {"poem", "poem"}, {"salvo", "salvo"}, {"warp", "warp"}, {"hyper", "hyper"},
}

var (
	cargoSection = regexp.MustCompile(`(?m)^\s*\[+([^\]]+)\]+`)
	cargoName    = regexp.MustCompile(`(?m)^\s*name\s*=\s*"([^"]+)"`)
	cargoKeys    = regexp.MustCompile(`(?m)^\s*([A-Za-z0-9_-]+)\s*=`)
)

// rust recognises a package of Cargo.
func (d directory) rust() (draft Draft, ok bool, err error) {
	text, err := d.text("Cargo.toml")
	if err != nil || text == "" {
		return draft, false, err
	}
	var name, bin string
	var dependencies []string
	heads := cargoSection.FindAllStringSubmatchIndex(text, -1)
	for i, head := range heads {
		body := text[head[1]:]
		if i+1 < len(heads) {
			body = text[head[1]:heads[i+1][0]]
		}
		switch section := text[head[2]:head[3]]; {
		case section == "package" || section == "bin":
			if m := cargoName.FindStringSubmatch(body); m != nil && section == "package" {
				name = m[1]
			} else if m != nil && bin == "" {
				bin = m[1]
			}
		case section == "dependencies":
			for _, m := range cargoKeys.FindAllStringSubmatch(body, -1) {
				dependencies = append(dependencies, m[1])
			}
		case strings.HasPrefix(section, "dependencies."):
			dependencies = append(dependencies, strings.TrimPrefix(section, "dependencies."))
		}
	}
	draft = Draft{Language: "rust", Framework: "std", Versions: map[string][]string{"rustc": {"rustc", "--version"}}}
	if f, ok := chosen(strings.Join(dependencies, "\n"), rustFrameworks); ok {
		draft.Framework, draft.Versions[f.name] = f.name, []string{"cargo", "pkgid", f.pkg}
	}
	if bin == "" {
		bin = name
	}
	if bin == "" {
		bin = "server"
		draft.Unsure = append(draft.Unsure, "Cargo.toml names no program; correct \"run\"")
	}
	draft.Build = []string{"cargo", "build", "--release", "--locked", "--target-dir", "target"}
	if d.above("Cargo.lock") == "" {
		draft.Build = slices.DeleteFunc(draft.Build, func(word string) bool { return word == "--locked" })
		draft.Unsure = append(draft.Unsure, "there is no Cargo.lock, so base and head may get other versions of packages; commit one")
	}
	draft.Run = []string{"target/release/" + bin}
	return draft, true, nil
}
