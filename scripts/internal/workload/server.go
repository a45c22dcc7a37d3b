package workload

import (
	"fmt"
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
