package release

import (
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
		"hono@4.12.0": {"hono", "4.12.0"}, "go@1.26.8": {"go", "1.26.8"}, "@fastify/cors@11.0.1": {"@fastify/cors", "11.0.1"},
		"github.com/gofiber/fiber/v3@v3.1.0": {"github.com/gofiber/fiber/v3", "3.1.0"}, "axum@0.9.0-rc.1": {"axum", "0.9.0-rc.1"},
		"main": {}, "HEAD~1": {}, "HEAD@{1}": {}, "v1.2.3": {}, "hono@latest": {}, "hono@": {}, "@1.2": {}, "-x@1.2": {},
	} {
		if got, ok := Parse(text); got != want || ok != (want != Release{}) {
			t.Errorf("%s: %v, %t; want %v", text, got, ok, want)
		}
	}
}

func TestVersionsAreOrderedByTheirNumbers(t *testing.T) {
	all := []Version{{Number: "1.10.0"}, {Number: "1.9.3"}, {Number: "1.9"}, {Number: "0.50.0"}}
	slices.SortFunc(all, Compare)
	if want := []Version{{Number: "0.50.0"}, {Number: "1.9"}, {Number: "1.9.3"}, {Number: "1.10.0"}}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
}

const (
	npmLock = `{"packages": {"": {"dependencies": {"hono": "1.0.0", "bun": "1.4.5"}}, "node_modules/hono": {"version": "1.0.0"},
		"node_modules/bun": {"version": "1.4.5", "os": ["linux"]}, "node_modules/@oven/bun-darwin": {"version": "1.4.5", "os": ["darwin"]},
		"node_modules/ms": {"version": "2.1.2"}, "node_modules/hono/node_modules/ms": {"version": "1.0.0"}}}`
	goMod     = "module x\n\ngo 1.26.8\n\nrequire (\n\tgithub.com/gofiber/fiber/v3 v3.1.0\n\tgolang.org/x/net v0.50.0 // indirect\n)\n"
	cargoLock = "version = 4\n\n[[package]]\nname = \"rust-axum\"\nversion = \"0.0.0\"\n\n[[package]]\nname = \"axum\"\nversion = \"0.8.9\"\nsource = \"registry\"\n\n" +
		"[[package]]\nname = \"syn\"\nversion = \"2.0.1\"\nsource = \"registry\"\n\n[[package]]\nname = \"syn\"\nversion = \"3.0.9\"\nsource = \"registry\"\n"
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
		"npm":    {map[string]string{"package-lock.json": npmLock}, `"version": "1.0.0"}`, `"version": "1.2.0"}`, "hono", "hono", "hono 1.0.0 to 1.2.0", []string{"hono > ms 1.0.0 to 1.2.0"}},
		"bun":    {map[string]string{"package-lock.json": npmLock}, `1.4.5", "os"`, `1.4.6", "os"`, "bun", "bun", "bun 1.4.5 to 1.4.6", nil},
		"module": {map[string]string{"go.mod": goMod}, "v3.1.0", "v3.2.0", "fiber", "github.com/gofiber/fiber/v3", "github.com/gofiber/fiber/v3 3.1.0 to 3.2.0", nil},
		"go":     {map[string]string{"go.mod": goMod}, "go 1.26.8", "go 1.26.9", "go", "go", "go 1.26.8 to 1.26.9", nil},
		"moved":  {map[string]string{"go.mod": goMod}, "v0.50.0", "v0.51.0", "golang.org/x/net", "golang.org/x/net", "", []string{"golang.org/x/net 0.50.0 to 0.51.0"}},
		"crate":  {map[string]string{"Cargo.lock": cargoLock, "Cargo.toml": "[dependencies]\naxum = { version = \"0.8\" }\n"}, "0.8.9", "0.8.4", "axum", "axum", "axum 0.8.9 to 0.8.4", nil},
		"crates": {map[string]string{"Cargo.lock": cargoLock, "Cargo.toml": "[dependencies]\naxum = \"0.8\"\n"}, "3.0.9", "3.1.0", "syn", "syn", "", []string{"syn 2.0.1 and 3.0.9 to 2.0.1 and 3.1.0"}},
		"python": {map[string]string{"requirements.txt": pipLock, "requirements.in": "starlette==1.10.0\n"}, "1.10.0", "1.9.0", "Starlette", "starlette", "starlette 1.10.0 to 1.9.0", nil},
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
	s := write(t, map[string]string{"package-lock.json": npmLock})
	if _, err := Use(t.Context(), &s, Release{"ms", "2.1.3"}); err == nil || !strings.Contains(err.Error(), "package.json does not ask for it") {
		t.Errorf("part of another package: %v", err)
	}
}

// A tool that writes another version than asked is an error. Go's own version is that of the commands too.
func TestUseTrustsTheLockFileAlone(t *testing.T) {
	bin := t.TempDir()
	testfile.Program(t, filepath.Join(bin, "npm"), "#!/bin/sh\nexit 0\n")
	testfile.Program(t, filepath.Join(bin, "go"), "#!/bin/sh\nsed -i s/1.26.8/1.26.4/ go.mod\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	s := write(t, map[string]string{"package-lock.json": npmLock})
	if _, err := Use(t.Context(), &s, Release{"hono", "1.2.0"}); err == nil || err.Error() != "hono@1.2.0: package-lock.json has 1.0.0 afterwards; another package may ask for it" {
		t.Errorf("error %v", err)
	}
	s = write(t, map[string]string{"go.mod": goMod})
	s.Build, s.Versions = []string{"go", "build"}, map[string][]string{"go": {"go", "version"}}
	if _, err := Use(t.Context(), &s, Release{"go", "1.26.4"}); err != nil || strings.Join(s.Build, " ") != "env GOTOOLCHAIN=go1.26.4 go build" || len(s.Versions["go"]) != 4 {
		t.Errorf("%q, %q, %v", s.Build, s.Versions, err)
	}
}
