package prove

import (
	"bytes"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// published are our own trials in a directory, a file for each machine or stretch of work.
func published(t *testing.T, dir string) (trials []Trial) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s/*.jsonl: %v, %v; want some", dir, files, err)
	}
	for _, name := range files {
		trials = append(trials, testfile.Read(t, name, ReadTrials)...)
	}
	return trials
}

// The tables in the READMEs come from our trials. -update writes them anew.
func TestTheTablesAreThoseOfTheTrials(t *testing.T) {
	trials := published(t, "trials")
	all := beside(judgeAll(trials), 0)
	tables := Tables(trials)
	check(t, "../../../../README.md", summary(all))
	check(t, "trials/README.md", tables...)
	for _, table := range tables { // pages read rows, and null has none
		if len(table.Rows) == 0 {
			t.Errorf("%s: no rows", table.Title)
		}
	}
}

// The rig changed after the proof. These trials are not part of it.
func TestTheTablesOfTheRigAreThoseOfItsTrials(t *testing.T) {
	all := judgeAll(published(t, "trials/rig"))
	check(t, "trials/rig/README.md", falseAlarms(all), unanswered(all), excluded(all), power(all), scatter(all))
}

func TestTheTablesOfPatchesAreThoseOfTheTrials(t *testing.T) {
	check(t, "patched/README.md", Tables(published(t, "patched"))...)
}

// check compares the tables of a page.
func check(t *testing.T, page string, tables ...Table) {
	var want bytes.Buffer
	if err := WriteMarkdown(&want, tables); err != nil {
		t.Fatal(err)
	}
	testfile.Region(t, page, "tables of the trials", "tables", want.String())
}
