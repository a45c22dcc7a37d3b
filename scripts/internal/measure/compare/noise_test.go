package compare

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestNoiseHistoryMayBeMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, PublishedNoiseFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", "-A")
		git("commit", "-q", "-m", "change")
	}
	const line = `{"epoch":"abcdef","server":"go-http","run":"1","cells":{"steady ttft_p95_ms":{"variance":0.01,"free":3}}}` + "\n"
	git("init", "-q", "-b", "main")
	for _, c := range []struct {
		file, ref string
		want      int
	}{{line + line, "main", 2}, {line, "elsewhere", 0}, {line + "no JSON\n", "main", 0}, {line[:40], "main", 0}} {
		write(c.file)
		noiseHistory, err := PublishedNoise(t.Context(), dir, c.ref)
		if n := len(noiseHistory); n != c.want || err != nil {
			t.Errorf("%q at %s: %d, %v; want %d", c.file, c.ref, n, err, c.want)
		}
	}
	// Of one's own file a crash may have cut the last line, and nothing else is a noise history.
	own := filepath.Join(dir, "own")
	for text, want := range map[string]int{line: 1, line + line[:40]: 1, line[:40]: 0, "no JSON\n" + line: -1} {
		if err := os.WriteFile(own, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if noiseHistory, err := readNoise(own); len(noiseHistory) != max(want, 0) || (err == nil) != (want >= 0) {
			t.Errorf("%q: %d, %v; want %d", text, len(noiseHistory), err, want)
		}
	}
	if noiseHistory, err := readNoise(filepath.Join(dir, "none")); noiseHistory != nil || err != nil {
		t.Errorf("no file: %v, %v", noiseHistory, err)
	}
}
