package session

import (
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// A command that begins to load names the k6 of another checkout.
func TestTheK6OfAnotherCheckoutIsNamed(t *testing.T) {
	proc := t.TempDir()
	process := func(pid, comm, cmdline string) {
		dir := filepath.Join(proc, pid)
		for name, text := range map[string]string{"comm": comm + "\n", "cmdline": cmdline} {
			testfile.Write(t, filepath.Join(dir, name), text)
		}
	}
	process("7", "bash", "bash\x00run\x00k6\x00")
	process("8", "k6", "/other/k6/bin/k6\x00inspect\x00compare.js\x00")
	process("9", "k6", "") // it has just ended
	if got := otherLoad(proc); got != "" {
		t.Errorf("got %q, want none", got)
	}
	process("10", "k6", "/other/k6/bin/k6\x00run\x00compare.js\x00")
	if got, want := otherLoad(proc), "process 10, /other/k6/bin/k6"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
