package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// The same sources in another directory give the same program, for every server: otherwise a program's hash
// would say nothing about its sources. Here are the servers that scripts/test builds.
func TestBuildsAreReproducible(t *testing.T) {
	t.Parallel()
	reproducible(t, workload.Names()[:1])
}

func TestLongAllBuildsAreReproducible(t *testing.T) {
	long(t, "ten minutes")
	reproducible(t, workload.Names()[1:])
}

// reproducible builds the servers of workloads here and in another directory.
func reproducible(t *testing.T, workloads []string) {
	all, err := server.All("../servers")
	if err != nil {
		t.Fatal(err)
	}
	here, err := server.Select(all, workloads)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("./bench", append([]string{"build"}, workloads...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := newProject(t)
	p.copy("../servers/.", "servers")
	for _, s := range here {
		dir := filepath.Join(p.root, s.ID().Dir())
		p.must(os.RemoveAll(filepath.Join(dir, "bin")))
		if exists(filepath.Join(dir, "Cargo.toml")) { // keep the dependencies, build the server anew
			clean := exec.Command("cargo", "clean", "--release", "--package", s.Name)
			clean.Dir = dir
			if out, err := clean.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	}
	p.bench(append([]string{"build"}, workloads...)...).expect(t, 0)
	for _, s := range here {
		there := s
		there.Dir = filepath.Join(p.root, s.ID().Dir())
		built, err := build.Artefact(s)
		p.must(err)
		again, err := build.Artefact(there)
		p.must(err)
		if built == nil || again == nil || *built != *again {
			t.Errorf("%s: another artefact when built in another directory", s.ID())
		}
	}
}
