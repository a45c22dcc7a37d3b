package process

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
)

// String is the command as a line to paste into a shell.
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

// lastLines is the end of a program's output in the form of an error's tail.
func lastLines(text string) string {
	const most = 12
	text = strings.TrimSpace(text)
	if text == "" {
		return "; it printed nothing"
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-most):]
	return "; its last lines:\n    " + strings.Join(lines, "\n    ")
}

// endOf is the last bytes of a file, more than lastLines shows.
func endOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	const most = 64 << 10
	from := max(0, info.Size()-most)
	text, err := io.ReadAll(io.NewSectionReader(f, from, most))
	return string(text), err
}

// A bounded keeps what is written to it, and fails when that is more than most bytes.
type bounded struct {
	strings.Builder
	most int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		b.over = true
		return 0, errors.New("too much was printed")
	}
	return b.Builder.Write(p)
}

// A tail keeps the last limit bytes written to it, or all if limit is 0. It
// may be written to from several goroutines: stdout and stderr have one each.
type tail struct {
	mu sync.Mutex
	strings.Builder
	limit int
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.limit > 0 && t.Len()+len(p) > 2*t.limit {
		keep := t.String()
		keep = keep[max(0, len(keep)-t.limit):]
		t.Reset()
		t.WriteString(keep)
	}
	return t.Builder.Write(p)
}
