package site

import (
	"bytes"
	"errors"
	"io/fs"

	"fairstream/scripts/internal/judge/record"
)

// copyDetails writes what the branch has of a run's details, and says whether it has any.
func (r *run) copyDetails(fsys fs.FS, out Out) (has bool, broken []Broken, err error) {
	name := record.DetailsPathOf(r.file(""), r.workload)
	text, err := read(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	var of record.Details
	if err == nil {
		of, err = record.ReadDetails(bytes.NewReader(text))
	}
	if err != nil {
		return false, []Broken{brokenBy(name, err)}, nil
	}
	if of.Workload != r.workload { // a leaderboard run of another workload
		return false, nil, nil
	}
	return true, nil, r.writeDetails(of, out)
}

// writeDetails writes them as pages read them.
func (r *run) writeDetails(of record.Details, out Out) error {
	var text bytes.Buffer
	if err := record.WriteDetails(&text, of); err != nil {
		return err
	}
	return out("details/"+r.path+".json.gz", zipped(text.Bytes()))
}
