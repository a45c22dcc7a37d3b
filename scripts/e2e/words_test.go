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

// A word of the glossary has one meaning, and no other word has the same. The words that it replaced are in
// no name, key, flag or text. tools/prose lists them.
func TestOldWordsAreGone(t *testing.T) {
	t.Parallel()
	rules := "tools/prose/styles/Fairstream/Glossary.yml"
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, m := range regexp.MustCompile(`(?m)^  (\S+): `).FindAllStringSubmatch(string(text), -1) {
		words = append(words, m[1])
	}
	if len(words) < 5 {
		t.Fatalf("%s has the words %q, want at least 5", rules, words)
	}
	old := oldWord(words)
	listed, err := exec.Command("git", "-C", "..", "ls-files", "*.go", "*.ts", "*.tsx", "*.js", "*.css", "*.yml", "*.json", "*.md", "*.sh").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(listed)) {
		if strings.Contains(path, "package-lock.json") || strings.Contains(path, "tools/prose/") || strings.HasSuffix(path, "e2e/prose_test.go") || strings.HasSuffix(path, "e2e/comments_test.go") || strings.HasSuffix(path, "e2e/words_test.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if m := cmp.Or(old(line), oldNames.FindString(line)); m != "" {
				t.Errorf("%s:%d: %q; scripts/GLOSSARY.md has the word for it", path, i+1, m)
			}
		}
	}
}

// oldNames are names and texts of earlier versions whose words are fine elsewhere.
var oldNames = regexp.MustCompile(`"lacks"|\bmatrix\.trend_run|\bplan\.TrendRun|came whole|was held up|` +
	`\b(?:rank\.(?:Of|Over|Counting|Doubtful|Fullest|Lost|Lumps)|alert\.Of|jsonl\.Whole|details\.(?:Of|Least)|` +
	`record\.(?:Only|Known|Short|CannotTell)|revision\.(?:Known|Of)|verify\.(?:Lacking|Failed)|site\.Doubted)\b`)

// oldWord finds the first of words in a line, as a word or as a part of a name.
func oldWord(words []string) func(line string) string {
	parts := regexp.MustCompile(`[A-Z]+s?(?:[^a-z]|$)|[A-Z]?[a-z]+`)
	falseAlarm := regexp.MustCompile(`(?i)false[-_ ]?alarms?`)
	old := regexp.MustCompile(`^(?i:` + strings.ReplaceAll(strings.Join(words, "|"), `(?<!false )`, "") + `)$`)
	return func(line string) string {
		for _, part := range parts.FindAllString(falseAlarm.ReplaceAllString(line, ""), -1) {
			if old.MatchString(strings.TrimRight(part, "_0123456789")) {
				return part
			}
		}
		return ""
	}
}

func TestAnOldWordIsFoundInAName(t *testing.T) {
	t.Parallel()
	old := oldWord([]string{"rulers?", "(?<!false )alarms?"})
	for line, want := range map[string]string{
		"cpu_over_ruler": "ruler", "rulerSeconds": "ruler", "isRuler()": "Ruler", "the Rulers": "Rulers",
		"a rule": "", "false alarms, FalseAlarms": "", "an alarm": "alarm", "rank.Of(records)": "rank.Of", "rank.Offset": "",
	} {
		if got := cmp.Or(old(line), oldNames.FindString(line)); got != want {
			t.Errorf("%q: found %q, want %q", line, got, want)
		}
	}
}
