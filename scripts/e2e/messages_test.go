package e2e

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Messages of the programs and texts of the site are plain as well: tools/prose/.vale-messages.ini names their
// rules. Texts that tests have are not read.

var (
	verb         = regexp.MustCompile(`%[-+#.0-9*]*[a-zA-Z]`)
	markupText   = regexp.MustCompile(`>\s*([^<>{}=;()&|]{12,})[<{]|'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|` + "`([^`]+)`")
	blockComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	partEnd      = regexp.MustCompile(`;\s|\n`)
	sentenceEnd  = regexp.MustCompile("[.!?]\\s+[A-Z`]")
	notProse     = regexp.MustCompile(`[{}$\\<>]{2}|; do |&&|=>|\breturn |'\s*[+,]`) // code, patterns, JSON
)

// messages returns the texts of at least three words in a source. A semicolon ends a sentence of a message.
func messages(path, source string) (all []comment) {
	add := func(line int, text string) {
		for _, part := range partEnd.Split(verb.ReplaceAllString(text, "X"), -1) {
			if part = strings.Join(strings.Fields(part), " "); strings.Count(part, " ") >= 2 && !notProse.MatchString(part) {
				all = append(all, comment{line, part})
			}
		}
	}
	if filepath.Ext(path) != ".go" {
		text := blockComment.ReplaceAllStringFunc(source, func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
		var code []string
		for line := range strings.SplitSeq(text, "\n") {
			if lineComment.MatchString(line) {
				line = line[:strings.LastIndex(line, "//")]
			}
			code = append(code, line)
		}
		text = strings.Join(code, "\n")
		for _, m := range markupText.FindAllStringSubmatchIndex(text, -1) {
			for group := 2; group < len(m); group += 2 {
				if m[group] >= 0 {
					add(1+strings.Count(text[:m[group]], "\n"), strings.ReplaceAll(text[m[group]:m[group+1]], "\n", " "))
				}
			}
		}
		return all
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return []comment{{1, err.Error()}}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case ast.Expr:
			if text := literal(n); text != "" {
				add(files.Position(n.Pos()).Line, text)
				return false
			}
		}
		return true
	})
	return all
}

// literal is the text of a string, or of a sum of strings. Another summand is a word.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		left, right := literal(e.X), literal(e.Y)
		if e.Op == token.ADD && left+right != "" {
			return orWord(left) + orWord(right)
		}
	}
	return ""
}

func orWord(text string) string {
	if text == "" {
		return "X"
	}
	return text
}

// hardMessages returns a finding for each message that breaks a rule, or has a sentence of more than 25 words.
func hardMessages(t *testing.T, sources map[string]string) []string {
	t.Helper()
	found := hardTexts(t, ".vale-messages.ini", messages, sources)
	for path, source := range sources {
		for _, m := range messages(path, source) {
			for _, sentence := range sentenceEnd.Split(m.text, -1) {
				if n := len(strings.Fields(sentence)); n > 25 {
					found = append(found, fmt.Sprintf("%s:%d: a sentence has %d words; split it: %q", path, m.line, n, sentence))
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

func TestMessagesArePlain(t *testing.T) {
	t.Parallel()
	listed, err := exec.Command("git", "-C", "..", "ls-files", "*.go", "*.ts", "*.tsx", "*.js").Output()
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for path := range strings.FieldsSeq(string(listed)) {
		if regexp.MustCompile(`_test\.go$|\.test\.ts$|(^|/)(testdata|test|e2e|gates)/`).MatchString(path) {
			continue
		}
		data, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		sources[path] = string(data)
	}
	if len(sources) < 400 {
		t.Fatalf("%d sources found, want at least 400", len(sources))
	}
	for _, f := range hardMessages(t, sources) {
		t.Error(f)
	}
}

func TestMessageRulesFindHardMessages(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 25)
	got := hardMessages(t, map[string]string{
		"a.go":  "package a\n\nvar a = \"a server of which \" + b +\n\t\" is no name\"\nvar c = errors.New(\"" + long + "more\")\n",
		"b.go":  "package a\n\nimport \"is no name\"\n\ntype t struct {\n\ta int `is no name`\n}\n\nvar plain = \"" + long + "; " + long + "\"\n",
		"c.tsx": "<p>\n  Targets by lot,\n  whoever reads it.\n</p>;\nconst a = 'it is told so'; /" + "/ of which\n",
	})
	for i, f := range got {
		got[i] = strings.Join(strings.SplitN(f, ":", 3)[:2], ":")
	}
	if want := []string{"a.go:3", "a.go:3", "a.go:5", "c.tsx:2", "c.tsx:2", "c.tsx:5"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
