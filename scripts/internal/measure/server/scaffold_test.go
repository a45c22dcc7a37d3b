package server

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"fairstream/scripts/internal/testfile"
)

// The drafts for servers that people wrote a manifest for build and run them by the same words.
func TestDraftsAreAsPeopleWroteThem(t *testing.T) {
	var dirs []string
	for _, pattern := range []string{"../../../../servers/relay/*/server.json", "../../../e2e/testdata/examples/*/server.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			dirs = append(dirs, filepath.Dir(name))
		}
	}
	languages := map[string]bool{}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			draft, err := Recognise(dir, dir)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Parse(draft.JSON(want.Workload), want.Dir)
			if err != nil {
				t.Fatalf("%v\n%s", err, draft.JSON(want.Workload))
			}
			languages[got.Language] = true
			if want.Build[0] == "env" { // a server of somebody else may need cgo
				want.Build = want.Build[2:]
			}
			if !reflect.DeepEqual(got.Build, want.Build) || !reflect.DeepEqual(got.Run, want.Run) || got.Language != want.Language || got.Workload != want.Workload {
				t.Errorf("%s\nbut it has build %q, run %q, language %s", draft.JSON(want.Workload), want.Build, want.Run, want.Language)
			}
			if got.Framework != want.Framework && want.Framework != "std::net" { // a server without a framework
				t.Errorf("framework %q, want %q", got.Framework, want.Framework)
			}
			if len(draft.Unsure) > 0 {
				t.Errorf("unsure: %q", draft.Unsure)
			}
		})
	}
	if len(languages) != 6 {
		t.Errorf("languages %v, want 6", languages)
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
}

// Repositories that are laid out in other ways.
func TestLayouts(t *testing.T) {
	const main = "package main\n\nfunc main() {}\n"
	const cpp = "int main() {}\n"
	for name, c := range map[string]struct {
		files      map[string]string
		build, run string
		framework  string
		unsure     string
	}{
		"a module above":           {map[string]string{"go.mod": "module x\n\nrequire github.com/labstack/echo/v4 v4.1.0\n", "app/main.go": main}, "go build -trimpath -buildvcs=false -o bin/server .", "bin/server", "echo", ""},
		"programs in cmd":          {map[string]string{"app/go.mod": "module x\n", "app/cmd/b/main.go": main, "app/cmd/a/main.go": main}, "go build -trimpath -buildvcs=false -o bin/server ./cmd/a", "bin/server", "net/http", "the programs ./cmd/a, ./cmd/b"},
		"a program that is cmd":    {map[string]string{"app/go.mod": "module x\n", "app/cmd/main.go": main}, "go build -trimpath -buildvcs=false -o bin/server ./cmd", "bin/server", "net/http", ""},
		"a module without program": {map[string]string{"app/go.mod": "module x\n", "app/x.go": "package x\n", "app/x_test.go": main}, "go build -trimpath -buildvcs=false -o bin/server .", "bin/server", "net/http", "no package main"},
		"a Cargo workspace":        {map[string]string{"Cargo.toml": "[workspace]\n", "Cargo.lock": "", "app/Cargo.toml": "[package]\nname = \"chat\"\n\n[[bin]]\nname = \"chatd\"\n\n[dependencies.axum]\nversion = \"0.8\"\n"}, "cargo build --release --locked --target-dir target", "target/release/chatd", "axum", ""},
		"no Cargo.lock":            {map[string]string{"app/Cargo.toml": "[package]\nname = \"chat\"\n[dependencies]\nhyper = \"1\"\n[dev-dependencies]\naxum = \"1\"\n"}, "cargo build --release --target-dir target", "target/release/chat", "hyper", "there is no Cargo.lock"},
		"an npm workspace":         {map[string]string{"package.json": "{}", "package-lock.json": "{}", "app/package.json": `{"scripts": {"start": "node --enable-source-maps src/main.js", "build": "tsc"}, "dependencies": {"express": "5.0.0"}}`}, "sh -c npm ci --no-audit --no-fund --prefer-offline && npm run build", "node --enable-source-maps src/main.js", "express", ""},
		"Bun in an npm workspace":  {map[string]string{"package.json": "{}", "package-lock.json": "{}", "app/package.json": `{"dependencies": {"bun": "1"}}`, "app/server.ts": ""}, "npm ci --no-audit --no-fund --prefer-offline", "../node_modules/.bin/bun server.ts", "Bun.serve", ""},
		"pnpm":                     {map[string]string{"app/package.json": `{"main": "lib/start.js"}`, "app/lib/start.js": "", "app/pnpm-lock.yaml": ""}, "pnpm install --frozen-lockfile", "node lib/start.js", "node:http", ""},
		"no packages":              {map[string]string{"app/package.json": "{}", "app/index.mjs": ""}, "true", "node index.mjs", "node:http", ""},
		"no lock and no file":      {map[string]string{"app/package.json": `{"scripts": {"start": "node a.js && echo"}, "dependencies": {"koa": "1"}}`}, "npm install --no-audit --no-fund", "node server.js", "koa", "there is no lock file"},
		"a start that is no file":  {map[string]string{"app/package.json": `{"scripts": {"start": "tsx src/bin.ts"}}`, "app/index.js": ""}, "true", "node index.js", "node:http", `npm start is "tsx src/bin.ts"`},
		"bun.lock":                 {map[string]string{"app/package.json": `{"dependencies": {"elysia": "1"}}`, "app/bun.lock": "", "app/index.ts": ""}, "bun install --frozen-lockfile", "bun index.ts", "elysia", ""},
		"uv":                       {map[string]string{"app/pyproject.toml": "[project]\ndependencies = [\"fastapi>=0.1\", \"uvicorn[standard]\"]\n", "app/uv.lock": "", "app/main.py": "app = FastAPI()\n"}, "uv sync --frozen --no-dev", "sh -c exec .venv/bin/uvicorn main:app --host \"$HOST\" --port \"$PORT\" --no-access-log", "fastapi", "variable app in main.py"},
		"pyproject alone":          {map[string]string{"app/pyproject.toml": "[project]\ndependencies = [\"aiohttp\"]\n", "app/app.py": "web.run_app(app)"}, "sh -c python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check .", ".venv/bin/python app.py", "aiohttp", "no file pins all packages"},
		"CMake":                    {map[string]string{"app/CMakeLists.txt": "project(chat CXX)\nadd_executable(${PROJECT_NAME} src/main.cc)\n", "app/src/main.cc": "#include <drogon/drogon.h>\n"}, "sh -c cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel", "build/chat", "drogon", "CMakeLists.txt is to make chat"},
		"a Makefile":               {map[string]string{"app/Makefile": "FLAGS := -O2\nall: chatd\nchatd: main.cpp\n", "app/main.cpp": cpp}, "make", "./chatd", "none", ""},
		"a Makefile without names": {map[string]string{"app/Makefile": "%: %.cpp\n", "app/main.cpp": cpp}, "make", "bin/server", "none", "names no program"},
		"C++ alone":                {map[string]string{"app/main.cpp": "#include \"httplib.h\"\n" + cpp, "app/chat.cpp": ""}, "g++ -std=c++20 -O2 -pthread -o server chat.cpp main.cpp", "./server", "cpp-httplib", "links no library"},
		"Python beside C++":        {map[string]string{"app/requirements.txt": "flask\n", "app/CMakeLists.txt": "project(fast)\n", "app/fast.cpp": "int add(int, int);\n", "app/app.py": "app.run()"}, "sh -c python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check -r requirements.txt", ".venv/bin/python app.py", "flask", "does not pin flask, so"},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			write(t, top, c.files)
			dir := filepath.Join(top, "app")
			d, err := Recognise(dir, top)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(d.Build, " "); got != c.build {
				t.Errorf("build %q, want %q", got, c.build)
			}
			if got := strings.Join(d.Run, " "); got != c.run {
				t.Errorf("run %q, want %q", got, c.run)
			}
			if unsure := strings.Join(d.Unsure, "; "); d.Framework != c.framework || !strings.Contains(unsure, c.unsure) || (unsure == "") != (c.unsure == "") {
				t.Errorf("framework %s, unsure %q; want %s, %q", d.Framework, unsure, c.framework, c.unsure)
			}
			if _, err := Parse(d.JSON("relay"), dir); err != nil {
				t.Errorf("%v\n%s", err, d.JSON("relay"))
			}
		})
	}
	if _, err := Recognise(t.TempDir(), "/"); err == nil || !strings.Contains(err.Error(), "it looks for go.mod, Cargo.toml, package.json, sources in C++ or CMakeLists.txt, requirements.txt or pyproject.toml") {
		t.Errorf("an empty directory: %v", err)
	}
}

// All workflows call the same commit for the same directory, and one follows another by its name.
func TestWorkflowsCallOneCommit(t *testing.T) {
	const commit = "0123456789012345678901234567890123456789"
	files, err := Caller{Server: "apps/my #1", Uses: "acme/fairstream", Commit: commit, Note: "v1.2.3", Branch: "trunk"}.Workflows()
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	var names, followed []string
	for name, text := range files {
		var w struct {
			Name string
			On   struct {
				Run  struct{ Workflows []string } `yaml:"workflow_run"`
				Push struct{ Branches []string }
			}
			Permissions map[string]string
			Jobs        map[string]struct {
				Uses string
				With map[string]string
			}
		}
		if err := yaml.Unmarshal(text, &w); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		calls, key := "compare.yml", "servers"
		if strings.HasSuffix(name, "fairstream-publish.yml") {
			calls, key = "publish.yml", "server"
			if !slices.Equal(w.On.Push.Branches, []string{"trunk"}) {
				t.Errorf("%s: branches %q", name, w.On.Push.Branches)
			}
		}
		names, followed = append(names, w.Name), append(followed, w.On.Run.Workflows...)
		for _, job := range w.Jobs {
			if job.Uses != "acme/fairstream/.github/workflows/"+calls+"@"+commit || job.With[key] != "apps/my #1" || !strings.Contains(string(text), "@"+commit+" # v1.2.3\n") {
				t.Errorf("%s:\n%s", name, text)
			}
		}
		if len(w.Jobs) != 1 || w.Permissions == nil || len(w.Permissions) > 0 {
			t.Errorf("%s: %d jobs, permissions %v", name, len(w.Jobs), w.Permissions)
		}
	}
	if len(followed) != 1 || !slices.Contains(names, followed[0]) {
		t.Errorf("workflows %q follow %q", names, followed)
	}
}

func TestWriteNeverReplaces(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".github", "workflows", "fairstream.yml")
	if err := Write(name, []byte("1")); err != nil {
		t.Fatal(err)
	}
	if err := Write(name, []byte("2")); !errors.Is(err, ErrThere) {
		t.Errorf("again: %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "1" {
		t.Errorf("%q, %v", text, err)
	}
}
