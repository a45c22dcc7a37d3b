package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// Commands of the READMEs that the test does not execute, and why.
var notExecuted = map[string]string{
	"go test -C scripts -timeout 2h -run '^$' -bench TwoCopies -benchtime 1x ./e2e":                                                                     "measures for 20 minutes, and proves nothing",
	"go test -C scripts -timeout 2h -run '^$' -bench TwoCopies -benchtime 1x ./e2e -copies-rounds 6 -copies-variants shared,slice=250ms,slice=1s,split": "measures for 14 minutes, and proves nothing",
	"scripts/test":                              "this test is part of it",
	"scripts/test -all":                         "this test is part of it",
	"scripts/test -long":                        "this test is part of it",
	"scripts/bench publish raw/START/run.jsonl": "serves until Ctrl-C: see TestPublishServes",
}

// executedLong are executed by scripts/test -long.
var executedLong = map[string]string{
	"scripts/bench run":                           "takes 10 minutes",
	"scripts/bench compare -base main -head HEAD": "takes 5 minutes where servers differ",
	"scripts/bench run -quick -rounds 1 -scenario stress -slice 250ms -placement shared go-http rust-axum": "takes a minute, and others do much the same",
	"scripts/bench run -quick -rounds 1 -solo -scenario steady go-http":                                    "likewise",
}

// mayAnswerNo are those whose answer depends on the machine: they may also end
// with 1.
var mayAnswerNo = map[string]bool{
	"scripts/bench doctor": true,
	"scripts/bench compare -quick -rounds 2 -same -base HEAD -head HEAD go-http": true,
}

// The READMEs' command blocks are executed as they stand, in the project.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	var commands []string
	for _, page := range []string{"../README.md", "README.md", "internal/measure/run/README.md", "internal/judge/verdict/README.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		inBlock := false
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.HasPrefix(line, "```"):
				inBlock = line == "```sh"
			case inBlock && line != "":
				command, _, _ := strings.Cut(line, "#")
				commands = append(commands, strings.TrimSpace(command))
			}
		}
	}
	if len(commands) < 5 {
		t.Fatalf("%d commands found, want at least 5: %q", len(commands), commands)
	}
	before := runs(t)
	// One after the other: a command has the checkout to itself.
	for _, command := range commands {
		if notExecuted[command] == "" && (isLong || executedLong[command] == "") {
			t.Run(command, func(t *testing.T) { execute(t, command) })
		}
	}
	for dir := range runs(t) {
		if !before[dir] {
			checkRun(t, dir)
		}
	}
}

// Links of our pages lead to a file, and to a heading in it.
func TestLinksOfPages(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)\s#]*)(#[^)\s]*)?\)`)
	pages, err := exec.Command("git", "-C", "..", "ls-files", "*.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, page := range strings.Fields(string(pages)) {
		text, err := os.ReadFile(filepath.Join("..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			checked++
			to := filepath.Join("..", filepath.Dir(page), m[1])
			if m[1] == "" {
				to = filepath.Join("..", page)
			}
			if !exists(to) {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if m[2] != "" && !slices.Contains(headings(t, to), m[2]) {
				t.Errorf("%s links to %s%s, which is none of %q", page, m[1], m[2], headings(t, to))
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d links found, want at least 20", checked)
	}
}

// headings are the anchors of a page, as GitHub makes them.
func headings(t *testing.T, page string) (anchors []string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(text), -1) {
		plain := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		anchors = append(anchors, "#"+strings.ReplaceAll(plain, " ", "-"))
	}
	return anchors
}

func execute(t *testing.T, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-euc", command)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if no := mayAnswerNo[command] && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 1; err != nil && !no {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("\n%s", out)
}

// runs are the directories in raw/.
func runs(t *testing.T) map[string]bool {
	found, err := filepath.Glob("../raw/*")
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, dir := range found {
		set[dir] = true
	}
	return set
}

// checkRun checks a run of the real servers: whole, no failed stream, and the
// same records from the same raw files.
func checkRun(t *testing.T, dir string) {
	records, _, planned, err := record.FromRaw(dir)
	if err != nil || len(records) != planned {
		t.Fatalf("%s: %d of %d records: %v", dir, len(records), planned, err)
	}
	for _, r := range records {
		failed, known := r.Metrics.Get("failed_pct")
		if !known || failed != 0 {
			t.Errorf("%s: %s %s: failed %v %%, known %v: %q", dir, r.Server.Name, r.Scenario, failed, known, r.Why)
		}
	}
	var again bytes.Buffer
	if err := record.Write(&again, records); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(dir, recordsFile))
	if err != nil || !bytes.Equal(written, again.Bytes()) {
		t.Errorf("%s: other bytes from the same raw files (%v)", dir, err)
	}
}
