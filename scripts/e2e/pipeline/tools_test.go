package pipeline

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// tools builds act and actionlint into scripts/bin/tools, as scripts/tools/go.mod
// pins them; the first time that takes some minutes.
var tools = sync.OnceValues(func() (string, error) {
	dir, err := filepath.Abs("../../bin/tools")
	if err != nil {
		return "", err
	}
	return dir, command("../../tools", "go", "build", "-o", dir+"/", "tool")
})

// tool is the path of a Go tool.
func tool(t *testing.T, name string) string {
	t.Helper()
	dir, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// zizmor is its path, in an environment of Python's own under scripts/bin.
func zizmor(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("NOT CHECKED BY zizmor: there is no python3; install it: apt-get install python3-venv")
	}
	dir, err := filepath.Abs("../../bin/zizmor")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../tools/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	// Written last, so that it means a whole installation of these versions.
	installed := filepath.Join(dir, "requirements.txt")
	if have, _ := os.ReadFile(installed); !bytes.Equal(have, want) { // a missing file is fine
		if err := command(".", "python3", "-m", "venv", "--clear", dir); err != nil {
			t.Fatalf("%v\nDebian and Ubuntu have venv in a package of its own: apt-get install python3-venv", err)
		}
		pip := filepath.Join(dir, "bin", "pip")
		if err := command(".", pip, "install", "--quiet", "--require-hashes", "--only-binary=:all:", "-r", "../../tools/requirements.txt"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(installed, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "bin", "zizmor")
}
