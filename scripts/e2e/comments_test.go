package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Comments in code are plain as well: tools/prose/.vale-comments.ini names their rules. Sentences may
// be longer than in documents, since a comment in a line has no room for two.

// A comment is a paragraph of a comment, in one line.
type comment struct {
	line int // of its first line
	text string
}

var (
	lineComment  = regexp.MustCompile("^(?:.*[^:\"'`\\\\])?//[/!]?(?: (.*))?$")
	shellComment = regexp.MustCompile(`^\s*#(?: (.*))?$|^[^'"]*\s# ([^'"]*)$`)
	blockMarks   = regexp.MustCompile(`^\s*(?:/\*+|\*+/|\*)\s?|\s*\*/\s*$`)
	listOrCode   = regexp.MustCompile(`^(?:\t|  )|:$`)
)

// comments finds the comments of a source by its lines. It does not parse the language.
func comments(path, source string) (all []comment) {
	form := lineComment
	if ext := filepath.Ext(path); ext == "" || ext == ".sh" || ext == ".yml" {
		form = shellComment
	}
	open, inBlock := false, false // a paragraph; /* without */
	for i, line := range strings.Split(source, "\n") {
		text, own := "", false
		switch m := form.FindStringSubmatch(line); {
		case form == lineComment && (inBlock || strings.HasPrefix(strings.TrimSpace(line), "/*")):
			text, own = blockMarks.ReplaceAllString(line, ""), true
			inBlock = !strings.Contains(line, "*/")
		case m != nil:
			text = strings.Join(m[1:], "")
			own = strings.HasPrefix(strings.TrimSpace(line), "//") || strings.HasPrefix(strings.TrimSpace(line), "#")
		}
		switch {
		case strings.TrimSpace(text) == "":
			open = false
		case open && own && !listOrCode.MatchString(text):
			all[len(all)-1].text += " " + text
		default:
			all = append(all, comment{i + 1, strings.TrimSpace(text)})
			open = own
		}
	}
	return all
}

// hardComments returns a finding for each comment that breaks a rule: "path:line: what".
func hardComments(t *testing.T, sources map[string]string) (found []string) {
	t.Helper()
	var places []string
	var text strings.Builder
	for path, source := range sources {
		for _, c := range comments(path, source) {
			places = append(places, fmt.Sprintf("%s:%d", path, c.line))
			text.WriteString(c.text + "\n\n")
		}
	}
	file := filepath.Join(t.TempDir(), "comments.txt")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range lint(t, ".vale-comments.ini", file)[file] {
		found = append(found, fmt.Sprintf("%s: %s: %q", places[(f.Line-1)/2], f.Check, f.Match))
	}
	slices.Sort(found)
	return found
}

func TestCommentsArePlain(t *testing.T) {
	t.Parallel()
	listed, err := exec.Command("git", "-C", "..", "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for path := range strings.FieldsSeq(string(listed)) {
		ext := filepath.Ext(path)
		if !slices.Contains([]string{"", ".go", ".ts", ".tsx", ".js", ".rs", ".css", ".sh", ".yml"}, ext) || strings.Contains(path, "tools/prose/") || strings.HasSuffix(path, "e2e/comments_test.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		if ext != "" || strings.HasPrefix(string(data), "#!") {
			sources[path] = string(data)
		}
	}
	if len(sources) < 500 {
		t.Fatalf("%d sources found, want at least 500", len(sources))
	}
	for _, f := range hardComments(t, sources) {
		t.Error(f)
	}
}

func TestCommentRulesFindHardComments(t *testing.T) {
	t.Parallel()
	sources := map[string]string{
		"a.go":  "package a\n\n// What is not read is\n// none.\nvar a = 1 // it is told\n\nvar link = \"http://nobody.knows\" // plain\n",
		"b.ts":  "/** Streams of which\n * some are lost. */\nconst b = 1; // a plain one\n",
		"c.rs":  "/// Nobody knows\nfn c() {} // whoever asks\n",
		"d.sh":  "#!/bin/sh\n# It came whole.\necho done # held up\necho '# nobody asks'\n",
		"e.css": "/* Who waits */\n",
		"f.yml": "# the ruler\n",
	}
	want := []string{"a.go:3", "a.go:3", "a.go:3", "a.go:5", "a.go:5", "b.ts:1", "c.rs:1", "c.rs:2", "d.sh:2", "d.sh:3", "e.css:1", "f.yml:1"}
	var got []string
	for _, f := range hardComments(t, sources) {
		got = append(got, strings.Join(strings.SplitN(f, ":", 3)[:2], ":"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
