package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/testfile"
)

// A server of 4 ms of CPU a stream fills the machine under the usual load, and its streams outlast their slices. The
// comparison finds that before a round counts, and goes on with a load that suits it.
func TestLongComparisonOfASlowServerHasASuitedLoad(t *testing.T) {
	long(t, "2 minutes")
	p := newProject(t)
	p.git("init", "-q", "-b", "main")
	p.wrong("burns")
	base := p.commit()
	p.write("servers/relay/burns/note.go", "package main\n\nvar note = 1\n")
	p.commit()
	r := p.bench("compare", "-quick", "-rounds", "2", "-base", base, "-same", "-o", "out")
	if !strings.Contains(r.stderr, "starts again") && strings.Contains(r.stdout, "other programs used") {
		t.Skip("other programs keep the machine busy, so no round shows what the server needs")
	}
	if r.status > 1 || !strings.Contains(r.stderr, "this round does not count, and the comparison starts again with ") ||
		!strings.Contains(r.stdout, "The usual load is too much for this server, so base and head had ") {
		t.Errorf("status %d\n%s\n%s", r.status, r.stderr, r.stdout)
	}
	warned := func(pattern string) (found []string) {
		names, err := filepath.Glob(filepath.Join(p.root, "out", pattern))
		p.must(err)
		for _, name := range names {
			records := testfile.Read(p, name, record.Read)
			for _, r := range records {
				if others := r.Conditions.OthersPct; others != nil && *others > 10 {
					continue // other tests
				}
				for _, why := range r.Why {
					if strings.Contains(why, "times as long as planned") || strings.Contains(why, "of the machine; want at most 80 %") {
						found = append(found, fmt.Sprint(r.Target(), " ", r.Scenario, ": ", why))
					}
				}
			}
		}
		return found
	}
	if usual := warned("tried-*/" + recordsFile); len(usual) == 0 {
		t.Error("the usual load has no warning")
	}
	if suited := warned(recordsFile); len(suited) > 0 {
		t.Errorf("the suited load has warnings: %q", suited)
	}
}
