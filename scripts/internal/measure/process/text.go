package process

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"fairstream/scripts/internal/files"
)

// String is the command as a line for a shell.
func (c Command) String() string {
	var b strings.Builder
	if c.Dir != "" {
		b.WriteString("cd " + quote(c.Dir) + " && ")
	}
	if c.Bare {
		b.WriteString("env -i ")
		for _, name := range needed {
			b.WriteString(name + `="$` + name + `" `)
		}
	}
	for _, e := range c.Env {
		key, value, _ := strings.Cut(e, "=")
		b.WriteString(key + "=" + quote(value) + " ")
	}
	for i, a := range c.placed() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(a))
	}
	return b.String()
}

func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// gap replaces the lines that a quote leaves out.
const gap = "..."

// lastLines quotes a program's output at the end of an error. From a long output it takes the first lines,
// the first line that looks like an error, and the last lines. Node prints the error before the stack; others
// print it last.
func lastLines(text string) string {
	const first, last = 2, 9 // 12 lines with the error
	text = strings.TrimSpace(text)
	if text == "" {
		return "; it printed nothing"
	}
	lines := strings.Split(text, "\n")
	if len(lines) <= first+1+last {
		return "; its last lines:\n    " + strings.Join(lines, "\n    ")
	}
	quote, skipped := slices.Clone(lines[:first]), lines[first:len(lines)-last]
	i := -1
	if files.LooksLikeError(strings.Join(skipped, "\n")) { // one search, since there may be thousands of lines
		i = slices.IndexFunc(skipped, files.LooksLikeError)
	}
	switch {
	case i < 0:
		quote = append(quote, gap)
	case i == 0:
		quote = append(quote, skipped[i], gap)
	default:
		quote = append(quote, gap, skipped[i], gap)
	}
	quote = append(quote, lines[len(lines)-last:]...)
	return "; its first and last lines:\n    " + strings.Join(quote, "\n    ")
}

// quoted reads a file, without the middle of a long one. lastLines quotes less than that.
func quoted(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() // read only
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	const first, most = 8 << 10, 64 << 10
	if info.Size() <= most {
		text, err := io.ReadAll(io.LimitReader(f, most))
		return string(text), err
	}
	begin, err := io.ReadAll(io.LimitReader(f, first))
	if err != nil {
		return "", err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, info.Size()-most+first, most-first))
	return string(begin) + "\n" + gap + "\n" + string(end), err
}

// A bounded keeps what is written to it. A write beyond most bytes fails.
type bounded struct {
	strings.Builder
	most int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		b.over = true
		return 0, errors.New("printed too much")
	}
	return b.Builder.Write(p)
}

// A tail keeps the last limit bytes written to it, and the first limit bytes in begin. It keeps everything if
// limit is 0. Several goroutines may write to it, as those of stdout and stderr do.
type tail struct {
	mu sync.Mutex
	strings.Builder
	limit int
	begin []byte
	cut   bool // something between begin and rest was dropped
}

// whole returns everything written, without the middle of a long text.
func (t *tail) whole() string {
	if !t.cut {
		return t.String()
	}
	return strings.TrimRight(string(t.begin), "\n") + "\n" + gap + "\n" + t.String()
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.limit - len(t.begin); n > 0 { // wherever the writes were split
		t.begin = append(t.begin, p[:min(n, len(p))]...)
	}
	if t.limit > 0 && t.Len()+len(p) > 2*t.limit {
		keep := t.String()
		t.cut = t.cut || len(keep) > t.limit
		keep = keep[max(0, len(keep)-t.limit):]
		t.Reset()
		t.WriteString(keep)
	}
	return t.Builder.Write(p)
}
