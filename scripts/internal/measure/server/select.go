package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fairstream/scripts/internal/workload"
)

// All reads every server in servers, ordered by workload and name. It skips files and hidden directories.
// Every other directory must be a workload with servers. So a misspelt file name is an error, and the server
// does not vanish.
func All(servers string) ([]Server, error) {
	workloads, err := directories(servers)
	if err != nil {
		return nil, err
	}
	var all []Server
	for _, of := range workloads {
		if !workload.IsName(of) {
			return nil, fmt.Errorf("%s: no such workload; a server is servers/WORKLOAD/NAME, and workloads are %s", filepath.Join(servers, of), strings.Join(workload.Names(), ", "))
		}
		names, err := directories(filepath.Join(servers, of))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			s, err := LoadIn(servers, of, name)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// LoadIn reads the server servers/of/name. Its manifest must name that workload.
func LoadIn(servers, of, name string) (Server, error) {
	s, err := Load(filepath.Join(servers, of, name))
	if err == nil && s.Name != name {
		err = fmt.Errorf("%s: %w", filepath.Join(s.Dir, File), workload.CheckServerName(name))
	}
	if err == nil && s.Workload != of {
		err = fmt.Errorf("%s: \"workload\" is %q; want %q, the directory's", filepath.Join(s.Dir, File), s.Workload, of)
	}
	if err != nil {
		return Server{}, err
	}
	return s, nil
}

// directories lists the directories in dir that are not hidden, sorted.
func directories(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Select returns the named servers in the order of all, each once. The name of a workload means all of its
// servers. Without names it returns those of the first workload.
func Select(all []Server, names []string) ([]Server, error) {
	if len(names) == 0 {
		names = workload.Names()[:1]
	}
	var known, wanted []string
	for _, s := range all {
		known = append(known, s.ID().String())
	}
	for _, name := range names {
		if workload.IsName(name) {
			for _, s := range all {
				if s.Workload == name {
					wanted = append(wanted, s.ID().String())
				}
			}
			continue
		}
		id, err := workload.Parse(name)
		if err != nil || !slices.Contains(known, id.String()) {
			return nil, fmt.Errorf("server %q: unknown; known are %s; a directory elsewhere is named with a slash: ./%s", name, strings.Join(known, ", "), filepath.Base(name))
		}
		wanted = append(wanted, id.String())
	}
	return slices.DeleteFunc(slices.Clone(all), func(s Server) bool { return !slices.Contains(wanted, s.ID().String()) }), nil
}
