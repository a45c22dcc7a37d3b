package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each fault of the table has a test, by the name that it has there: a function of
// that package, and in its file the names of its parts.
func TestFaultsHaveTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("FAULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:[a-z0-9.]+/)*)(Test\\w+)((?:/[^`]+)?)`")
	rows := 0
	table, _, _ := strings.Cut(string(text), "\n## Foreign bytes")
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| fault") {
			continue
		}
		rows++
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, m := range tests {
			if file := fileOf(t, filepath.Join(".", m[1]), m[2]); file == "" {
				t.Errorf("%s: no func %s in scripts/%s", line, m[2], m[1])
			} else {
				for _, part := range strings.Split(m[3], "/") { // as they are in the file, before go test puts _ for a space
					if !strings.Contains(file, part) && !strings.Contains(file, strings.ReplaceAll(part, "_", " ")) {
						t.Errorf("%s: %s has no part %q", line, m[2], part)
					}
				}
			}
		}
	}
	if rows < 40 {
		t.Errorf("%d rows, want at least 40", rows)
	}
}

// fileOf is the test file of a directory in which a function is, "" if there is none.
func fileOf(t *testing.T, dir, function string) string {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+function+"(") {
			return string(text)
		}
	}
	return ""
}
