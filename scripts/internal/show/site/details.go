package site

import (
	"bytes"
	"errors"
	"io/fs"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/details"
)

// copyDetails writes what the branch has of a run's details, and says whether it has any.
func (r *run) copyDetails(fsys fs.FS, out Out) (has bool, broken []Broken, err error) {
	name := archive.DetailsPath(r.file(""))
	text, err := read(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	if err == nil {
		_, err = details.Read(bytes.NewReader(text))
	}
	if err != nil {
		return false, []Broken{brokenBy(name, err)}, nil
	}
	return true, nil, out("details/"+r.path+".json.gz", zipped(text))
}

// writeDetails writes those of a local run.
func (r *run) writeDetails(of details.Details, out Out) error {
	var text bytes.Buffer
	if err := details.Write(&text, of); err != nil {
		return err
	}
	return out("details/"+r.path+".json.gz", zipped(text.Bytes()))
}
