package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/builder"
	"fairstream/scripts/internal/measure/manifest"
)

// The same sources in another directory give the same program, for every
// server: otherwise a program's hash would say nothing about its sources.
func TestBuildsAreReproducible(t *testing.T) {
	t.Parallel()
	here, err := manifest.All("../servers")
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t)
	p.copy("../servers/.", "servers")
	for _, s := range here {
		dir := filepath.Join(p.root, "servers/relay", s.Name)
		p.must(os.RemoveAll(filepath.Join(dir, "bin")))
		if exists(filepath.Join(dir, "Cargo.toml")) { // keep the dependencies, build the server anew
			clean := exec.Command("cargo", "clean", "--release", "--package", s.Name)
			clean.Dir = dir
			if out, err := clean.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	}
	p.bench("build").expect(t, 0)
	for _, s := range here {
		there := s
		there.Dir = filepath.Join(p.root, "servers/relay", s.Name)
		built, err := builder.Artefact(s)
		p.must(err)
		again, err := builder.Artefact(there)
		p.must(err)
		if built == nil || again == nil || *built != *again {
			t.Errorf("%s: another artefact when built in another directory", s.Name)
		}
	}
}
