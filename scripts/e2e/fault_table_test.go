package e2e

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each fault of the table has a test, by its name in the table. The function is in that package, and its file
// or another one of the package has the names of its parts. The table says when it runs.
func TestFaultsHaveTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("FAULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:[a-z0-9.]+/)*)(Test\\w+)((?:/[^`]+)?)`")
	isOfLong := regexp.MustCompile(`\blong\(t, |isLong|FAIRSTREAM_LONG`)
	packages := packageDirs(t)
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
		inLong, onlyLong := false, false
		for _, m := range tests {
			dir := cmp.Or(packages[strings.TrimSuffix(m[1], "/")], m[1])
			if file := fileOf(t, dir, m[2]); file == "" {
				t.Errorf("%s: no func %s in package %q", line, m[2], m[1])
			} else {
				_, body, _ := strings.Cut(file, "\nfunc "+m[2]+"(")
				body, _, _ = strings.Cut(body, "\n}")
				inLong = inLong || isOfLong.MatchString(body)
				onlyLong = onlyLong || strings.Contains(body, "\n\tlong(t, ")
				for _, part := range strings.Split(m[3], "/") { // as in the file, before go test replaces spaces by _
					if !strings.Contains(file, part) && !strings.Contains(file, strings.ReplaceAll(part, "_", " ")) && fileWith(t, dir, `"`+part+`"`) == "" {
						t.Errorf("%s: %s has no part %q", line, m[2], part)
					}
				}
			}
		}
		cells := strings.Split(line, "|")
		when := cells[len(cells)-2]
		if strings.Contains(when, "long") && !inLong || strings.Contains(when, "quick") && onlyLong && !strings.Contains(when, "long") {
			t.Errorf("%s: when is %q; -long does more: %v, it does all: %v", line, when, inLong, onlyLong)
		}
	}
	if rows < 40 {
		t.Errorf("%d rows, want at least 40", rows)
	}
}

// fileOf is the test file of a directory that has a function, or "".
func fileOf(t *testing.T, dir, function string) string {
	return fileWith(t, dir, "\nfunc "+function+"(")
}

// fileWith is the first test file of a directory that has a text, or "".
func fileWith(t *testing.T, dir, wanted string) string {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), wanted) {
			return string(text)
		}
	}
	return ""
}

// packageDirs are the directories of the module's packages by their last element.
// A row's function is looked for in that directory, so a mix-up shows.
func packageDirs(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{"": "e2e"}
	files, err := exec.Command("git", "ls-files", "*_test.go").Output()
	if err != nil {
		t.Fatal(err)
	}
	for file := range strings.Lines(string(files)) {
		dir := filepath.Dir(strings.TrimSpace(file))
		dirs[filepath.Base(dir)] = dir
	}
	return dirs
}
