package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"fairstream/scripts/internal/measure/build"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// The same sources in another directory give the same program, for every server: otherwise a program's hash
// would say nothing about its sources. Here are the servers that scripts/test builds.
func TestBuildsAreReproducible(t *testing.T) {
	t.Parallel()
	reproducible(t, func(s server.Server) bool { return s.Workload == workload.Names()[0] && s.Name != "cpp-beast" })
}

func TestLongAllBuildsAreReproducible(t *testing.T) {
	long(t, "ten minutes")
	reproducible(t, func(s server.Server) bool { return s.Workload != workload.Names()[0] || s.Name == "cpp-beast" })
}

// reproducible builds servers here and in another directory.
func reproducible(t *testing.T, wanted func(server.Server) bool) {
	all, err := server.All("../servers")
	if err != nil {
		t.Fatal(err)
	}
	here := slices.DeleteFunc(all, func(s server.Server) bool { return !wanted(s) })
	command := []string{"build"}
	for _, s := range here {
		command = append(command, s.ID().String())
	}
	if out, err := exec.Command("./bench", command...).CombinedOutput(); err != nil {
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
	p.bench(command...).expect(t, 0)
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
