package site

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"fairstream/scripts/internal/judge/archive"
	"fairstream/scripts/internal/judge/details"
)

// copyDetails writes what the branch has of a run's details, and says whether it has any.
func (r *run) copyDetails(fsys fs.FS, out Out) (has bool, broken []Broken, err error) {
	name := archive.DetailsPath(r.file(""))
	packed, err := read(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	}
	if err == nil {
		err = legible(packed)
	}
	if err != nil {
		return false, []Broken{brokenBy(name, err)}, nil
	}
	return true, nil, out("details/"+r.path+".json.gz", packed)
}

// legible is an error for packed details that a page could not show.
func legible(packed []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(z, largest+1))
	if err != nil {
		return err
	}
	if len(text) > largest {
		return fmt.Errorf("more than %d bytes when unpacked", largest)
	}
	_, err = details.Read(bytes.NewReader(text))
	return err
}

// writeDetails writes those of a local run.
func (r *run) writeDetails(of details.Details, out Out) error {
	var text bytes.Buffer
	if err := details.Write(&text, of); err != nil {
		return err
	}
	return out("details/"+r.path+".json.gz", zipped(text.Bytes()))
}
