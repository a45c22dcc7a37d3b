// Package naming checks names of servers and commits. Texts from other machines and from the branch must pass
// these checks.
package naming

import (
	"fmt"
	"regexp"
	"strings"
)

var server = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// taken are reserved names, which mean something else in the place of a server.
var taken = map[string]string{"direct": "k6 straight to the stub", "k6": "the load generator", "leaderboard": "the job that loads all servers", "stub": "the fake model"}

// mostServer limits a server's name in bytes, since the stub counts streams by name and side.
const mostServer = 50

// IsServer reports whether a text can be the name of a server.
func IsServer(name string) bool { return CheckServer(name) == nil }

// CheckServer returns the reason why a text cannot be a server's name.
func CheckServer(name string) error {
	switch {
	case !server.MatchString(name):
		return fmt.Errorf("server %.60q: want lower-case letters and digits, joined by single hyphens", name)
	case len(name) > mostServer:
		return fmt.Errorf("server %.60q: the name has %d letters; want at most %d", name, len(name), mostServer)
	case taken[name] != "":
		return fmt.Errorf("server %q: the name stands for %s; choose another", name, taken[name])
	}
	return nil
}

var others = regexp.MustCompile(`[^a-z0-9]+`)

// OfDirectory is the name of a server in a directory that people named for other purposes: my-server for My_Server.
// CheckServer still has to check it.
func OfDirectory(base string) string {
	name := strings.Trim(others.ReplaceAllString(strings.ToLower(base), "-"), "-")
	if name == "" {
		return base
	}
	return strings.TrimRight(name[:min(len(name), mostServer)], "-")
}

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// IsCommit reports whether a text is a full commit hash. A short hash could match another commit later.
func IsCommit(s string) bool { return commit.MatchString(s) }
