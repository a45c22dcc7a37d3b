package session

import (
	"slices"
	"testing"

	"fairstream/scripts/internal/measure/server"
)

// A server whose compiler is missing is left out where nobody named it, and is kept for an error where somebody did.
func TestBuildableLeavesOutWhatNobodyNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	all := []server.Server{
		{Workload: "relay", Name: "crab", Language: "rust", Build: []string{"cargo"}, Run: []string{"target/crab"}},
		{Workload: "relay", Name: "beast", Language: "c++", Build: []string{"make"}, Run: []string{"bin/beast"}},
		{Workload: "web", Name: "beast", Language: "c++", Build: []string{"make"}, Run: []string{"bin/beast"}},
		{Workload: "files", Name: "proxy", Language: "c", Build: []string{"proxy"}, Run: []string{"sh"}, Reference: true},
	}
	for _, c := range []struct{ names, want []string }{
		{nil, []string{"relay/crab"}},
		{[]string{"relay", "web", "files"}, []string{"relay/crab"}},
		{[]string{"relay", "web/beast"}, []string{"relay/crab", "web/beast"}},
		{[]string{"web", "beast"}, []string{"relay/beast"}},
		{[]string{"../somewhere/beast"}, []string{"relay/crab", "relay/beast", "web/beast", "files/proxy"}},
	} {
		var asked []server.Server
		for _, s := range all {
			if slices.Contains(c.names, s.Workload) || slices.Contains(c.want, s.ID().String()) || c.names == nil {
				asked = append(asked, s)
			}
		}
		var got []string
		for _, s := range buildable(t.Context(), c.names, slices.Clone(asked)) {
			got = append(got, s.ID().String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}
