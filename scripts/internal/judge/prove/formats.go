package prove

import "io"

// formats are the forms that tables have; seed is of what is drawn at random.
var formats = map[string]func(io.Writer, []Trial) error{
	"text":     func(w io.Writer, trials []Trial) error { return WriteText(w, Tables(trials, seed)) },
	"markdown": func(w io.Writer, trials []Trial) error { return WriteMarkdown(w, Tables(trials, seed)) },
	"json":     func(w io.Writer, trials []Trial) error { return WriteJSON(w, Tables(trials, seed)) },
	"png":      WritePNG,
}

const seed = 1

// Formats are what Write knows.
func Formats() []string { return []string{"text", "markdown", "json", "png"} }

// Write writes what trials say in one of Formats: all tables, or a picture of them.
func Write(w io.Writer, format string, trials []Trial) error { return formats[format](w, trials) }
