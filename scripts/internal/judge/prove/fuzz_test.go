package prove

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A trial that is read is judged, and written as one that is read.
func FuzzReadTrials(f *testing.F) {
	files, err := filepath.Glob("trials/*.jsonl")
	if err != nil || len(files) == 0 {
		f.Fatalf("trials/*.jsonl: %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		f.Fatal(err)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	f.Add(append(line, '\n'))
	f.Fuzz(func(t *testing.T, text []byte) {
		trials, err := ReadTrials(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, trial := range trials {
			trial.Answer()
			var out bytes.Buffer
			if err := WriteTrial(&out, trial); err != nil {
				t.Fatal(err)
			}
			if again, err := ReadTrials(&out); err != nil || len(again) != 1 {
				t.Errorf("what was written cannot be read: %v", err)
			}
		}
	})
}
