package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Choose is the workload of a server, with the reason: that of its load, if it has one, else that of what it asks.
func (d Draft) Choose(dir string) (name, why string, err error) {
	if len(d.Requests) > 0 {
		return "http", "since you gave URLs", nil
	}
	if d.Script != "" {
		return "scripted", fmt.Sprintf("since %s is a k6 script", d.Script), nil
	}
	asks, err := mentions(dir, "STUB_URL")
	if err != nil || asks == "" {
		return "http", "which takes any server; -workload names another", err
	}
	if chat, err := mentions(dir, "/chat"); err != nil || chat == "" {
		return "http", fmt.Sprintf("though %s reads STUB_URL; -workload files or agent may fit better", asks), err
	}
	return "relay", fmt.Sprintf("since %s reads STUB_URL", asks), nil
}

// sources are the endings of files that are read, and mostRead how much of each.
var sources = []string{".go", ".rs", ".js", ".mjs", ".ts", ".py", ".cpp", ".cc", ".hpp"}

const mostRead = 1 << 20

// mentions names a source of the server that has a text; "" without any. It looks in the directory, in src/ and in cmd/.
func mentions(dir, text string) (string, error) {
	for _, pattern := range []string{"*", "src/*", "cmd/*/*", "app/*"} {
		files, err := filepath.Glob(filepath.Join(escaped(dir), pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil || !info.Mode().IsRegular() || info.Size() > mostRead || !slices.Contains(sources, filepath.Ext(file)) {
				continue
			}
			content, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			if strings.Contains(string(content), text) {
				return filepath.Rel(dir, file)
			}
		}
	}
	return "", nil
}

// escaped is a directory in a pattern.
func escaped(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// k6Script finds a k6 script by what it imports; "" without one.
func (d directory) k6Script() (string, error) {
	for _, pattern := range []string{"*.js", "*.ts", "k6/*.js", "load/*.js", "loadtest/*.js", "test/k6/*.js", "tests/k6/*.js"} {
		files, err := filepath.Glob(filepath.Join(escaped(d.dir), pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			name, err := filepath.Rel(d.dir, file)
			if err != nil {
				return "", err
			}
			text, err := d.text(name)
			if err != nil {
				return "", err
			}
			for _, from := range []string{"'k6/http'", `"k6/http"`, "'k6'", `"k6"`, "'k6/ws'", `"k6/ws"`, "'k6/net/grpc'", `"k6/net/grpc"`} {
				if strings.Contains(text, "from "+from) {
					return filepath.ToSlash(name), nil
				}
			}
		}
	}
	return "", nil
}
