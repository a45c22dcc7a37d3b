package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Servers whose unit is the request pass verify and go wrong under load. They get no figures, or a warning and a reason.
// The others keep theirs.
func TestFaultyServersOfRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		workload, scenario string
		servers            map[string]misbehaviour
	}{
		{"web", "ping", map[string]misbehaviour{
			"right":        {status: record.OK},
			"wrong-loaded": {status: record.Warning, why: ` x body (first: body differs at byte 1: "o"; want "i")`},
			"404-loaded":   {status: record.Invalid, why: " x status (first: status 404: "},
			"dies-loaded":  {status: record.Invalid, why: "into ranking: exited with status 7; its last lines:\n    out of luck"},
		}},
		{"files", "small", map[string]misbehaviour{
			"right":      {status: record.OK},
			"cut-loaded": {status: record.Warning, why: " x cut (first: the server closed the connection after 4000 bytes"},
		}},
	} {
		t.Run(c.workload, func(t *testing.T) {
			p := newProject(t)
			for name := range c.servers {
				dir := "servers/" + c.workload + "/" + name
				p.write(dir+"/NOTES", name) // the directory
				p.copy("e2e/testdata/wrong"+c.workload+"/.", dir)
				p.write(dir+"/server.json", fmt.Sprintf(`{"workload": %q, "language": "go", "framework": "none",
					"build": ["go", "build", "-trimpath", "-ldflags=-s", "-o", "bin/server", "."], "run": ["bin/server", %q], "versions": {"go": ["go", "version"]}}`, c.workload, name))
				p.copy("../servers/web/go-http/data.json", dir+"/data.json")
			}
			r := p.bench("run", "-quick", "-rounds", "1", "-scenario", c.scenario, "-o", "raw", c.workload)
			r.expect(t, 1)
			records, _, planned, err := record.FromRaw(filepath.Join(p.root, "raw"))
			p.must(err)
			if want := len(c.servers) + 1; len(records) != planned || planned != want {
				t.Fatalf("%d records of %d; want %d\n%s", len(records), planned, want, r.stderr)
			}
			for _, rec := range records {
				want, server := c.servers[rec.Server.Name]
				if !server { // direct
					want.status = record.OK
				}
				checkFigures(t, rec, want.status)
				if why := strings.Join(rec.Why, "\n"); !strings.Contains(why, want.why) {
					t.Errorf("%s: %s %q; want %q in it", rec.Server.Name, rec.Status, rec.Why, want.why)
				}
			}
		})
	}
}
