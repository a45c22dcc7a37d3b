package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"fairstream/scripts/manifest"
)

// The same sources in another directory give the same program, for every
// server: otherwise a program's hash would say nothing about its sources.
func TestBuildsAreReproducible(t *testing.T) {
	here, err := manifest.All("../servers")
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t)
	p.copy("../servers/.", "servers")
	for _, s := range here {
		dir := filepath.Join(p.root, "servers", s.Name)
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
		built, again := hash(t, filepath.Join(s.Dir, s.Run[0])), hash(t, filepath.Join(p.root, "servers", s.Name, s.Run[0]))
		if built != again {
			t.Errorf("%s: %s has another hash when built in another directory", s.Name, s.Run[0])
		}
	}
}

func hash(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}
