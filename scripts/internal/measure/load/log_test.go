package load

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/process"
	"fairstream/scripts/internal/testfile"
)

// The size of a server's output is not a figure. Much output causes a warning.
func TestAServerThatPrintsMuchGetsAWarning(t *testing.T) {
	for name, c := range map[string]struct {
		bytes int64
		want  []string
	}{
		"little": {1 << 20, nil},
		"much":   {100 << 20, []string{"the server printed 100 MiB; want at most 16"}},
	} {
		log := filepath.Join(t.TempDir(), "log")
		testfile.Write(t, log, "")
		if err := os.Truncate(log, c.bytes); err != nil {
			t.Fatal(err)
		}
		s := subject{Process: &process.Process{}, facts: &raw.TargetFacts{}}
		s.compareLog(log)
		if !slices.Equal(s.facts.Warnings, c.want) {
			t.Errorf("%s: %q, want %q", name, s.facts.Warnings, c.want)
		}
	}
}
