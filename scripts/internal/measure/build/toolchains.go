package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// toolchainHints says where to get the programs that build and run servers.
var toolchainHints = map[string]string{
	"go":      "install Go: https://go.dev/doc/install",
	"cargo":   "install Rust: https://rustup.rs",
	"npm":     "install Node.js, which brings npm: https://nodejs.org/en/download",
	"python3": "install Python 3 with pip; on Debian and Ubuntu: apt-get install python3-pip",
	"make":    cppHint,
	"g++":     cppHint,
	"nginx":   "install nginx; on Debian and Ubuntu: apt-get install nginx-core",
	"cmake":   "install CMake; on Debian and Ubuntu: apt-get install cmake",
}

const cppHint = "install a C++ compiler and make; on Debian and Ubuntu: apt-get install g++ make"

// Toolchains checks that each server's build command exists, and the language that its run command starts. Its
// error names all that are missing.
func Toolchains(ctx context.Context, servers []server.Server) error {
	var missing []error
	var seen []string
	need := func(tool, use string, s server.Server, has func(string) error) {
		if slices.Contains(seen, tool) || strings.Contains(tool, "/") {
			return
		}
		seen = append(seen, tool)
		if has(tool) == nil {
			return
		}
		hint := toolchainHints[strings.TrimSuffix(tool, " -m pip")]
		if hint == "" {
			hint = "install it, or name other servers on the command line"
		}
		missing = append(missing, fmt.Errorf("setup: %s: not found, but %s %s with it; %s", tool, s.Name, use, hint))
	}
	for _, s := range servers {
		need(s.Build[0], "is built", s, inPath)
		switch {
		case s.Language == "c++":
			need("g++", "is built", s, inPath) // its build is make or cmake
		case s.Run[0] == "python3":
			need("python3", "runs", s, inPath)
		default:
			continue // a program that the build makes, or the start reports the error
		}
		_, err := os.Stat(filepath.Join(s.Dir, "requirements.txt"))
		if err == nil {
			need("python3", "is built", s, inPath)
		}
		if inPath("python3") == nil && err == nil {
			need("python3 -m pip", "is built", s, func(string) error { return pip(ctx) })
		}
	}
	return errors.Join(missing...)
}

func inPath(program string) error {
	_, err := exec.LookPath(program)
	return err
}

// pip runs, since Debian has Python without it.
func pip(ctx context.Context) error {
	_, err := process.Output(ctx, process.Command{Args: []string{"python3", "-m", "pip", "--version"}})
	return err
}
