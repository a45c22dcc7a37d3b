package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"fairstream/scripts/internal/judge/raw"
)

// done reports whether a k6 run of a resumed run has complete raw files. One with unreadable files is
// measured again.
func (l k6Run) done() (bool, error) {
	var facts raw.Facts
	path := filepath.Join(l.path(), raw.FactsFile)
	err := raw.ReadJSON(path, &facts)
	if err == nil && facts.K6PID != 0 { // otherwise nothing was loaded
		_, err = raw.ReadSummary(filepath.Join(l.path(), raw.SummaryFile))
	}
	if err == nil {
		return true, nil
	}
	// Old files must not pass for those of the new one.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return false, nil
}
