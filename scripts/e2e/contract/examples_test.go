package contract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
)

// The servers that servers/README.md shows work from any directory, and pass the
// contract. They take their packages from PyPI and npm.
func TestTheExamplesPassTheContract(t *testing.T) {
	for _, name := range []string{"python", "node"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("../testdata/examples", name))); err != nil {
				t.Fatal(err)
			}
			s, err := server.Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := build.Server(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if versions, err := build.ServerVersions(t.Context(), s); err != nil {
				t.Errorf("%v, %v", versions, err)
			}
			results, err := verify.Server(t.Context(), root, filepath.Join(t.TempDir(), "logs"), s, contracts.Of(s.Workload), process.FreePort, func(verify.Result) {})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if !r.Pass {
					t.Log(r.Failure())
				}
			}
			if err := verify.FailedChecks(results); err != nil {
				t.Error(err)
			}
		})
	}
}

// servers/README.md shows the files that are tested.
func TestTheReadmeShowsTheExamples(t *testing.T) {
	readme, err := os.ReadFile("../../../servers/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"python", "node"} {
		file, err := os.ReadFile(filepath.Join("../testdata/examples", name, "server.json"))
		if err != nil || !strings.Contains(string(readme), "```json\n"+string(file)+"```\n") {
			t.Errorf("%s/server.json is not in servers/README.md as it is: %v", name, err)
		}
	}
}
