package load

import (
	"os"
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/testfile"
)

// A run that is resumed measures a k6 run again whose files cannot be read.
func TestAK6RunWithBrokenFilesIsMeasuredAgain(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		done  bool
	}{
		"whole":            {func(string) error { return nil }, true},
		"not finished":     {func(dir string) error { return os.Remove(filepath.Join(dir, raw.FactsFile)) }, false},
		"half the facts":   {func(dir string) error { return os.Truncate(filepath.Join(dir, raw.FactsFile), 100) }, false},
		"half the summary": {func(dir string) error { return os.Truncate(filepath.Join(dir, raw.SummaryFile), 100) }, false},
		"no summary":       {func(dir string) error { return os.Remove(filepath.Join(dir, raw.SummaryFile)) }, false},
		"nothing was loaded": {func(dir string) error {
			return raw.WriteJSON(filepath.Join(dir, raw.FactsFile), raw.Facts{Round: 1})
		}, true},
	} {
		dir := testfile.Copy(t, "../../judge/record/testdata/mixed")
		l := k6Run{Options: Options{Dir: dir}, scenario: "stress", round: 1}
		if err := c.spoil(l.path()); err != nil {
			t.Fatal(err)
		}
		done, err := l.done()
		if err != nil || done != c.done {
			t.Errorf("%s: done %t (%v), want %t", name, done, err, c.done)
		}
		if _, err := os.Stat(filepath.Join(l.path(), raw.FactsFile)); (err == nil) != c.done {
			t.Errorf("%s: facts are left: %v", name, err)
		}
	}
}
