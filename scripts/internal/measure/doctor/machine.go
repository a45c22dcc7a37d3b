package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// A machine is the input of checks.
type machine struct {
	root          fs.FS
	before, after reading
}

// read returns the text of a file without surrounding white space. Paths begin with a slash.
func (m *machine) read(path string) (text string, err error) {
	data, err := fs.ReadFile(m.root, path[1:])
	return strings.TrimSpace(string(data)), err
}

// text returns the text of a file, or "" without it.
func (m *machine) text(path string) string {
	text, _ := m.read(path) // the file may be unreadable too; its content is then unknown
	return text
}

func (m *machine) exists(path string) bool {
	_, err := fs.Stat(m.root, path[1:])
	return err == nil
}

// glob returns matching paths, sorted.
func (m *machine) glob(pattern string) []string {
	found, _ := fs.Glob(m.root, pattern[1:]) // our patterns are valid
	for i := range found {
		found[i] = "/" + found[i]
	}
	return found
}

// number reads a file that holds one number.
func (m *machine) number(path string) (int64, error) {
	text, err := m.read(path)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %.20q is not a number", path, text)
	}
	return n, nil
}

// field returns the value of a "key: value" line.
func (m *machine) field(path, key string) string {
	for line := range strings.Lines(m.text(path)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// missing reports whether an error means that a file does not exist.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// unknown is the result for an unreadable file, with the reason.
func unknown(path string, err error) seen {
	_, inner := errors.AsType[*fs.PathError](err)
	switch {
	case missing(err):
		return seen{state: Unknown, text: path + " is not there"}
	case errors.Is(err, fs.ErrPermission):
		return seen{state: Unknown, text: path + " may not be read"}
	case err == nil || inner:
		return seen{state: Unknown, text: path + " cannot be read"}
	default:
		return seen{state: Unknown, text: err.Error()}
	}
}

// isRoot reports whether this process belongs to root.
func (m *machine) isRoot() bool {
	ids := strings.Fields(m.field("/proc/self/status", "Uid")) // real, effective, …
	return len(ids) > 1 && ids[1] == "0"
}

// counts summarises values: "powersave", or "3 x powersave, 1 x performance".
func counts(values []string) string {
	n := map[string]int{}
	var order []string
	for _, v := range values {
		if n[v]++; n[v] == 1 {
			order = append(order, v)
		}
	}
	if len(order) == 1 {
		return order[0]
	}
	for i, v := range order {
		order[i] = fmt.Sprintf("%d x %s", n[v], v)
	}
	return strings.Join(order, ", ")
}
