package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// All reads every server in servers, ordered by name. Files and hidden
// directories are passed over; any other directory must be a server, so that
// a misspelt file name cannot make one vanish.
func All(servers string) ([]Server, error) {
	entries, err := os.ReadDir(servers) // sorted
	if err != nil {
		return nil, err
	}
	var all []Server
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		s, err := Load(filepath.Join(servers, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Select picks the named servers, each once, in the order of all. No names
// means all of them.
func Select(all []Server, names []string) ([]Server, error) {
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, s := range all {
		known = append(known, s.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("server %q: unknown; known are %s", name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s Server) bool { return !slices.Contains(names, s.Name) }), nil
}
