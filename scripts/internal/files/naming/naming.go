// Package naming says what can be the name of a server, and of a commit: what other
// machines upload or write on the branch is held to it.
package naming

import (
	"fmt"
	"regexp"
)

var server = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// taken are names that mean something else where a server's could stand.
var taken = map[string]string{"direct": "k6 straight to the stub", "k6": "the load generator", "leaderboard": "the job that loads all servers", "stub": "the fake model"}

// mostServer bounds a server's name in bytes: with its side it is one of the stub's tallies.
const mostServer = 50

// IsServer tells what can be the name of a server.
func IsServer(name string) bool { return CheckServer(name) == nil }

// CheckServer says why a name cannot be a server's.
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

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// IsCommit tells a full commit hash from every other name of a revision. A short
// one can be made to fit another commit.
func IsCommit(s string) bool { return commit.MatchString(s) }
