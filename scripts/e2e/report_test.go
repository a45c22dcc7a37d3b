package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/session"
)

func TestReportTakesDetailsWhereTheyAre(t *testing.T) {
	p := newProject(t)
	p.copy("internal/judge/record/testdata/mixed", "raw")
	if _, err := session.Keep(filepath.Join(p.root, "raw"), nil, nil); err != nil {
		t.Fatal(err)
	}
	p.must(os.Rename(filepath.Join(p.root, "raw", detailsFile), filepath.Join(p.root, "elsewhere")))
	if r := p.bench("report", "-format", "details", "raw/"+recordsFile); r.status != 2 || !strings.Contains(r.stderr, "there are none beside the records") {
		t.Errorf("without details: status %d, %s", r.status, r.stderr)
	}
	p.write("raw/"+detailsFile, "{}\n")
	for format, status := range map[string]int{"details": 2, "text": 0} {
		if r := p.bench("report", "-format", format, "raw/"+recordsFile); r.status != status || status != 0 && !strings.Contains(r.stderr, detailsFile+": line 1: schema 0") {
			t.Errorf("%s with broken details: status %d, %s", format, r.status, r.stderr)
		}
	}
}
