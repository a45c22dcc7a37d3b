// Package logs quotes programs' logs in a few lines that are safe to print.
package logs

import (
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
)

// mostLine and mostBytes bound a quoted line, and how much of a log's end is searched.
const mostLine, mostBytes = 200, 64 << 10

// failure matches a line that says what went wrong. Names of exceptions match too.
var failure = regexp.MustCompile(`(?i)error|exception|timeout|panic|fatal|fail|refused|reset|denied|cannot|can't|not found`)

// LooksLikeError says whether a line of a log probably says what went wrong.
func LooksLikeError(line string) bool { return failure.MatchString(line) }

// Quote returns up to n lines of a log from an offset on: the last ones that look like
// an error, or else the last ones.
func Quote(path string, from int64, n int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from = max(from, info.Size()-mostBytes)
	text, err := io.ReadAll(io.NewSectionReader(f, from, mostBytes))
	var all, errors []string
	for line := range strings.Lines(string(text)) {
		if line = Harmless(line); line == "" {
			continue
		}
		all = append(all, line)
		if LooksLikeError(line) {
			errors = append(errors, line)
		}
	}
	if len(errors) > 0 {
		all = errors
	}
	return all[max(0, len(all)-n):], err
}

// Harmless is a line without characters that a terminal would obey, cut to a bounded length.
func Harmless(line string) string {
	line = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, line))
	if runes := []rune(line); len(runes) > mostLine {
		return string(runes[:mostLine]) + "..."
	}
	return line
}
