package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
)

// reportOf are the built pages that make a run's report.
func reportOf() fs.FS {
	return fstest.MapFS{"report.html": {Data: []byte(`<!doctype html><!--title--><!--answer--><script type="application/json"><!--data--></script>`)}}
}

// A file that cannot be written beside the raw files costs neither the table nor the file before.
func TestRecordsThatCannotBeWritten(t *testing.T) {
	dir := testfile.Copy(t, "../../judge/record/testdata/mixed")
	// As a full disk would, these refuse what is to be renamed to them, and to be written.
	for _, name := range []string{RecordsFile + ".part", PageFile} {
		if err := os.MkdirAll(filepath.Join(dir, name, "full"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	testfile.Write(t, filepath.Join(dir, RecordsFile), "before\n")
	var err, beside error
	table := testfile.Stderr(t, func() {
		cli.Stdout.File = os.Stderr
		err = Conclude(dir, reportOf, nil, "")
		beside = Conclude(dir, reportOf, context.Canceled, "") // of a run that broke, whose own error is the caller's
		cli.Stdout.File = os.Stdout
	})
	if beside == nil || beside.Error() != err.Error() {
		t.Errorf("beside the error of a run: %v, want %v", beside, err)
	}
	if err == nil || !strings.Contains(err.Error(), "the raw files are complete; `scripts/bench record "+dir) {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(table, "tenth-fails") || strings.Count(table, err.Error()) != 1 {
		t.Errorf("the table is %.80q", table)
	}
	if text, err := os.ReadFile(filepath.Join(dir, RecordsFile)); err != nil || string(text) != "before\n" {
		t.Errorf("the records before are %.80q, %v", text, err)
	}
	if exists(filepath.Join(dir, DetailsFile+".part")) || !exists(filepath.Join(dir, raw.RunFile)) {
		t.Error("half a file is left, or a raw file is gone")
	}
}

// A run names the programs beside it where a round was disturbed, and is silent otherwise.
func TestProgramsBesideADisturbedRunAreNamed(t *testing.T) {
	for _, disturbed := range []bool{false, true} {
		dir := testfile.Copy(t, "../../judge/record/testdata/mixed")
		name := filepath.Join(dir, "1", "baseline", raw.FactsFile)
		var facts raw.Facts
		if err := raw.ReadJSON(name, &facts); err != nil {
			t.Fatal(err)
		}
		if disturbed {
			facts.Pidstat = "pidstat: killed"
		}
		if err := raw.WriteJSON(name, facts); err != nil {
			t.Fatal(err)
		}
		text := testfile.Stderr(t, func() {
			cli.Stdout.File = os.Stderr
			_ = Conclude(dir, nil, nil, "hog (9) used 48 % of the machine") // the run has findings
			cli.Stdout.File = os.Stdout
		})
		if want := "run: beside this run, hog (9) used 48 % of the machine\n"; strings.Contains(text, want) != disturbed {
			t.Errorf("disturbed %v; want %q only when disturbed, in:\n%s", disturbed, want, text)
		}
	}
}

// Findings are no fault, so an interrupted run does not print them beside its own error.
func TestFindingsAreNotPrintedBesideTheErrorOfARun(t *testing.T) {
	dir := testfile.Copy(t, "../../judge/record/testdata/mixed")
	var err error
	printed := testfile.Stderr(t, func() { err = Conclude(dir, nil, context.Canceled, "") })
	if !errors.Is(err, cli.ErrFindings) || strings.Contains(printed, cli.ErrFindings.Error()) {
		t.Errorf("%v, and printed %q", err, printed)
	}
}

// Without the pages, as where Node.js is missing, a run leaves all else.
func TestKeepWithoutPages(t *testing.T) {
	for name, pages := range map[string]func() fs.FS{"with": reportOf, "not built": func() fs.FS { return nil }, "without": nil} {
		dir := testfile.Copy(t, "../../judge/record/testdata/mixed")
		printed, err := os.Create(filepath.Join(t.TempDir(), "printed"))
		if err != nil {
			t.Fatal(err)
		}
		cli.Stdout.File = printed
		_ = Conclude(dir, pages, nil, "") // the run has findings
		cli.Stdout.File = os.Stdout
		if table, err := os.ReadFile(printed.Name()); err != nil || !strings.Contains(string(table), "tenth-fails") {
			t.Errorf("%s pages: the table is %.80q, %v", name, table, err)
		}
		page, err := os.ReadFile(filepath.Join(dir, PageFile))
		if (err == nil) != (name == "with") || !exists(filepath.Join(dir, RecordsFile)) || !exists(filepath.Join(dir, DetailsFile)) {
			t.Errorf("%s pages: page %v; want the records and details in any case", name, err)
		}
		for _, want := range []string{"<!doctype html>", "<h1>", "All servers", `"k6_runs":[{`} {
			if name == "with" && !strings.Contains(string(page), want) {
				t.Errorf("no %q in the page: %.300s", want, page)
			}
		}
	}
}
