package build

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"fairstream/scripts/internal/workload"
)

// explained is a line of k6/RIG.md: workload, hash, why.
var explained = regexp.MustCompile("(?m)^\\| ([a-z0-9-]+) \\| `([0-9a-f]{64})` \\| (.*[a-z].*) \\|$")

// A changed rig begins a new epoch: its figures cannot be compared with those before. So each change
// has a line that says why.
func TestEachRigIsExplained(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "k6/RIG.md"))
	if err != nil {
		t.Fatal(err)
	}
	current := map[string]string{} // the last line of each workload
	for _, line := range explained.FindAllSubmatch(text, -1) {
		current[string(line[1])] = string(line[2])
	}
	for _, w := range workload.All {
		hash, err := RigHash(t.Context(), root, w)
		if err != nil {
			t.Fatal(err)
		}
		if current[w.Name] != hash {
			line := fmt.Sprintf("| %s | `%s` | why it changed |", w.Name, hash)
			t.Errorf("the rig of %s changed, so later figures are not comparable with earlier ones: k6/RIG.md does not end with its hash; add this line, and say why:\n%s", w.Name, line)
		}
	}
}
