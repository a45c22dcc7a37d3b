package build

import (
	"archive/zip"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// newer is a Go that nobody has.
const newer = "1.999.4"

// goServer is a server whose go.mod wants that Go, on a machine that says GOTOOLCHAIN=local and has no network.
func goServer(t *testing.T) server.Server {
	t.Helper()
	dir, cache := t.TempDir(), t.TempDir()
	write(t, dir, "go.mod", "module server\n\ngo "+newer+"\n")
	write(t, dir, "main.go", "package main\n\nfunc main() {}\n")
	for name, value := range map[string]string{
		"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOSUMDB": "off", "GONOSUMDB": "", "GOENV": "off", "GOWORK": "",
		"GOFLAGS": "-modcacherw", "GOMODCACHE": cache,
	} {
		t.Setenv(name, value)
	}
	return server.Server{Name: "shop", Dir: dir, Build: []string{"go", "build", "-o", "server", "."},
		Versions: map[string][]string{"go": {"go", "env", "GOVERSION"}}}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	testfile.Write(t, filepath.Join(dir, name), text)
}

// with sets -go-toolchain for a test.
func with(t *testing.T, value string) {
	t.Helper()
	was := toolchain
	t.Cleanup(func() { toolchain = was })
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	Flag(flags)
	if err := flags.Parse([]string{"-go-toolchain", value}); err != nil {
		t.Fatal(err)
	}
}

// proxy is a directory that serves a Go, whose program says its version. A corrupt one has a text instead of its zip.
func proxy(t *testing.T, corrupt bool) string {
	t.Helper()
	dir := t.TempDir()
	at := filepath.Join(dir, "golang.org/toolchain/@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	name := "v0.0.1-go" + newer + "." + runtime.GOOS + "-" + runtime.GOARCH
	f, err := os.Create(filepath.Join(at, name+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if corrupt {
		if _, err := f.WriteString("no zip"); err != nil {
			t.Fatal(err)
		}
		return "file://" + dir
	}
	z := zip.NewWriter(f)
	for _, file := range [][2]string{
		{"bin/go", "#!/bin/sh\n[ \"$1\" = env ] || exec >server\necho go" + newer + "\n"},
		{"bin/gofmt", ""}, {"pkg/tool/vet", ""}, {"lib/x", ""}, {"src/_go.mod", "module std\n"},
		{"go.mod", "module golang.org/toolchain\n"},
	} {
		w, err := z.Create("golang.org/toolchain@" + name + "/" + file[0])
		if err == nil {
			_, err = w.Write([]byte(file[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + dir
}

// The Go of a server's go.mod builds it, also where the environment says local. Its version is that of the builder.
func TestANewerGoIsDownloadedForAServer(t *testing.T) {
	s := goServer(t)
	t.Setenv("GOPROXY", proxy(t, false))
	if err := Server(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, "server"))
	if err != nil || string(text) != "go"+newer+"\n" {
		t.Errorf("the builder is %q, %v", text, err)
	}
	if versions, err := ServerVersions(t.Context(), s); err != nil || versions["go"] != newer {
		t.Errorf("versions %v, %v; want go %s", versions, err, newer)
	}
}

func TestAGoThatCannotBeHadIsNotTheServersFault(t *testing.T) {
	for name, c := range map[string]struct {
		wants, proxy, flag, message string
	}{
		"no module proxy":      {newer, "off", "auto", "go: download go" + newer + " for "},
		"not in the proxy":     {newer, "file:///nonexistent", "auto", "go: download go" + newer + " for "},
		"no network":           {newer, "http://127.0.0.1:1", "auto", "connection refused"},
		"no checksum database": {newer, proxy(t, false) + ",off", "auto", "checksum database disabled by GOSUMDB=off"},
		"broken download":      {newer, proxy(t, true), "auto", "not a valid zip file"},
		"no patch release":     {"1.999.0", "off", "auto", "go: download go1.999.0 for "},
		"only the local one":   {newer, "off", "local", "go.mod requires go >= " + newer + " (running go "},
	} {
		t.Run(name, func(t *testing.T) {
			s := goServer(t)
			t.Setenv("GOPROXY", c.proxy)
			with(t, c.flag)
			write(t, s.Dir, "go.mod", "module server\n\ngo "+strings.TrimSuffix(c.wants, ".0")+"\n")
			err := Server(t.Context(), s)
			start := "build: shop: Go " + c.wants + " " + raw.NoToolchain
			if err == nil || !strings.HasPrefix(err.Error(), start) || !strings.Contains(err.Error(), c.message) ||
				!strings.Contains(err.Error(), "; in a workflow of another repository, the input go-version of compare.yml and publish.yml does that\n") ||
				strings.Contains(err.Error(), "-go-toolchain") != (c.flag == "local") {
				t.Errorf("got %v\nwant %s, and %s", err, start, c.message)
			}
		})
	}
}

// The server's own faults stay its own.
func TestOtherFaultsOfABuildAreTheServers(t *testing.T) {
	for name, goMod := range map[string]string{
		"a module that is not there": "module server\n\ngo 1.26.0\n\nrequire example.com/x v1.0.0\n",
		"a directive that is wrong":  "module server\n\ngo one\n",
	} {
		s := goServer(t)
		write(t, s.Dir, "go.mod", goMod)
		write(t, s.Dir, "main.go", "package main\n\nimport _ \"example.com/x\"\n\nfunc main() {}\n")
		err := Server(t.Context(), s)
		if err == nil || !strings.HasPrefix(err.Error(), "build: shop: go: exited with status 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheFlagTakesTwoValues(t *testing.T) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	Flag(flags)
	if err := flags.Parse([]string{"-go-toolchain", "go1.27.4"}); err == nil ||
		!strings.Contains(err.Error(), "want auto or local") {
		t.Errorf("got %v", err)
	}
}
