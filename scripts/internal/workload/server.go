package workload

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Names lists the names of all workloads. The first is the default.
func Names() (names []string) {
	for _, w := range All {
		names = append(names, w.Name)
	}
	return names
}

// IsName reports whether a text is the name of a workload.
func IsName(name string) bool { return slices.Contains(Names(), name) }

// Common returns the workload of servers, and the first workload for none. Scenarios belong to a workload, so
// servers of two have no load in common, and are an error.
func Common(servers []Server) (Workload, error) {
	if len(servers) == 0 {
		return All[0], nil
	}
	for _, s := range servers {
		if s.Workload != servers[0].Workload {
			return Workload{}, fmt.Errorf("%s and %s: one load has servers of one workload; name servers of one of them", servers[0], s)
		}
	}
	return Named(servers[0].Workload), nil
}

// Check returns an error unless there is a workload of that name.
func Check(name string) error {
	if !IsName(name) {
		return fmt.Errorf("workload %.60q: unknown; known are %s", name, strings.Join(Names(), ", "))
	}
	return nil
}

// A Server identifies a server. Embedded, it is two keys of a record.
type Server struct {
	Workload string `json:"workload"`
	Name     string `json:"server"` // name of its directory
}

// Parse reads a server as people write it: "relay/go-http", or "go-http" in the first workload.
func Parse(text string) (Server, error) {
	of, name, both := strings.Cut(text, "/")
	if !both {
		of, name = Names()[0], text
	}
	s := Server{of, name}
	return s, s.Check()
}

// Check returns an error unless the workload exists and the name is valid.
func (s Server) Check() error {
	if err := Check(s.Workload); err != nil {
		return err
	}
	return CheckServerName(s.Name)
}

// String is the form in text: relay/go-http.
func (s Server) String() string { return s.Workload + "/" + s.Name }

// Dotted is the form in names of files, artifacts and jobs: relay.go-http.
func (s Server) Dotted() string { return s.Workload + "." + s.Name }

// Dir is the server's directory in the project: servers/relay/go-http.
func (s Server) Dir() string { return "servers/" + s.String() }

// Compare orders servers by workload, then by name.
func (s Server) Compare(t Server) int { return strings.Compare(s.String(), t.String()) }

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
