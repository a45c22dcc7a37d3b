package pipeline

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The machine's gate accepts exactly the jobs that our workflows send: the calling workflow of the lane, at
// main, started by an allowed event.
func TestTheGateAcceptsJobsThatLoad(t *testing.T) {
	all, err := parse(ours(t))
	if err != nil {
		t.Fatal(err)
	}
	for file, lane := range lanes {
		conf, err := os.ReadFile(filepath.Join(root, ".github/runner/gate/fairstream-"+lane+".conf"))
		if err != nil {
			t.Fatal(err)
		}
		may := map[string][]string{}
		for line := range strings.Lines(string(conf)) {
			if key, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && key != "#" {
				may[key] = append(may[key], value)
			}
		}
		i := slices.IndexFunc(all, func(w workflow) bool { return w.name == file })
		want := map[string][]string{
			"event":    slices.Sorted(maps.Keys(all[i].On)),
			"ref":      {"refs/heads/main"},
			"ask":      {"/run/fairstream/" + lane}, // as the socket's unit has it
			"workflow": {fmt.Sprintf(".github/workflows/%s.yml@refs/heads/main", file)},
		}
		for key := range want {
			if got := slices.Sorted(slices.Values(may[key])); !slices.Equal(got, want[key]) {
				t.Errorf("lane %s: the gate's %s: %q, want %q", lane, key, got, want[key])
			}
		}
	}
}
