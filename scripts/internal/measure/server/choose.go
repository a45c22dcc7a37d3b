package server

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/workload"
)

// Choose is the workload of a server, with the reason: by its load if it has one, else by its requests to other servers.
func (d Draft) Choose(dir string) (name, why string, err error) {
	if len(d.Requests) > 0 {
		return workload.HTTP, "since you gave URLs", nil
	}
	if d.Script != "" {
		return workload.Scripted, fmt.Sprintf("since %s is a k6 script", d.Script), nil
	}
	asks, err := mentions(dir, "STUB_URL")
	if err != nil || asks == "" {
		return workload.HTTP, "which takes any server; -workload names another", err
	}
	if chat, err := mentions(dir, "/chat"); err != nil || chat == "" {
		return workload.HTTP, fmt.Sprintf("though %s reads STUB_URL; -workload files or agent may fit better", asks), err
	}
	return workload.Relay, fmt.Sprintf("since %s reads STUB_URL", asks), nil
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

// importsK6 matches an import of k6 or of a module that is k6's own.
var importsK6 = regexp.MustCompile(`from\s+['"]k6(/[\w/]+)?['"]`)

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
			if importsK6.MatchString(text) {
				return filepath.ToSlash(name), nil
			}
		}
	}
	return "", nil
}
