package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/judge/raw"
)

// done says whether the raw files are whole, from a run that is resumed. A k6 run
// whose files cannot be read is not done: it is measured again, in its place.
func (l k6Run) done() (bool, error) {
	var facts raw.Facts
	path := filepath.Join(l.path(), raw.FactsFile)
	err := raw.ReadJSON(path, &facts)
	if err == nil && facts.K6PID != 0 { // else nothing was loaded
		_, err = raw.ReadSummary(filepath.Join(l.path(), raw.SummaryFile))
	}
	if err == nil {
		return true, nil
	}
	// What is there of it must not pass for the new one's.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return false, nil
}
