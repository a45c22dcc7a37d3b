// Package setup prepares a machine that has Go, Rust, Node and git. It builds k6 and the stub, and installs
// sysstat where it may. Otherwise it names what is missing, with the command to type.
package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/builder"
	"fairstream/scripts/internal/measure/manifest"
	"fairstream/scripts/internal/measure/process"
)

// A Say is called before a step that may take a while.
type Say func(step string)

// Run prepares everything for the given servers. It returns the versions of the rig's tools, from the tools
// themselves.
func Run(ctx context.Context, root string, servers []manifest.Server, say Say) (map[string]string, error) {
	if err := Toolchains(servers); err != nil {
		return nil, err
	}
	if err := sysstat(ctx, say); err != nil {
		return nil, err
	}
	say("setup: k6 and the stub (the first build of k6 takes some minutes)")
	for _, name := range []string{"k6", "stub"} {
		if err := goProgram(ctx, filepath.Join(root, name), name); err != nil {
			return nil, err
		}
	}
	return versions(ctx, root)
}

// toolchainHints says where to get the programs that build servers.
var toolchainHints = map[string]string{
	"go":    "install Go: https://go.dev/doc/install",
	"cargo": "install Rust: https://rustup.rs",
	"npm":   "install Node.js, which brings npm: https://nodejs.org/en/download",
}

// Toolchains checks that each server's build command exists. Its error names all that are missing.
func Toolchains(servers []manifest.Server) error {
	var missing []error
	var seen []string
	for _, s := range servers {
		program := s.Build[0]
		if slices.Contains(seen, program) || strings.Contains(program, "/") {
			continue
		}
		seen = append(seen, program)
		if _, err := exec.LookPath(program); err != nil {
			hint := toolchainHints[program]
			if hint == "" {
				hint = "install it, or name other servers on the command line"
			}
			missing = append(missing, fmt.Errorf("setup: %s: not found, but %s is built with it; %s", program, s.Name, hint))
		}
	}
	return errors.Join(missing...)
}

// Stub builds the stub alone.
func Stub(ctx context.Context, root string) error {
	return goProgram(ctx, filepath.Join(root, "stub"), "stub")
}

// buildEnv is added to the environment for building the rig.
var buildEnv = []string{"CGO_ENABLED=0"}

// goProgram builds a Go module's program into its bin directory.
func goProgram(ctx context.Context, dir, name string) error {
	_, err := process.Output(ctx, process.Command{
		Dir: dir, Env: buildEnv,
		Args: []string{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", "bin/" + name, "."},
	})
	if err != nil {
		return fmt.Errorf("setup: %s: %w", name, err)
	}
	return nil
}

// versions asks the rig's tools for their versions. The stub reports the toolchain that built it.
func versions(ctx context.Context, root string) (map[string]string, error) {
	told := map[string]string{}
	for tool, c := range map[string]process.Command{
		"k6":      {Args: []string{filepath.Join(root, "k6", "bin", "k6"), "version"}},
		"sysstat": {Args: []string{"pidstat", "-V"}, Env: []string{"LC_ALL=C"}},
		"go":      {Args: []string{"go", "version"}, Dir: filepath.Join(root, "stub")},
	} {
		out, err := process.Output(ctx, c)
		if err == nil {
			told[tool], err = builder.Version(out)
		}
		if err != nil {
			return nil, fmt.Errorf("setup: version of %s: %w", tool, err)
		}
	}
	return told, nil
}

// Root finds the project: the directory above the tool's directory.
func Root() (string, error) {
	exe, err := os.Executable() // scripts/bin/bench
	if err != nil {
		return "", err
	}
	root := filepath.Dir(filepath.Dir(filepath.Dir(exe)))
	for _, part := range []string{"servers", "stub", "k6", "scripts"} {
		if _, err := os.Stat(filepath.Join(root, part)); err != nil {
			return "", fmt.Errorf("%s: no directory %s here; start the tool with scripts/bench of the project", root, part)
		}
	}
	return root, nil
}
