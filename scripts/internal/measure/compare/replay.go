package compare

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/session"
)

// Replay judges the records of a comparison again, as the comparison did. warnings list what may change its
// verdicts from those that were printed.
func Replay(names []string) (answers []verdict.Answer, warnings []string, err error) {
	if len(names) == 0 {
		return nil, nil, errors.New("want files of records, as written by scripts/bench compare")
	}
	var all []record.Record
	var files []record.File
	for _, name := range names {
		records, err := cli.ReadFile(name, record.Read)
		if err != nil {
			return nil, nil, fmt.Errorf("%w; want records, as written by scripts/bench compare", err)
		}
		if err := paired(name, records, all); err != nil {
			return nil, nil, err
		}
		all, files = append(all, records...), append(files, record.File{Name: name, Records: records})
	}
	if err := cmp.Or(record.CheckUnique(files...), record.CheckComplete(files...)); err != nil {
		return nil, nil, err
	}
	answers = verdict.Compare(all)
	for _, a := range answers {
		if !a.Done && a.Verdict != verdict.Regressed {
			warnings = append(warnings, fmt.Sprintf("%s: %d rounds of %d that are planned, and not all is decided: the comparison was interrupted, or its records were cut short", a.Server, record.Rounds(all), all[0].Run.Rounds))
		}
	}
	if len(names) > 1 {
		return answers, warnings, nil
	}
	answers, again, err := replayConfirmation(filepath.Dir(names[0]), all[0].Run.ID, answers)
	return answers, append(warnings, again...), err
}

// replayConfirmation confirms answers with the second comparison, if -confirm loaded one below dir.
func replayConfirmation(dir, run string, answers []verdict.Answer) (both []verdict.Answer, warnings []string, err error) {
	file := filepath.Join(confirmDir(dir, run), session.RecordsFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) || !filepath.IsLocal(run) { // anybody may have written the records
		return answers, nil, nil
	}
	second, warnings, err := Replay([]string{file})
	if err != nil {
		return nil, nil, err
	}
	return confirmAll(answers, second), warnings, nil
}

// paired refuses records without a possible verdict: base and head were loaded in different minutes, or on
// different machines.
func paired(name string, records, others []record.Record) error {
	sides := map[string]bool{}
	for _, r := range records {
		sides[r.Server.Side] = true
	}
	if !sides["base"] && !sides["head"] {
		return fmt.Errorf("%s: these records come from separate runs, so a difference could be machine noise; measure both with `scripts/bench compare -base REVISION -head REVISION`", name)
	}
	for _, r := range append(others, records...) {
		if record.Epoch(r) != record.Epoch(records[0]) {
			return fmt.Errorf("%s: another machine or rig measured it, or another load (epoch %s, the others %s); want records of one comparison", name, record.Epoch(records[0]), record.Epoch(r))
		}
		if r.Run.ID != records[0].Run.ID {
			return fmt.Errorf("%s: it is of run %s, the others are of run %s; want the records of one comparison", name, records[0].Run.ID, r.Run.ID)
		}
	}
	return nil
}
