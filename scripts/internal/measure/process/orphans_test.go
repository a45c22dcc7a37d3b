package process

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOrphansAreAdoptedAndKilled(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "orphans")
	if _, err := Output(t.Context(), role(t, "adopt", "LOG="+log)); err != nil {
		t.Fatal(err)
	}
	// The orphan has a group of its own, so the end of ours is not what killed it.
	gone(t, pids(t, log, 1)[0])
}

// Children of another user cannot be killed, and save no others. They are those of
// the shell that this program replaces as another user.
func TestAChildOfAnotherUserSavesNoOther(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("it takes root to have another user's children")
	}
	dir := t.TempDir()
	c := role(t, "unprivileged")
	program := filepath.Join(dir, "program")
	code, err := os.ReadFile(c.Args[0])
	if err == nil {
		err = os.WriteFile(program, code, 0o755)
	}
	if err == nil {
		err = os.Chmod(filepath.Dir(dir), 0o755) // of all tests' directories, and of root alone
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Args = []string{"sh", "-c", `for i in 1 2 3; do sleep 1000 >/dev/null & done; exec setpriv --reuid=65534 --clear-groups "$0"`, program}
	// Output ends the group, and with it those of root.
	if out, err := Output(t.Context(), c); err != nil || out != "6 children\n" {
		t.Errorf("%q, %v", out, err)
	}
}
