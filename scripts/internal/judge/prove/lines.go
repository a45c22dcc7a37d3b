package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"fairstream/scripts/internal/files"
)

// Files of trials have one trial a line, of one of two types.

func writeLine(w io.Writer, trial any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(trial)
}

func addLine[T any](path string, trial T, write func(io.Writer, T) error) error {
	var line bytes.Buffer
	if err := write(&line, trial); err != nil {
		return err
	}
	return files.AppendLines(path, line.Bytes())
}

// readLines reads trials with ids of their own. It leaves out a last line without its end, since writing it
// was interrupted.
func readLines[T any](r io.Reader, id func(T) string, check func(T) error) ([]T, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	return files.ReadLines(bytes.NewReader(files.CompleteLines(text)), func(trial T) error {
		if seen[id(trial)] {
			return fmt.Errorf("trial %s: a second time", id(trial))
		}
		seen[id(trial)] = true
		return check(trial)
	})
}
