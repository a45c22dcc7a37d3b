package load

import (
	"path/filepath"
	"slices"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/measure/process"
)

// Much output costs a server CPU time, so it causes a warning. The log keeps the end.
func TestAServerThatPrintsMuchGetsAWarning(t *testing.T) {
	for name, c := range map[string]struct {
		mib  string
		want []string
	}{
		"little": {"1", nil},
		"much":   {"20", []string{"the server printed 20 MiB; want at most 16, since output costs CPU time; its log has the end"}},
	} {
		p, err := process.Start(process.Command{Args: []string{"sh", "-c", "head -c " + c.mib + "M /dev/zero"}}, filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		<-p.Done()
		s := subject{Process: p, facts: &raw.TargetFacts{}}
		s.compareLog()
		p.Stop()
		if !slices.Equal(s.facts.Warnings, c.want) {
			t.Errorf("%s: %q, want %q", name, s.facts.Warnings, c.want)
		}
	}
}
