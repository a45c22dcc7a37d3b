package archive

import (
	"bytes"
	"compress/gzip"
	"strings"
)

// RankPath names the file of what was loaded together, beside the legs'.
func RankPath(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".rank.jsonl" }

// DetailsPath names the file of what the site draws of a run's rank, which never
// changes, by that of its records.
func DetailsPath(run string) string {
	return beside("details", run, ".json.gz")
}

// PackDetails is details as they are kept: the same text gives the same bytes, and
// none gives none.
func PackDetails(text []byte) ([]byte, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
