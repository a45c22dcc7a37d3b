package files

import (
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
)

// mostLine limits a quoted line, and mostBytes the searched end of a log.
const mostLine, mostBytes = 200, 64 << 10

// failure matches a line that reports an error. Names of exceptions match too.
var failure = regexp.MustCompile(`(?i)error|exception|timeout|panic|fatal|fail|refused|reset|denied|cannot|can't|not found`)

// LooksLikeError reports whether a line of a log probably reports an error.
func LooksLikeError(line string) bool { return failure.MatchString(line) }

// QuoteLog returns up to n lines of a log, from an offset on. It prefers the last lines that look like errors,
// and otherwise takes the last lines.
func QuoteLog(path string, from int64, n int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
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

// Harmless returns a line without control characters, shortened to a fixed length.
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
