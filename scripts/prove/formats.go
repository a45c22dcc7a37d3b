package prove

import (
	"fmt"
	"io"
)

// Formats are what WriteTables knows.
func Formats() []string { return []string{"text"} }

// WriteTables is the tables.
func WriteTables(w io.Writer, format string, trials []Trial) error {
	for _, t := range trials {
		fmt.Fprintln(w, t.ID, t.Answer().Verdict)
	}
	return nil
}
