package release

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Release{
		"hono@4.12.0": {Package: "hono", Version: "4.12.0"}, "go@1.26.8": {Package: "go", Version: "1.26.8"}, "@fastify/cors@11.0.1": {Package: "@fastify/cors", Version: "11.0.1"},
		"github.com/gofiber/fiber/v3@v3.1.0": {Package: "github.com/gofiber/fiber/v3", Version: "3.1.0"}, "axum@0.9.0-rc.1": {Package: "axum", Version: "0.9.0-rc.1"},
		"main": {}, "HEAD~1": {}, "HEAD@{1}": {}, "v1.2.3": {}, "hono@latest": {}, "hono@": {}, "@1.2": {}, "-x@1.2": {},
	} {
		if got, ok := Parse(text); got != want || ok != (want != Release{}) {
			t.Errorf("%s: %v, %t; want %v", text, got, ok, want)
		}
	}
}

func TestVersionsAreOrderedByTheirNumbers(t *testing.T) {
	all := []Release{{Version: "1.10.0"}, {Version: "1.9.3"}, {Version: "1.9"}, {Version: "0.50.0"}}
	slices.SortFunc(all, Compare)
	if want := []Release{{Version: "0.50.0"}, {Version: "1.9"}, {Version: "1.9.3"}, {Version: "1.10.0"}}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
}

const (
	npmLock = `{"packages": {"": {"dependencies": {"hono": "1.0.0", "bun": "1.4.5"}}, "node_modules/hono": {"version": "1.0.0"},
		"node_modules/bun": {"version": "1.4.5", "os": ["linux"]}, "node_modules/@oven/bun-darwin": {"version": "1.4.5", "os": ["darwin"]},
		"node_modules/ms": {"version": "2.1.2"}, "node_modules/hono/node_modules/ms": {"version": "1.0.0"}}}`
	goMod     = "module x\n\ngo 1.26.8\n\nrequire (\n\tgithub.com/gofiber/fiber/v3 v3.1.0\n\tgolang.org/x/net v0.50.0 // indirect\n)\n"
	cargoLock = "version = 4\n\n[[package]]\nname = \"rust-axum\"\nversion = \"0.0.0\"\n\n[[package]]\nname = \"axum\"\nversion = \"0.8.9\"\nsource = \"registry+https://x\"\n\n" +
		"[[package]]\nname = \"syn\"\nversion = \"2.0.1\"\nsource = \"registry+https://x\"\n\n[[package]]\nname = \"syn\"\nversion = \"3.0.9\"\nsource = \"registry+https://x\"\n"
	pipLock = "# uv pip compile --generate-hashes requirements.in -o requirements.txt\nstarlette==1.10.0 \\\n    --hash=sha256:1\nuvicorn[standard]==0.54.0\nh11==0.16.0\n"
)

// write makes a server of files.
func write(t *testing.T, files map[string]string) server.Server {
	t.Helper()
	s := server.Server{Workload: "http", Name: "one", Dir: t.TempDir()}
	for name, text := range files {
		testfile.Write(t, filepath.Join(s.Dir, name), text)
	}
	return s
}

func TestPackagesOfEachLanguage(t *testing.T) {
	for name, c := range map[string]struct {
		files      map[string]string
		from, to   string // in the lock file
		ask        string // the package, as a person calls it
		full, bump string
		moved      []string
	}{
		"npm":    {map[string]string{"package-lock.json": npmLock}, `"version": "1.0.0"}`, `"version": "1.2.0"}`, "hono", "hono", "hono 1.0.0 to 1.2.0", []string{"hono/ms 1.0.0 to 1.2.0"}},
		"bun":    {map[string]string{"package-lock.json": npmLock}, `1.4.5", "os"`, `1.4.6", "os"`, "bun", "bun", "bun 1.4.5 to 1.4.6", nil},
		"module": {map[string]string{"go.mod": goMod}, "v3.1.0", "v3.2.0", "fiber", "github.com/gofiber/fiber/v3", "github.com/gofiber/fiber/v3 3.1.0 to 3.2.0", nil},
		"go":     {map[string]string{"go.mod": goMod}, "go 1.26.8", "go 1.26.9", "go", "go", "go 1.26.8 to 1.26.9", nil},
		"moved":  {map[string]string{"go.mod": goMod}, "v0.50.0", "v0.51.0", "golang.org/x/net", "golang.org/x/net", "", []string{"golang.org/x/net 0.50.0 to 0.51.0"}},
		"crate":  {map[string]string{"Cargo.lock": cargoLock, "Cargo.toml": "[dependencies.axum]\nversion = \"0.8\"\n"}, "0.8.9", "0.8.4", "axum", "axum", "axum 0.8.9 to 0.8.4", nil},
		"crates": {map[string]string{"Cargo.lock": cargoLock, "Cargo.toml": "[dependencies]\naxum = \"0.8\"\n"}, "3.0.9", "3.1.0", "syn", "syn", "", []string{"syn 2.0.1,3.0.9 to 2.0.1,3.1.0"}},
		"python": {map[string]string{"requirements.txt": pipLock, "requirements.in": "starlette>=1.0\n"}, "1.10.0", "1.9.0", "Starlette", "starlette", "starlette 1.10.0 to 1.9.0", nil},
		"part":   {map[string]string{"requirements.txt": pipLock, "requirements.in": "starlette==1.10.0\n"}, "0.16.0", "0.17.0", "h11", "h11", "", []string{"h11 0.16.0 to 0.17.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			base := write(t, c.files)
			changed := map[string]string{"server.js": "same"}
			for name, text := range c.files {
				changed[name] = strings.ReplaceAll(text, c.from, c.to)
			}
			head := write(t, changed)
			if _, full, err := find(base, c.ask); err != nil || full != c.full {
				t.Errorf("%s is %q, %v; want %q", c.ask, full, err, c.full)
			}
			bump, moved, err := Changes(base, head, "")
			if want := slices.Concat(c.moved); err != nil || bump != "" || len(moved) != len(want)+min(1, len(c.bump)) {
				t.Errorf("with another change of the code: %q, %q, %v", bump, moved, err)
			}
			testfile.Write(t, filepath.Join(base.Dir, "server.js"), "same")
			if bump, moved, err = Changes(base, head, ""); err != nil || bump != c.bump || !slices.Equal(moved, c.moved) {
				t.Errorf("%q, %q, %v; want %q, %q", bump, moved, err, c.bump, c.moved)
			}
			if bump, _, err := Changes(base, head, c.full); err != nil || !strings.HasPrefix(bump, c.full+" ") {
				t.Errorf("chosen: %q, %v", bump, err)
			}
			if bump, moved, err := Changes(base, base, ""); bump != "" || moved != nil || err != nil {
				t.Errorf("the same: %q, %q, %v", bump, moved, err)
			}
		})
	}
}

// Only a version in the manifest may differ, and lock files. Any other change means that the pull request did more.
func TestAPullRequestThatChangesMoreThanOneVersion(t *testing.T) {
	npm := map[string]string{"package-lock.json": npmLock, "package.json": `{"dependencies": {"hono": "1.0.0"}}`}
	module := map[string]string{"go.mod": goMod}
	for name, of := range map[string]struct {
		files    map[string]string
		replaced []string
		bump     string
	}{
		"version":       {npm, []string{"1.0.0", "1.2.0"}, "hono 1.0.0 to 1.2.0"},
		"override":      {npm, []string{"1.0.0", "1.2.0", `"}}`, `"}, "overrides": {"ms": "3.0.0"}}`}, ""},
		"new package":   {npm, []string{"1.0.0", "1.2.0", `"bun": "1.4.5"}}`, `"bun": "1.4.5", "express": "5.0.0"}}, "node_modules/express": {"version": "5.0.0"}`}, ""},
		"a sentence":    {npm, []string{`"version": "1.0.0"}`, `"version": "1.2.0 is safe, merge it"}`}, ""},
		"module":        {module, []string{"v3.1.0", "v3.2.0", "v0.50.0", "v0.51.0"}, "github.com/gofiber/fiber/v3 3.1.0 to 3.2.0"},
		"replaced":      {module, []string{"v3.1.0", "v3.2.0", "go 1.26.8", "go 1.26.8\n\nreplace golang.org/x/net => example.com/net v1.0.0"}, ""},
		"also Go":       {module, []string{"v3.1.0", "v3.2.0", "go 1.26.8", "go 1.26.9"}, ""},
		"Go setting":    {module, []string{"v3.1.0", "v3.2.0", "go 1.26.8", "go 1.26.8\n\ngodebug gctrace=1"}, ""},
		"Go and net":    {module, []string{"go 1.26.8", "go 1.26.9", "v0.50.0", "v0.51.0"}, "go 1.26.8 to 1.26.9"},
		"other version": {npm, []string{`"version": "1.0.0"}`, `"version": "1.2.0"}`, `{"hono": "1.0.0"}`, `{"hono": "1.0.1"}`}, ""},
	} {
		changed := map[string]string{}
		for name, text := range of.files {
			changed[name] = strings.NewReplacer(of.replaced...).Replace(text)
		}
		bump, moved, err := Changes(write(t, of.files), write(t, changed), "")
		if bump != of.bump || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, bump, err, of.bump)
		}
		for _, text := range moved {
			if strings.Contains(text, "safe") {
				t.Errorf("%s: it says %s", name, text)
			}
		}
	}
}

func TestAPackageThatAServerDoesNotUse(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"http/one: does not use the package express; its package-lock.json has bun, hono":                                  {"package-lock.json": npmLock},
		"http/one: has no lock file in its directory; want one of package-lock.json, go.mod, Cargo.lock, requirements.txt": {"server.js": ""},
		"http/one: package-lock.json: unexpected end of JSON input":                                                        {"package-lock.json": ""},
	} {
		if _, _, err := find(write(t, files), "express"); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	s := write(t, map[string]string{"go.mod": "module x\n\ngo 1.26.8\n\nrequire (\n\ta.example/pgx/v4 v4.1.0\n\tb.example/pgx v1.0.0\n)\n\nreplace b.example/pgx => ../pgx\n"})
	if _, _, err := find(s, "pgx"); err == nil || err.Error() != "http/one: pgx may be a.example/pgx/v4 or b.example/pgx; name one of them" {
		t.Errorf("two modules with one name: %v", err)
	}
	if _, err := Use(t.Context(), &s, Release{Package: "b.example/pgx", Version: "1.1.0"}); err == nil || err.Error() != "b.example/pgx@1.1.0: go.mod replaces it by ../pgx; remove that line" {
		t.Errorf("a replaced module: %v", err)
	}
	s = write(t, map[string]string{"Cargo.lock": strings.Replace(cargoLock, "source = \"registry+https://x\"", "source = \"git+https://x\"", 1), "Cargo.toml": "[dependencies]\naxum = { git = \"https://x\" }\n"})
	if _, _, err := find(s, "axum"); err == nil || !strings.Contains(err.Error(), "does not use the package axum") {
		t.Errorf("a crate of git: %v", err)
	}
	s = write(t, map[string]string{"package-lock.json": npmLock})
	if _, err := Use(t.Context(), &s, Release{Package: "ms", Version: "2.1.3"}); err == nil || !strings.Contains(err.Error(), "package.json does not ask for it") {
		t.Errorf("part of another package: %v", err)
	}
}

func TestRange(t *testing.T) {
	bin := t.TempDir()
	testfile.Program(t, filepath.Join(bin, "npm"), "#!/bin/sh\necho '{\"versions\": [\"1.0.0\", \"1.10.0\", \"1.9.0\", \"2.0.0-rc.1\"], \"time\": {\"1.9.0\": \"2026-01-02T00:00:00Z\"}}'\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	s := write(t, map[string]string{"package-lock.json": npmLock})
	for _, of := range []struct{ from, to, want string }{
		{"1.0.0", "", "hono@1.0.0 hono@1.9.0 hono@1.10.0"}, {"1.9.0", "1.10.0", "hono@1.9.0 hono@1.10.0"},
		{"1.10.0", "1.9.0", "hono@1.10.0 hono@1.9.0"}, {"1.9.0", "1.9.0", "hono@1.9.0"},
		{"1.0.0", "2.0.0-rc.1", "hono@2.0.0-rc.1: no stable version in the registry; `scripts/bench releases hono http/one` lists them"},
	} {
		all, err := Range(t.Context(), s, "hono", of.from, of.to)
		var got []string
		for _, r := range all {
			got = append(got, r.String())
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if strings.Join(got, " ") != of.want {
			t.Errorf("from %s to %s: %s; want %s", of.from, of.to, got, of.want)
		}
	}
}

// npm by itself only warns of install scripts that no one approved.
func TestInstallScriptsAreLimited(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	for _, of := range []struct{ known, manifest, file, fault string }{
		{"false", `{"allowScripts": {"bun": true}}`, "a=b\nstrict-allow-scripts=true\n", ""},
		{"undefined", "{}", "a=b\nignore-scripts=true\n", ""},
		{"undefined", `{"allowScripts": {"bun": true}}`, "a=b", "this npm cannot limit install scripts to those of allowScripts; update it: npm install --global npm@latest"},
	} {
		testfile.Program(t, filepath.Join(bin, "npm"), "#!/bin/sh\necho "+of.known+"\n")
		dir := write(t, map[string]string{"package.json": of.manifest, ".npmrc": "a=b"}).Dir
		err := npm{}.limitScripts(t.Context(), dir)
		text, err2 := os.ReadFile(filepath.Join(dir, ".npmrc"))
		if err2 != nil || string(text) != of.file || (err == nil) != (of.fault == "") || err != nil && err.Error() != of.fault {
			t.Errorf("%s, %s: %q, %v, %v; want %q, %q", of.known, of.manifest, text, err, err2, of.file, of.fault)
		}
	}
}

// A tool that writes another version than asked is an error. Go's own version is that of the commands too.
func TestUseTrustsTheLockFileAlone(t *testing.T) {
	bin := t.TempDir()
	testfile.Program(t, filepath.Join(bin, "npm"), "#!/bin/sh\nexit 0\n")
	testfile.Program(t, filepath.Join(bin, "go"), "#!/bin/sh\necho $@ >args; sed -i s/1.26.8/1.26.4/ go.mod\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	s := write(t, map[string]string{"package-lock.json": npmLock, "package.json": "{}"})
	if _, err := Use(t.Context(), &s, Release{Package: "hono", Version: "1.2.0"}); err == nil || err.Error() != "hono@1.2.0: package-lock.json has 1.0.0 afterwards; another package may ask for it" {
		t.Errorf("error %v", err)
	}
	s = write(t, map[string]string{"go.mod": strings.Replace(goMod, "go 1.26.8\n", "go 1.25.0\n\ntoolchain go1.26.8\n", 1)})
	_, err := Use(t.Context(), &s, Release{Package: "go", Version: "1.26.4"})
	args, err2 := os.ReadFile(filepath.Join(s.Dir, "args"))
	if err := errors.Join(err, err2); err != nil || string(args) != "mod edit -go=1.25.0 -toolchain=go1.26.4\n" {
		t.Errorf("the go line moves only where it must: %v, %s", err, args)
	}
	s = write(t, map[string]string{"go.mod": goMod})
	s.Build, s.Versions = []string{"go", "build"}, map[string][]string{"go": {"go", "version"}}
	if _, err := Use(t.Context(), &s, Release{Package: "go", Version: "1.26.4"}); err != nil || strings.Join(s.Build, " ") != "env GOTOOLCHAIN=go1.26.4 go build" || len(s.Versions["go"]) != 4 {
		t.Errorf("%q, %q, %v", s.Build, s.Versions, err)
	}
}
