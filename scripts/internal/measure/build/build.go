// Package build makes the programs of a run: servers from their server.json, k6, the stub and the site's pages. It
// prepares a machine that has Go, Rust, Node, Python and git, and installs sysstat where it may. Otherwise it names what
// is missing, with the command to type. It knows two things of languages: go downloads other versions of itself, and
// cargo can share what it compiled.
package build

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
)

// Server runs the server's build command in its directory.
func Server(ctx context.Context, s server.Server) error {
	_, err := process.Output(ctx, process.Command{Args: s.Build, Dir: s.Dir, Env: append(goEnv(), cargoEnv(s.Dir)...)})
	if ctx.Err() != nil {
		return fmt.Errorf("build: %s: %w", s.Name, ctx.Err()) // the command is not wrong
	}
	if err == nil {
		return nil
	}
	if lacks := lacksGo(err.Error()); lacks != "" {
		return fmt.Errorf("build: %s: %s", s.Name, lacks)
	}
	return fmt.Errorf("build: %s: %w%s", s.Name, err, from("build"))
}

// cargoEnv lets the Rust servers of this tree share the crates that they lock in the same versions. Code of a revision or
// of another repository shares nothing, since a build script of a pull request could change what base is built from.
func cargoEnv(dir string) []string {
	root, err := Root()
	if err != nil {
		return nil // only the tool of a project builds its tree
	}
	servers := filepath.Join(root, "servers")
	if !strings.HasPrefix(dir, servers+string(filepath.Separator)) {
		return nil
	}
	return []string{"CARGO_BUILD_BUILD_DIR=" + filepath.Join(servers, ".cargo-build")}
}

// from says where a command that failed comes from. It names no path, since the error may get into a comment.
func from(key string) string {
	return fmt.Sprintf("\n    the command is %q in %s", key, server.File)
}

// ServerVersions returns the version of each component in the manifest of a built server. A failing command is an
// error.
func ServerVersions(ctx context.Context, s server.Server) (map[string]string, error) {
	versions := map[string]string{}
	for component, args := range s.Versions {
		out, err := process.Output(ctx, process.Command{Args: args, Dir: s.Dir, Env: goEnv()})
		if err != nil {
			return nil, fmt.Errorf("build: %s: version of %s: %w%s", s.Name, component, err, from("versions"))
		}
		if strings.TrimSpace(out) == "" {
			return nil, fmt.Errorf(`build: %s: version of %s: %q printed nothing to standard output; if it prints to standard error, correct "versions" in %s: ["sh", "-c", "%[3]s 2>&1"]`, s.Name, component, strings.Join(args, " "), server.File)
		}
		if versions[component], err = Version(out); err != nil {
			return nil, fmt.Errorf("build: %s: version of %s: %q printed %w; correct \"versions\" in %s", s.Name, component, strings.Join(args, " "), err, server.File)
		}
	}
	return versions, nil
}

// A version begins with a digit at the start of a word, or after the prefixes v and go: "go version go1.26.8
// linux/amd64", "axum@0.8.9", "v1.12.0". It includes the mark of a prerelease: "1.2.3-rc.1", "go1.27rc1".
var versionForm = regexp.MustCompile(`(?:^|[^0-9A-Za-z.]|\bv|\bgo)(\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+|(?:a|b|alpha|beta|rc)\d+)?)`)

// Version finds the first version in the output of a program.
func Version(output string) (string, error) {
	m := versionForm.FindStringSubmatch(output)
	if m == nil {
		return "", fmt.Errorf("no version such as 1.2.3 but %q", strings.TrimSpace(output))
	}
	return m[1], nil
}
