package trial

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

const patchDir = "patches"

// Each patch fits the sources as they are, and passes go vet where it is of a Go server. Each workload of requests has one.
func TestPatchesFitTheServers(t *testing.T) {
	patches, err := ReadPatches(patchDir)
	if err != nil {
		t.Fatal(err)
	}
	var patched []string
	for _, p := range patches {
		server, err := workload.Parse(p.Server)
		if err != nil {
			t.Fatal(err)
		}
		patched = append(patched, server.Workload)
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			from, dir := filepath.Join("../../../..", server.Dir()), filepath.Join(t.TempDir(), server.Name)
			s, err := Copy(from, dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := ApplyPatch(t.Context(), s, filepath.Join(patchDir, p.Name+patchSuffix)); err != nil {
				t.Fatal(err)
			}
			if same(t, from, dir) {
				t.Error("it changes nothing")
			}
			if s.Language != "go" {
				return
			}
			vet := exec.Command("go", "vet", ".")
			vet.Dir = dir
			if out, err := vet.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	for _, w := range workload.All {
		if w.Unit == workload.Request && !slices.Contains(patched, w.Name) {
			t.Errorf("no patch of %s", w.Name)
		}
	}
}

// same reports whether two directories have the same sources.
func same(t *testing.T, a, b string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(b, "*"))
	more, moreErr := filepath.Glob(filepath.Join(b, "src", "*"))
	if err != nil || moreErr != nil {
		t.Fatal(err, moreErr)
	}
	for _, file := range append(files, more...) {
		below, err := filepath.Rel(b, file)
		if err != nil {
			t.Fatal(err)
		}
		now, readErr := os.ReadFile(file)
		was, wasErr := os.ReadFile(filepath.Join(a, below))
		if readErr == nil && wasErr == nil && string(now) != string(was) {
			return false
		}
	}
	return true
}

// A patch fits or is refused, also deep in a repository.
func TestAPatchThatDoesNotFitIsRefused(t *testing.T) {
	top := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", top).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := server.Server{Workload: workload.Names()[0], Name: "a", Dir: filepath.Join(top, "deep", "a")}
	code, file := filepath.Join(s.Dir, "main.txt"), filepath.Join(top, "a.patch")
	git := fmt.Sprintf("diff --git a/%[1]s/main.txt b/%[1]s/main.txt", s.ID().Dir())
	diff := strings.Join([]string{"Injects: b", git, "--- a/" + s.ID().Dir() + "/main.txt", "+++ b/" + s.ID().Dir() + "/main.txt", "@@ -1 +1 @@", "-a", "+b", ""}, "\n")
	for name, text := range map[string]string{code: "a\n", file: diff} {
		testfile.Write(t, name, text)
	}
	if err := ApplyPatch(t.Context(), s, file); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(code); err != nil || string(text) != "b\n" {
		t.Errorf("%q, %v; want b", text, err)
	}
	if err := ApplyPatch(t.Context(), s, file); err == nil || !strings.Contains(err.Error(), "does not fit "+s.ID().String()) {
		t.Errorf("a second time: %v", err)
	}
}

func TestPatchesAreReadStrictly(t *testing.T) {
	patches, err := ReadPatches(patchDir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(patchDir, patches[0].Name+patchSuffix))
	if err != nil {
		t.Fatal(err)
	}
	of := patches[0].Server
	for name, c := range map[string]struct{ old, new, want string }{
		"whole":                  {"", "", ""},
		"no head":                {"Injects: ", "", `line 1: want "Injects: "`},
		"no size":                {"Intended: +", "Intended: about ", "want a change in per cent"},
		"a size of 0":            {fmt.Sprintf("Intended: %+g", patches[0].Pct), "Intended: 0", "a change of 0 %"},
		"another metric":         {"Found in: ", "Found in: x", "does not decide on " + of},
		"a file of two servers":  {"+++ b/servers/" + of, "+++ b/servers/" + of + "2", "files of one server only"},
		"a file of the rig":      {"--- a/servers/" + of, "--- a/k6", "files of one server only"},
		"files without a prefix": {"--- a/", "--- ", "files of one server only"},
		"an unknown workload":    {"/servers/" + of, "/servers/none/a", "none"},
	} {
		p, err := parsePatch("x", strings.ReplaceAll(string(text), c.old, c.new))
		switch {
		case c.want == "" && (err != nil || p.Server != of || p.What == "" || p.Pct != patches[0].Pct):
			t.Errorf("%s: %+v, %v", name, p, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	if _, err := ReadPatches(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no file *.patch") {
		t.Errorf("an empty directory: %v", err)
	}
}
