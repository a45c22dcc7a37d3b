package workload

import (
	"fmt"
	"regexp"
	"strings"
)

var serverName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// takenNames are reserved names, which mean something else in the place of a server.
var takenNames = map[string]string{"direct": "k6 straight to the stub", "k6": "the load generator", "leaderboard": "the job that loads all servers", "stub": "the fake model"}

// mostServer limits a server's name in bytes, since the stub counts streams by name and side.
const mostServer = 50

// IsServerName reports whether a text can be the name of a server.
func IsServerName(name string) bool { return CheckServerName(name) == nil }

// CheckServerName returns the reason why a text cannot be a server's name. Texts from other machines and from the
// branch must pass it.
func CheckServerName(name string) error {
	switch {
	case !serverName.MatchString(name):
		return fmt.Errorf("server %.60q: want lower-case letters and digits, joined by single hyphens", name)
	case len(name) > mostServer:
		return fmt.Errorf("server %.60q: the name has %d letters; want at most %d", name, len(name), mostServer)
	case takenNames[name] != "":
		return fmt.Errorf("server %q: the name stands for %s; choose another", name, takenNames[name])
	}
	return nil
}

var otherLetters = regexp.MustCompile(`[^a-z0-9]+`)

// NameOfDirectory is the name of a server in a directory that people named for other purposes: my-server for My_Server.
// CheckServerName still has to check it.
func NameOfDirectory(base string) string {
	name := strings.Trim(otherLetters.ReplaceAllString(strings.ToLower(base), "-"), "-")
	if name == "" {
		return base
	}
	return strings.TrimRight(name[:min(len(name), mostServer)], "-")
}
