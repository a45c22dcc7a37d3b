package e2e

import (
	"regexp"
	"testing"
)

// A soak tells a server that keeps 2 KiB of each stream from one that keeps nothing.
func TestLongASoakFindsTheLeak(t *testing.T) {
	long(t, "4 minutes")
	p := newProject(t)
	p.wrong("right")
	p.wrong("leaks-loaded")
	r := p.bench("soak", "-for", "5m10s", "-o", "raw")
	r.expect(t, 1)
	t.Log("\n" + r.stdout)
	for server, want := range map[string]string{"leaks-loaded": "yes", "right": "no|inconclusive"} {
		if !regexp.MustCompile(`(?m)^` + server + ` +(` + want + `) `).MatchString(r.stdout) {
			t.Errorf("%s: want %q", server, want)
		}
	}
}
