package prove

import "io"

// formats are the forms that tables have.
var formats = map[string]func(io.Writer, []Table) error{"text": WriteText, "markdown": WriteMarkdown}

// Formats are what WriteTables knows.
func Formats() []string { return []string{"text", "markdown"} }

// WriteTables writes all tables of trials in one of Formats.
func WriteTables(w io.Writer, format string, trials []Trial) error {
	return formats[format](w, Tables(trials, 1))
}
