// Package naming says what can be the name of a server, and of a commit: what other
// machines upload or write on the branch is held to it.
package naming

import "regexp"

var server = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Taken are names that mean something else where a server's could stand.
var Taken = map[string]string{"direct": "k6 straight to the stub", "k6": "the load generator", "rank": "the job that loads all servers", "stub": "the fake model"}

// MostServer bounds a server's name in bytes: with its side it is one of the stub's tallies.
const MostServer = 50

// IsServer tells what can be the name of a server.
func IsServer(name string) bool {
	return IsPlain(name) && len(name) <= MostServer && Taken[name] == ""
}

// IsPlain tells a name of letters, digits and single dashes.
func IsPlain(name string) bool { return server.MatchString(name) }

var commit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// IsCommit tells a full commit hash from every other name of a revision. A short
// one can be made to fit another commit.
func IsCommit(s string) bool { return commit.MatchString(s) }
