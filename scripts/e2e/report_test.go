package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/measure/session"
)

// concluded is a directory of raw files, with what run leaves beside them.
func concluded(t *testing.T) testProject {
	p := newProject(t)
	p.copy("internal/judge/record/testdata/mixed", "raw")
	if _, err := session.Keep(filepath.Join(p.root, "raw"), nil); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRunLeavesAPageBesideTheRecords(t *testing.T) {
	p := concluded(t)
	page, err := os.ReadFile(filepath.Join(p.root, "raw", pageFile))
	if err != nil {
		t.Fatal(err)
	}
	r := p.bench("report", "-format", "html", "raw/"+recordsFile)
	if r.status != 0 || r.stdout != string(page) {
		t.Errorf("status %d, %s: report makes another page of %d bytes, run one of %d", r.status, r.stderr, len(r.stdout), len(page))
	}
	for _, want := range []string{"<!doctype html>", `<h2 id="timelines">`, "<svg "} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

func TestReportTakesDetailsWhereTheyAre(t *testing.T) {
	p := concluded(t)
	p.must(os.Rename(filepath.Join(p.root, "raw", detailsFile), filepath.Join(p.root, "elsewhere")))
	if r := p.bench("report", "-format", "html", "raw/"+recordsFile); r.status != 0 || !strings.Contains(r.stdout, "There are no timelines") {
		t.Errorf("without details: status %d, %s", r.status, r.stderr)
	}
	p.write("raw/"+detailsFile, "{}\n")
	for format, status := range map[string]int{"html": 2, "text": 0} {
		if r := p.bench("report", "-format", format, "raw/"+recordsFile); r.status != status || status != 0 && !strings.Contains(r.stderr, detailsFile+": line 1: schema 0") {
			t.Errorf("%s with broken details: status %d, %s", format, r.status, r.stderr)
		}
	}
}
