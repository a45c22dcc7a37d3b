package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

var javascriptFrameworks = []framework{
	{"fastify", "fastify"}, {"hono", "hono"}, {"elysia", "elysia"}, {"express", "express"}, {"koa", "koa"}, {"@hapi/hapi", "hapi"}, {"@nestjs/core", "nest"},
}

// packageJSON is the part of package.json that is read.
type packageJSON struct {
	Main            string            `json:"main"`
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// javascript recognises a package of Node.js or Bun.
func (d directory) javascript() (draft Draft, ok bool, err error) {
	text, err := d.text("package.json")
	if err != nil || text == "" {
		return draft, false, err
	}
	var p packageJSON
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return draft, false, fmt.Errorf("%s: %w", filepath.Join(d.dir, "package.json"), err)
	}
	_, bunPackage := p.Dependencies["bun"]
	bunLock := d.above("bun.lock") != "" || d.above("bun.lockb") != ""
	runtime := "node"
	switch {
	case bunPackage:
		draft.Language, draft.Framework = "bun", "Bun.serve"
		if runtime, err = d.inPackages(".bin/bun"); err != nil {
			return draft, false, err
		}
	case bunLock:
		draft.Language, draft.Framework, runtime = "bun", "Bun.serve", "bun"
	default:
		draft.Language, draft.Framework = "node", "node:http"
	}
	draft.Versions = map[string][]string{draft.Language: {runtime, "--version"}}
	install := d.install(&draft, bunLock && !bunPackage, len(p.Dependencies)+len(p.DevDependencies) > 0)
	if draft.Build = install; p.Scripts["build"] != "" {
		manager := install[0]
		if manager == "true" {
			manager = "npm"
		}
		draft.Build = []string{"sh", "-c", strings.Join(install, " ") + " && " + manager + " run build"}
	}
	var names []string
	for name := range p.Dependencies {
		names = append(names, name)
	}
	if f, ok := chosen(strings.Join(names, "\n"), javascriptFrameworks); ok {
		draft.Framework = f.name
		if d.above("package-lock.json") == d.dir || d.above("bun.lock") == d.dir { // else the package may lie in a directory above
			draft.Versions[f.name] = []string{"node", "-p", fmt.Sprintf("require('./node_modules/%s/package.json').version", f.pkg)}
		}
	}
	draft.Run = d.entry(&draft, runtime, p)
	return draft, true, nil
}

// inPackages is the path of a file in node_modules. npm has that of a workspace beside the lock file.
func (d directory) inPackages(name string) (string, error) {
	up, err := filepath.Rel(d.dir, cmp.Or(d.above("package-lock.json"), d.dir))
	return filepath.ToSlash(filepath.Join(up, "node_modules", name)), err
}

// install is the command that installs the packages of a lock file.
func (d directory) install(draft *Draft, bun, packages bool) []string {
	switch {
	case bun:
		return []string{"bun", "install", "--frozen-lockfile"}
	case d.above("package-lock.json") != "":
		return []string{"npm", "ci", "--no-audit", "--no-fund", "--prefer-offline"}
	case d.above("pnpm-lock.yaml") != "":
		return []string{"pnpm", "install", "--frozen-lockfile"}
	case d.above("yarn.lock") != "":
		return []string{"yarn", "install", "--frozen-lockfile"}
	case packages:
		draft.Unsure = append(draft.Unsure, "there is no lock file, so base and head may get other versions of packages; commit one")
		return []string{"npm", "install", "--no-audit", "--no-fund"}
	}
	return []string{"true"}
}

// entry is the command that starts the server: that of npm start if it is plain words, else a file with a usual name.
func (d directory) entry(draft *Draft, runtime string, p packageJSON) []string {
	words := strings.Fields(p.Scripts["start"])
	if len(words) > 1 && (words[0] == "node" || words[0] == "bun") && !strings.ContainsAny(p.Scripts["start"], "&|;$<>\"'`") {
		if words[0] == "bun" {
			words[0] = runtime
		}
		return words
	}
	if start := p.Scripts["start"]; start != "" {
		draft.Unsure = append(draft.Unsure, fmt.Sprintf("npm start is %q, which \"run\" does not call; check \"run\"", start))
	}
	usual := []string{"server", "index", "main", "app", "src/server", "src/index", "src/main", "src/app", "dist/server", "dist/index", "dist/main"}
	var files []string
	for _, name := range usual {
		if draft.Language == "bun" {
			files = append(files, name+".ts")
		}
		files = append(files, name+".js", name+".mjs")
	}
	file := d.first(append([]string{p.Main}, files...)...)
	if file == "" {
		file = "server.js"
		draft.Unsure = append(draft.Unsure, "no file with a usual name starts the server; correct \"run\"")
	}
	return []string{runtime, file}
}

var pythonFrameworks = []framework{
	{"fastapi", "fastapi"}, {"starlette", "starlette"}, {"litestar", "litestar"}, {"aiohttp", "aiohttp"}, {"sanic", "sanic"}, {"quart", "quart"}, {"flask", "flask"}, {"django", "django"},
}

// unpinned are the packages of a requirements.txt that may change their version.
func unpinned(requirements string) (names []string) {
	for line := range strings.Lines(requirements) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "-") || strings.Contains(line, "==") || strings.Contains(line, "@") {
			continue
		}
		if end := strings.IndexAny(line, "<>=!~[; "); end > 0 {
			line = line[:end]
		}
		names = append(names, line)
	}
	return names
}

// python recognises requirements.txt or pyproject.toml. It installs into .venv in the server's directory.
func (d directory) python() (draft Draft, ok bool, err error) {
	requirements, err := d.text("requirements.txt")
	if err != nil {
		return draft, false, err
	}
	project, err := d.text("pyproject.toml")
	if err != nil || !d.has("requirements.txt") && project == "" {
		return draft, false, err
	}
	python := ".venv/bin/python"
	draft = Draft{Language: "python", Framework: "none", Versions: map[string][]string{
		"python": {python, "-c", "import platform; print(platform.python_version())"},
	}}
	pip := "python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check "
	switch {
	case d.above("uv.lock") != "":
		draft.Build = []string{"uv", "sync", "--frozen", "--no-dev"}
		if d.above("uv.lock") != d.dir {
			draft.Unsure = append(draft.Unsure, "uv.lock is in a directory above, where uv makes .venv; correct \"run\" and \"versions\"")
		}
	case d.has("requirements.txt"):
		draft.Build = []string{"sh", "-c", pip + "-r requirements.txt"}
		if names := unpinned(requirements); names != nil {
			draft.Unsure = append(draft.Unsure, fmt.Sprintf("requirements.txt does not pin %s, so base and head may get other versions; write NAME==VERSION", strings.Join(names, ", ")))
		}
	default:
		draft.Build = []string{"sh", "-c", pip + "."}
		draft.Unsure = append(draft.Unsure, "no file pins all packages, so base and head may get other versions of them; commit requirements.txt or uv.lock")
	}
	if f, ok := chosen(requirements+"\n"+project, pythonFrameworks); ok {
		draft.Framework = f.name
		draft.Versions[f.name] = []string{python, "-c", fmt.Sprintf("import importlib.metadata as m; print(m.version('%s'))", f.pkg)}
	}
	file := d.first("server.py", "main.py", "app.py", "src/server.py", "src/main.py", "src/app.py", "app/main.py")
	if file == "" {
		file = "server.py"
		draft.Unsure = append(draft.Unsure, "no file with a usual name starts the server; correct \"run\"")
	}
	source, err := d.text(file)
	if err != nil {
		return draft, false, err
	}
	starts := strings.Contains(source, "__main__") || strings.Contains(source, ".run(")
	if _, ok := chosen(requirements+"\n"+project, []framework{{"uvicorn", "uvicorn"}}); ok && !starts && slices.Contains([]string{"fastapi", "starlette", "litestar"}, draft.Framework) {
		module := strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
		draft.Run = []string{"sh", "-c", "exec .venv/bin/uvicorn " + module + ":app --host \"$HOST\" --port \"$PORT\" --no-access-log"}
		draft.Unsure = append(draft.Unsure, "uvicorn is to find the variable app in "+file+"; correct \"run\" if it has another name")
		return draft, true, nil
	}
	draft.Run = []string{python, file}
	return draft, true, nil
}
