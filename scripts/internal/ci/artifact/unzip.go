package artifact

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// member is the only file in an artifact of records.
const member = "run.jsonl"

// unzip returns the content of the only member of a zip. It counts bytes, and does not trust the sizes in
// headers.
func unzip(data []byte, member string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("is not a readable zip file: %w", err)
	}
	if len(z.File) != 1 {
		return nil, fmt.Errorf("has %d members; want %s alone", len(z.File), member)
	}
	f := z.File[0]
	if f.Name != member {
		return nil, fmt.Errorf("has the member %q; want %s", bounded(f.Name), member)
	}
	if !f.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file (%s)", member, f.Mode().Type())
	}
	const encrypted = 1
	if f.Flags&encrypted != 0 {
		return nil, errors.New(member + " is encrypted")
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", member, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("is larger than %d bytes when unpacked", maxText)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", member, err)
	}
	return text, nil
}
