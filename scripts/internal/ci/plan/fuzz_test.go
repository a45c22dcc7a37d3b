package plan

import (
	"strings"
	"testing"
)

// A plan that is read makes outputs of one line each: a second would be another
// output, of somebody else's choice.
func FuzzParse(f *testing.F) {
	f.Add(`{"kind":"main","revision":"0123456789012345678901234567890123456789","base":"","pull":0,"servers":[{"workload":"relay","server":"a"},{"workload":"relay","server":"b"}],"scenarios":{"relay":"baseline"},"rounds":1,"leaderboard":3,"quick":false,"rig":false,"reason":"","say":"","comparisons":[{"server":"a","base":"0123456789012345678901234567890123456789","gradual":false}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := p.WriteOutputs(&out); err != nil {
			return
		}
		for line := range strings.Lines(out.String()) {
			if !strings.Contains(line, "=") {
				t.Errorf("a line without a name: %q", line)
			}
		}
	})
}
