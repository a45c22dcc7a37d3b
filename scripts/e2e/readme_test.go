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
	"scripts/test":                        "this test is part of it",
	"scripts/test -all":                   "this test is part of it",
	"scripts/test -long":                  "this test is part of it",
	"scripts/bench init ../shop/server":   inYourRepository,
	"scripts/bench verify ../shop/server": inYourRepository,
	"scripts/bench compare -base main -head HEAD ../shop/server": inYourRepository,
	"scripts/bench site raw/START/run.jsonl":                     "serves until Ctrl-C: see TestPublishServes",
}

const inYourRepository = "needs a repository beside the clone: see TestReadmeInYourRepository"

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
	for _, page := range []string{"../README.md", "README.md", "internal/measure/load/README.md", "internal/judge/verdict/README.md"} {
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

// The commands for another repository are executed in order, with that repository beside the clone.
func TestReadmeInYourRepository(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## In your repository\n")
	section, _, ended := strings.Cut(section, "\n## ")
	if lines := strings.Count(section, "\n"); !found || !ended || lines > 30 {
		t.Fatalf("README.md: found the section: %v, its end: %v; %d lines, want at most 30", found, ended, lines)
	}
	p := newProject(t)
	p.write(".gitignore", "/raw/\n/tmp/\n")
	p.git("init", "-q")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "rig")
	r := testProject{t, filepath.Join(filepath.Dir(p.root), "shop")}
	r.write("README", "")
	r.copy("../servers/relay/go-http", "server")
	r.must(os.Remove(filepath.Join(r.root, "server/server.json")))
	r.must(os.RemoveAll(filepath.Join(r.root, "server/bin")))
	r.git("init", "-q", "-b", "main")
	executed := 0
	for line := range strings.Lines(section) {
		command, _, _ := strings.Cut(line, "#")
		args := strings.Fields(command)
		if len(args) == 0 || args[0] != "scripts/bench" {
			continue
		}
		if notExecuted[strings.TrimSpace(command)] != inYourRepository {
			t.Errorf("%s: not in the list of TestReadmeCommands", command)
		}
		executed++
		if args[1] == "compare" { // a reader compares a branch with main
			r.git("checkout", "-q", "-b", "topic")
			r.git("commit", "-q", "--allow-empty", "-m", "a change")
		}
		p.bench(args[1:]...).expect(t, 0)
		r.git("add", "-A")
		r.git("commit", "-q", "--allow-empty", "-m", "as the section says")
	}
	if executed != 3 {
		t.Errorf("%d commands, want 3", executed)
	}
	for _, name := range []string{"fairstream.yml", "fairstream-forks.yml"} {
		if !exists(filepath.Join(r.root, ".github/workflows", name)) {
			t.Errorf("no %s", name)
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
