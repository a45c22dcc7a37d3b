package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// What people read is plain: vale holds the rules of tools/prose. A sentence has at most
// 25 words. Constructions that are hard to read are refused, and so are words that the
// glossary replaced.

// vale builds the linter, as tools/go.mod pins it.
var vale = sync.OnceValues(func() (string, error) {
	bin, err := filepath.Abs("bin/tools/vale")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-C", "tools", "-o", bin, "github.com/vale-cli/vale/v3/cmd/vale")
	build.Stderr = os.Stderr
	return bin, build.Run()
})

// documents are the rules of documents.
const documents = ".vale.ini"

// A finding is a place at which a rule does not hold.
type finding struct {
	Check   string // Fairstream.Sentences
	Message string
	Match   string
	Line    int
}

// lint returns the findings in files, by file. config is a file of tools/prose.
func lint(t *testing.T, config string, files ...string) map[string][]finding {
	t.Helper()
	tool, err := vale()
	if err != nil {
		t.Fatalf("vale: %v", err)
	}
	config, err = filepath.Abs(filepath.Join("tools/prose", config))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, append([]string{"--no-global", "--config", config, "--output", "JSON"}, files...)...)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: it found some
		t.Fatalf("vale: %v\n%s", err, out)
	}
	var found map[string][]finding
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("vale: %v\n%s", err, out)
	}
	return found
}

// notYetPlain are files whose texts still break a rule. A file that breaks none must leave the list.
var notYetPlain []string

// Documents, help texts, and golden files of comments and issues.
func TestProseIsPlain(t *testing.T) {
	t.Parallel()
	listed, err := exec.Command("git", "-C", "..", "ls-files", "*.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := helpTexts(t)
	for page := range strings.FieldsSeq(string(listed)) {
		files = append(files, filepath.Join("..", page))
	}
	if len(files) < 40 {
		t.Fatalf("%d texts found, want at least 40: %q", len(files), files)
	}
	found := lint(t, documents, files...)
	for _, name := range notYetPlain {
		file := filepath.Join("..", name)
		if len(found[file]) == 0 {
			t.Errorf("%s is plain, or gone; take it from notYetPlain", name)
		}
		delete(found, file)
	}
	for file, all := range found {
		for _, f := range all {
			t.Errorf("%s:%d: %s: %s: %q", file, f.Line, f.Check, f.Message, f.Match)
		}
	}
}

// helpTexts writes what each command prints for -h, each text a paragraph of its own.
func helpTexts(t *testing.T) (files []string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, args ...string) string {
		out, err := exec.Command("./bench", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("bench %q: %v\n%s", args, err, out)
		}
		var paragraphs []string
		for line := range strings.Lines(string(out)) {
			paragraphs = append(paragraphs, strings.TrimSpace(line))
		}
		path := filepath.Join(dir, name+".md")
		testfile.Write(t, path, strings.Join(paragraphs, "\n\n"))
		files = append(files, path)
		return string(out)
	}
	overview := write("help", "help")
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+) `).FindAllStringSubmatch(overview, -1) {
		write(m[1], m[1], "-h")
	}
	return files
}

// Each rule finds what it is for. hardSentences come from the first edition's texts.
func TestProseRulesFindHardSentences(t *testing.T) {
	t.Parallel()
	rules := map[string]string{
		"The count of each load is in its files, of which some are small.": "Fairstream.Constructions",
		"Its records are those of whoever loaded them.":                    "Fairstream.Constructions",
		"Targets are started and placed by lot.":                           "Fairstream.Constructions",
		"It is measured beside the ruler.":                                 "Fairstream.Glossary",
		"The figures of a plateau stand together.":                         "Fairstream.Glossary",
		"What is acknowledged opens no issue.":                             "Fairstream.Glossary",
		"The alarm divides a point by the one before.":                     "Fairstream.Glossary",
		"A leg loads one server.":                                          "Fairstream.Glossary",
		"The dose of a planted regression is known.":                       "Fairstream.Glossary",
		strings.Repeat("many ", 25) + "words.":                             "Fairstream.Sentences",
		"- " + strings.Repeat("item ", 25) + "words.":                      "Fairstream.Sentences",
		"| a |\n|---|\n| " + strings.Repeat("cell ", 25) + "words. |":      "Fairstream.Sentences",
	}
	for _, text := range hardSentences {
		rules[text] = "Fairstream."
	}
	plain := []string{"The false-alarm rate is 1 %. A false alarm is rare.", strings.Repeat("few ", 24) + "words."}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name+".md")
		testfile.Write(t, path, "# A page\n\n"+text+"\n")
		return path
	}
	var missed []string
	for text, rule := range rules {
		path, found := write("hard", text), false
		for _, f := range lint(t, documents, path)[path] {
			found = found || strings.HasPrefix(f.Check, rule)
		}
		if !found {
			missed = append(missed, rule+": "+text)
		}
	}
	if len(missed) > 0 {
		t.Errorf("no rule finds %d sentences:\n%s", len(missed), strings.Join(missed, "\n"))
	}
	for _, text := range plain {
		if found := lint(t, documents, write("plain", text)); len(found) > 0 {
			t.Errorf("%q: found %v", text, found)
		}
	}
}

var hardSentences = []string{
	"The count of each loading, of `run` and `pair` too, is in its raw files, and where it is not even the record says so.",
	"What was sent is what was received, less what was doubled, and what was lost.",
	"of what the contract says that a server should do, head lacks C4 nodelay and base does not",
	"12 rounds; 1 % risk that anything of a server that did not change is called changed",
	"any change of what has not figures in all rounds",
	"its records are of no pair; what was loaded in different minutes cannot be told apart from what the machine did",
	"where the pair knew from earlier ones how much this machine's figures differ, its own verdicts may be others",
	"what was to be printed is not",
	"0 or less before, of which nothing is a share",
	"It does not fill the machine: of its 9256 streams per second the stub's pace allows 10000, with 81 % of two cores.",
	"Less than 4.8 % apart in the mean of the rounds is a tie; the rank is then a range.",
	"Two servers are tied when they differ by no more than what is left between the rounds once each server's and each round's mean is taken away.",
	"A server that fails streams, or the contract, at head only has regressed, whatever its speed",
	"in 56 of these throughput at stress-200 was left open, where 12 rounds would have found a change of some 7 % and one of 3 % is enough to care",
	"All tables, the rules that are usual today on the same trials among them, and the trials themselves are in the directory.",
	"Head has regressed when it cannot be built or fails the contract, or had no figures at all in two rounds, by its own fault, and base has them, or when it alone lost streams in more rounds than chance explains.",
	"When more than half as many as were planned are spoiled, and those that count leave the answer open, it is that the machine is too noisy.",
	"Every Monday the base is instead the newest release or the commit since which somebody accepted that the server got worse, whichever is newer, and without either the oldest published one.",
	"Nor does one keep the memory that another would have liked.",
	"regained is the step at which all was regained that a cell lost at a place, and what was lost since: no more is left than the loss itself was unsure of.",
}
