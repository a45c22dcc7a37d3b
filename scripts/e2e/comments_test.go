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

	"fairstream/scripts/internal/testfile"
)

// Comments in code are plain as well: tools/prose/.vale-comments.ini names their rules. Sentences may
// be longer than in documents, since a comment in a line has no room for two.

// A comment is a paragraph of a comment, in one line.
type comment struct {
	line int // of its first line
	text string
}

var (
	lineComment = regexp.MustCompile("^(?:.*[^:\"'`\\\\])?//[/!]?(?: (.*))?$")
	listOrCode  = regexp.MustCompile(`^(?:\t|  )|:$`)
	blockBegin  = regexp.MustCompile(`(?:^|[\s{])/\*+(?:\s|$)`) // a glob has no space before and after
	docstring   = regexp.MustCompile(`^\s*"""`)
	blockMargin = regexp.MustCompile(`^\s*\*?\s?`)
)

// hashed are the languages whose comments begin with #.
var hashed = []string{"", ".sh", ".yml", ".py", ".toml", ".service", ".conf"}

// hashComment returns the text after a # that no quotes enclose.
func hashComment(line string) (text string, ok bool) {
	for at := range len(line) {
		if line[at] != '#' || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' || at+1 < len(line) && line[at+1] != ' ' {
			continue
		}
		before := strings.NewReplacer(`\"`, "", `\'`, "").Replace(line[:at])
		if strings.Count(before, `"`)%2 == 0 && strings.Count(before, "'")%2 == 0 {
			return line[min(at+2, len(line)):], true
		}
	}
	return "", false
}

// comments finds the comments of a source by its lines. It does not parse the language.
func comments(path, source string) (all []comment) {
	ext := filepath.Ext(path)
	hash := slices.Contains(hashed, ext)
	begin, end := blockBegin, "*/"
	if hash {
		begin, end = docstring, `"""`
	}
	open, inBlock := false, false // a paragraph; a comment of several lines
	for i, line := range strings.Split(source, "\n") {
		text, own := "", false
		switch at := begin.FindStringIndex(line); {
		case inBlock:
			text, _, inBlock = strings.Cut(blockMargin.ReplaceAllString(line, ""), end)
			inBlock, own = !inBlock, true
		case at != nil && (!hash || ext == ".py"):
			text, _, inBlock = strings.Cut(line[at[1]:], end)
			inBlock, own = !inBlock, true
			open = open && strings.TrimSpace(line[:at[0]]) == "" // a comment after code is on its own
		case hash:
			if found, ok := hashComment(line); ok {
				text, own = found, strings.HasPrefix(strings.TrimSpace(line), "#")
			}
		default:
			if m := lineComment.FindStringSubmatch(line); m != nil {
				text, own = m[1], strings.HasPrefix(strings.TrimSpace(line), "//")
			}
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

// hardTexts returns a finding for each text that breaks a rule of config: "path:line: what". texts finds the
// texts of a source.
func hardTexts(t *testing.T, config string, texts func(path, source string) []comment, sources map[string]string) (found []string) {
	t.Helper()
	var places []string
	var text strings.Builder
	for path, source := range sources {
		for _, c := range texts(path, source) {
			places = append(places, fmt.Sprintf("%s:%d", path, c.line))
			text.WriteString(c.text + "\n\n")
		}
	}
	file := filepath.Join(t.TempDir(), "texts.txt")
	testfile.Write(t, file, text.String())
	for _, f := range lint(t, config, file)[file] {
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
		if !slices.Contains(append([]string{".go", ".mod", ".ts", ".tsx", ".js", ".rs", ".css"}, hashed...), ext) || strings.Contains(path, "tools/prose/") || strings.HasSuffix(path, "e2e/comments_test.go") {
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
	for _, f := range hardTexts(t, ".vale-comments.ini", comments, sources) {
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
		"f.yml": "# the ruler\nrun: echo \"a\" # it is the job's, whoever it was\n",
		"g.tsx": "<p>\n  {/* what comes\n      whole */}\n</p>\n",
		"h.css": "a { b: c; } /* held up */\n",
		"i.py":  "\"\"\"Streams\nof which some are lost.\"\"\"\nx = \"#\"  # by lot\n",
		"j.go":  "package a\n\nvar glob = \"x/*\" + \" of which */\"\n",
	}
	want := []string{"a.go:3", "a.go:3", "a.go:3", "a.go:5", "a.go:5", "b.ts:1", "c.rs:1", "c.rs:2", "d.sh:2", "d.sh:3", "e.css:1", "f.yml:1", "f.yml:2", "g.tsx:2", "h.css:1", "i.py:1", "i.py:3"}
	var got []string
	for _, f := range hardTexts(t, ".vale-comments.ini", comments, sources) {
		got = append(got, strings.Join(strings.SplitN(f, ":", 3)[:2], ":"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
