package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/verify"
)

func TestVerifyTakesADirectoryAnywhere(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("right")
	mine := filepath.Join(t.TempDir(), "mine")
	p.must(os.Rename(filepath.Join(p.root, "servers/relay/right"), mine))
	r := p.bench("verify", mine)
	r.expect(t, 0, "build: mine: done")
	if want := "relay/mine         passes  must "; !strings.HasPrefix(r.stdout, want) || strings.Count(r.stdout, "\n") != 1 {
		t.Errorf("printed %q; want one line that begins with %q", r.stdout, want)
	}
}

func TestVerifyNamesFailedChecks(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.wrong("exits")
	r := p.bench("verify", "exits")
	r.expect(t, 1, "\nverify: exits: C1 ready (must): exited with status 4; its last lines:\n")
	if want := "FAILS   must 0 of 1, should 0 of 0\n  C1 ready (must): exited with status 4; its last lines:\n    cannot open the configuration\n"; !strings.Contains(r.stdout, want) {
		t.Errorf("printed %q; want in it %q", r.stdout, want)
	}
	r = p.bench("verify", "-json", "exits")
	r.expect(t, 1)
	var got struct {
		Server string
		verify.Result
	}
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || got.Server != "exits" || got.Check != "ready" || got.Clause != "C1" || !got.Must || got.Pass || got.Evidence == "" {
		t.Errorf("%v: printed %s", err, r.stdout)
	}
}
