package pipeline

import (
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
	if err := command("../..", "tools/python.sh"); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs("../../bin/python/bin/zizmor")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
