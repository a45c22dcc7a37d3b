package manifest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sameData checks that all servers of a workload have the same data.json, or none has one. It returns how many
// have one.
func sameData(servers string) (n int, err error) {
	workloads, err := directories(servers)
	if err != nil {
		return 0, err
	}
	for _, workload := range workloads {
		manifests, err := filepath.Glob(filepath.Join(servers, workload, "*", File))
		if err != nil {
			return 0, err
		}
		var first string
		var content []byte
		for i, manifest := range manifests {
			path := filepath.Join(filepath.Dir(manifest), "data.json")
			data, err := os.ReadFile(path)
			if err != nil && !os.IsNotExist(err) {
				return 0, err
			}
			if i == 0 {
				first, content = path, data
			}
			if (data == nil) != (content == nil) || !bytes.Equal(data, content) {
				return 0, fmt.Errorf("%s: differs from %s; each server of a workload has a copy of the same file", path, first)
			}
			if data != nil {
				n++
			}
		}
	}
	return n, nil
}

// A server with less to read would look faster.
func TestServersOfAWorkloadReadTheSameData(t *testing.T) {
	n, err := sameData("../../../../servers")
	if err != nil {
		t.Error(err)
	}
	if err == nil && n < 2 {
		t.Errorf("%d servers have a data.json; want some", n)
	}
}

func TestOtherDataIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string // the server whose file differs
		n     int
	}{
		"the same":          {map[string]string{"a/x/data.json": "1", "a/y/data.json": "1", "b/x/": ""}, "", 2},
		"of two workloads":  {map[string]string{"a/x/data.json": "1", "b/x/data.json": "2"}, "", 2},
		"another":           {map[string]string{"a/x/data.json": "1", "a/y/data.json": "1 "}, "a/y", 0},
		"an empty one":      {map[string]string{"a/x/data.json": "", "a/y/data.json": "1"}, "a/y", 0},
		"a missing one":     {map[string]string{"a/x/data.json": "1", "a/y/": ""}, "a/y", 0},
		"a missing first":   {map[string]string{"a/x/": "", "a/y/data.json": ""}, "a/y", 0},
		"not of any server": {map[string]string{"a/x/data.json": "1", "a/data.json": "2"}, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for path, content := range c.files {
				if dir, file := filepath.Split(path); strings.Count(dir, "/") == 2 {
					files[dir+File] = good
					if file == "" {
						continue
					}
				}
				files[path] = content
			}
			root := tree(t, files)
			n, err := sameData(root)
			if n != c.n || (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), filepath.Join(root, c.want, "data.json")+": differs") {
				t.Errorf("%d, %v; want %d, and an error for %q", n, err, c.n, c.want)
			}
		})
	}
}
