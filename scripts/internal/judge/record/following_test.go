package record

import (
	"testing"

	"fairstream/k6/shared/hist"
	"fairstream/scripts/internal/judge/raw"
)

// Two scripts have a k6 each and run at the same time, so their seconds and CPU time count once.
func TestScriptsSideBySideAreOneRun(t *testing.T) {
	slice := func(target string) hist.Slice {
		return hist.Slice{Targets: []string{target}, TookMS: 3000, CPUMS: map[string]float64{"stub": 40}}
	}
	l := measured{k6Run: k6Run{summary: raw.Summary{Slices: []hist.Slice{slice("a"), slice("b"), slice("a"), slice("b")}}}}
	if took, stub := l.tookSeconds(), l.totals()["stub"]; took != 12 || stub != 0.16 {
		t.Errorf("in turn: %g s, %g s of the stub; want 12 and 0.16", took, stub)
	}
	l.summary.Scripts = map[string]hist.Script{"a": {}, "b": {}}
	if took, stub := l.tookSeconds(), l.totals()["stub"]; took != 6 || stub != 0.08 {
		t.Errorf("side by side: %g s, %g s of the stub; want 6 and 0.08", took, stub)
	}
}
