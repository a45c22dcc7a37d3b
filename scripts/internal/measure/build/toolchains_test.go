package build

import (
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// Programs stand in PATH as scripts, so that a missing one is found in any place.
func TestMissingToolchains(t *testing.T) {
	const (
		withPip    = "#!/bin/sh\n[ \"$*\" = '-m pip --version' ]\n"
		withoutPip = "#!/bin/sh\necho 'No module named pip' >&2\nexit 1\n"
	)
	locked := t.TempDir()
	testfile.Write(t, filepath.Join(locked, "requirements.txt"), "")
	described := func(name, dir string, build, run string) server.Server {
		return server.Server{Name: name, Dir: dir, Build: []string{build, "x"}, Run: []string{run, "y"}}
	}
	all := []server.Server{
		described("crab", "", "cargo", "target/crab"),
		described("gopher", "", "go", "bin/gopher"),
		described("own", "", "./build", "bin/own"),
		described("snake", locked, "sh", "python3"),
		described("viper", locked, "sh", "python3"),
	}
	cpp := described("beast", locked, "make", "bin/server")
	cpp.Language = "c++"
	for name, c := range map[string]struct {
		programs map[string]string
		servers  []server.Server
		want     string
	}{
		"all are there":     {map[string]string{"sh": "", "go": "", "cargo": "", "python3": withPip}, all, ""},
		"a compiler is not": {map[string]string{"sh": "", "go": "", "python3": withPip}, all, "setup: cargo: not found, but crab is built with it; install Rust: https://rustup.rs"},
		"two are not": {map[string]string{"sh": "", "cargo": ""}, all, "setup: go: not found, but gopher is built with it; install Go: https://go.dev/doc/install\n" +
			"setup: python3: not found, but snake runs with it; install Python 3 with pip; on Debian and Ubuntu: apt-get install python3-pip"},
		"Python without pip": {map[string]string{"sh": "", "go": "", "cargo": "", "python3": withoutPip}, all,
			"setup: python3 -m pip: not found, but snake is built with it; install Python 3 with pip; on Debian and Ubuntu: apt-get install python3-pip"},
		"Python without packages": {map[string]string{"sh": "", "python3": withoutPip}, []server.Server{described("worm", t.TempDir(), "sh", "python3")}, ""},
		"C++ with packages":       {map[string]string{"make": "", "g++": "", "python3": withPip}, []server.Server{cpp}, ""},
		"C++ without a compiler": {map[string]string{"make": "", "python3": withPip}, []server.Server{cpp},
			"setup: g++: not found, but beast is built with it; install a C++ compiler and make; on Debian and Ubuntu: apt-get install g++ make"},
		"C++ without Python": {map[string]string{"make": "", "g++": ""}, []server.Server{cpp},
			"setup: python3: not found, but beast is built with it; install Python 3 with pip; on Debian and Ubuntu: apt-get install python3-pip"},
		"a program of its own": {nil, []server.Server{described("rare", "", "zig", "bin/rare")},
			"setup: zig: not found, but rare is built with it; install it, or name other servers on the command line"},
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir()
			for program, script := range c.programs {
				testfile.Program(t, filepath.Join(path, program), script)
			}
			t.Setenv("PATH", path)
			got := ""
			if err := Toolchains(t.Context(), c.servers); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
