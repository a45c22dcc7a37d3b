package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// No error is passed over in silence: it is handled, or a comment on its line or on the
// line above says why it is not.

// remark is a comment behind code, or a line that is one.
var remark = regexp.MustCompile(`(^|\s)(//|#|/\*) \S`)

// excused says whether a line, counted from 1, has its reason.
func excused(lines []string, number int) bool {
	if remark.MatchString(lines[number-1]) {
		return true
	}
	above := ""
	if number > 1 {
		above = strings.TrimSpace(lines[number-2])
	}
	return strings.HasPrefix(above, "//") || strings.HasPrefix(above, "#")
}

func linesOf(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}

// swallowed are the places in a Go module, as path:line, where an error is passed over
// without a reason. tools/errcheck.txt has the functions whose error says nothing, and
// tools/errcheck-tests.txt those whose error says nothing in a test.
func swallowed(t *testing.T, errcheck, module string) (places []string) {
	t.Helper()
	exclude, err := filepath.Abs("tools/errcheck.txt")
	if err != nil {
		t.Fatal(err)
	}
	inTests := linesOf(t, "tools/errcheck-tests.txt")
	cmd := exec.Command(errcheck, "-verbose", "-blank", "-exclude", exclude, "./...")
	var out, talk bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = module, &out, &talk
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 { // it found some
		t.Fatalf("%s: errcheck: %v\n%s", module, err, talk.String())
	}
	for found := range strings.Lines(out.String()) {
		place, of, _ := strings.Cut(found, "\t")
		part := strings.SplitN(place, ":", 3)
		function, _, _ := strings.Cut(of, "\t")
		if strings.HasSuffix(part[0], "_test.go") && slices.Contains(inTests, function) {
			continue
		}
		path := filepath.Join(module, part[0])
		number, err := strconv.Atoi(part[1])
		if err != nil {
			t.Fatalf("errcheck says %q", found)
		}
		if lines := linesOf(t, path); !excused(lines, number) {
			places = append(places, path+":"+part[1]+": "+strings.TrimSpace(lines[number-1]))
		}
	}
	return places
}

func TestNoErrorIsSwallowedInGo(t *testing.T) {
	t.Parallel()
	errcheck, err := filepath.Abs("bin/errcheck")
	if err != nil {
		t.Fatal(err)
	}
	// Apart from the other tools, which another test builds.
	if out, err := exec.Command("go", "build", "-C", "tools", "-o", errcheck, "github.com/kisielk/errcheck").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	modules := []string{".", "../stub", "../k6", "../k6/shared"}
	servers, err := filepath.Glob("../servers/*/*/go.mod")
	if err != nil || len(servers) == 0 {
		t.Fatal("no server in Go", err)
	}
	for _, mod := range servers {
		modules = append(modules, filepath.Dir(mod))
	}
	for _, module := range modules {
		for _, place := range swallowed(t, errcheck, module) {
			t.Errorf("%s: its error is passed over without a reason", place)
		}
	}
	if got := swallowed(t, errcheck, "e2e/testdata/swallowed"); len(got) != 3 ||
		!strings.HasSuffix(got[0], ".go:10: f.Close()") || !strings.Contains(got[1], ".go:12: n, _ :=") || !strings.HasSuffix(got[2], `_test.go:14: os.Remove("nothing")`) {
		t.Errorf("of a module that swallows three errors: %q", got)
	}
}

// What swallows an error in other languages, by how a file's name ends; "" is a script
// of the shell without an ending.
var swallows = []struct {
	names []string
	what  *regexp.Regexp
}{
	{[]string{".rs"}, regexp.MustCompile(`\.ok\(\)|(^\s*|let |\| )_ = `)},
	{[]string{".ts", ".tsx", ".js", ".mjs"}, regexp.MustCompile(`\bcatch( \(\w*\))? \{|\.catch\(\(\w*\) =>`)},
	{[]string{".sh", ".yml", ".yaml", ""}, regexp.MustCompile(`\|\| *(true|:)( |$|;|\))|2> ?/dev/null|continue-on-error|set \+e`)},
}

func TestNoErrorIsSwallowedElsewhere(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("git", "ls-files", "-z", "..").Output()
	if err != nil {
		t.Skip("git lists no files here: ", err)
	}
	seen := map[string]int{}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		for _, s := range swallows {
			for _, name := range s.names {
				if filepath.Ext(path) != name {
					continue
				}
				lines := linesOf(t, path)
				if name == "" && !strings.HasPrefix(lines[0], "#!") {
					continue
				}
				seen[name]++
				for i, line := range lines {
					inside := i+1 < len(lines) && strings.HasSuffix(line, "{") && strings.HasPrefix(strings.TrimSpace(lines[i+1]), "//")
					if s.what.MatchString(line) && !handled(line) && !inside && !excused(lines, i+1) {
						t.Errorf("%s:%d: %s: its error is passed over without a reason", path, i+1, strings.TrimSpace(line))
					}
				}
			}
		}
	}
	for _, name := range []string{".rs", ".ts", ".sh", ".yml", ""} {
		if seen[name] == 0 {
			t.Errorf("no file that ends in %q was looked at", name)
		}
	}
}

// handled is a catch that gets the error: what becomes of it stands behind it.
func handled(line string) bool {
	return regexp.MustCompile(`catch \(\w+\) \{$|\.catch\(\(\w+\) =>`).MatchString(line)
}
