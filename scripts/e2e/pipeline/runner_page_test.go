package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Commands of the page that no test can execute as they stand, and why. So a part of each
// is replaced, and what comes out must match. $DIR has the files that install writes to /etc.
var notHere = map[string]struct{ why, part, by, says string }{
	"git clone https://github.com/OWNER/NAME fairstream && cd fairstream": {"needs GitHub",
		"https://github.com/OWNER/NAME fairstream && cd fairstream",
		"--quiet --no-checkout . $DIR/fairstream && cd $DIR/fairstream && git ls-tree --name-only HEAD .github/runner/install",
		`^\.github/runner/install\n$`},
	"sudo .github/runner/install OWNER/NAME": {"would change this machine; TestUndoPutsEverythingBack does it to a directory",
		"sudo .github/runner/install", ".github/runner/install -n", `would `},
	"sudo .github/runner/install -u": {"would change this machine; TestUndoPutsEverythingBack does it to a directory",
		"sudo .github/runner/install", ".github/runner/install -n", `would |nothing can be undone`},
	"systemctl status fairstream-machine fairstream@main fairstream@pr": {"needs an installed runner; TestTheUnitIsAsTheGateNeedsIt checks the units",
		"systemctl status", "systemctl --root=$DIR is-enabled", `^(disabled\n){3}$`},
	"journalctl -t fairstream-gate": {"needs an installed runner",
		"journalctl", "journalctl --directory=$DIR", `-- No entries --`},
}

func runnersPage(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(source, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func TestThePagesCommands(t *testing.T) {
	release, _ := os.ReadFile("/etc/os-release") // a missing file is fine
	family := regexp.MustCompile(`(?m)^ID(_LIKE)?=.*\b(debian|arch)\b`).Match(release)
	seen := map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)\n```sh\n(.*?)\n```\n").FindAllStringSubmatch(runnersPage(t), -1) {
		for line := range strings.Lines(block[1]) {
			command, _, _ := strings.Cut(line, "#")
			command = strings.TrimSpace(command)
			seen[command] = true
			t.Run(command, func(t *testing.T) {
				if !family {
					t.Skip("NOT TESTED: this is neither Debian nor Arch")
				}
				says := "would "
				if not, ok := notHere[command]; ok {
					if !strings.Contains(command, not.part) {
						t.Fatalf("%q is not in it", not.part)
					}
					t.Log("not as it stands: " + not.why)
					command, says = strings.Replace(command, not.part, not.by, 1), not.says
				}
				if _, err := exec.LookPath(strings.Fields(command)[0]); err != nil && !strings.Contains(command, "/") {
					t.Skip("NOT TESTED: ", err)
				}
				dir := t.TempDir()
				if err := os.CopyFS(filepath.Join(dir, "etc"), os.DirFS(filepath.Join(source, "etc"))); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command("sh", "-euc", command)
				cmd.Dir, cmd.Env = "../../..", append(os.Environ(), "DIR="+dir)
				out, err := cmd.CombinedOutput()
				if !regexp.MustCompile(says).Match(out) || says == "would " && err != nil {
					t.Errorf("%s: %v, want %q in\n%s", command, err, says, out)
				}
			})
		}
	}
	if len(seen) != len(notHere)+1 {
		t.Errorf("%d commands, want %d that are not executed and one that is: %v", len(seen), len(notHere), seen)
	}
}

// The page's statements about threats, tests, files and versions.
func TestThePageMatchesTheFiles(t *testing.T) {
	text := runnersPage(t)
	for i := range 20 {
		if !strings.Contains(text, "\n| T"+strconv.Itoa(i+1)+" | ") {
			t.Errorf("no row of threat T%d", i+1)
		}
	}
	var tests strings.Builder
	files, err := filepath.Glob("../../internal/*/*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, own...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(content)
	}
	for _, test := range regexp.MustCompile("`(Test[A-Z]\\w+)(?:/(\\w+))?`").FindAllStringSubmatch(text, -1) {
		if test[2] != "" && !strings.Contains(tests.String(), "{\""+test[2]+"\", ") {
			t.Errorf("%s has no part %s", test[1], test[2])
		}
		if !strings.Contains(tests.String(), "\nfunc "+test[1]+"(t ") {
			t.Errorf("there is no %s", test[1])
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(source, link[1])); err != nil {
			t.Error(err)
		}
	}
	all, err := parse(ours(t))
	if err != nil {
		t.Fatal(err)
	}
	// A fork begins without schedules and without issues.
	issues := regexp.MustCompile(`(?m)^\| \*Settings > General > Features\* \| \*Issues\*.*$`).FindString(text)
	for _, w := range all {
		if _, ok := w.On["schedule"]; ok && !strings.Contains(text, "*"+w.Name+" > Enable workflow*") {
			t.Errorf("%s has a schedule, and the page does not say to enable it", w.Name)
		}
		for name, j := range w.Jobs {
			if j.Permissions != nil && (*j.Permissions)["issues"] == "write" && !strings.Contains(issues, "*"+name+"*") {
				t.Errorf("%s: %s writes issues; the page's row of them: %q", w.Name, name, issues)
			}
		}
	}
	script, err := os.ReadFile(filepath.Join(source, "install"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^version=(\S+)`).FindSubmatch(script)
	if version == nil || !strings.Contains(text, "/tag/v"+string(version[1])+">") {
		t.Errorf("the page links another release of the runner than install's %q", version)
	}
	if lines := strings.Count(text, "\n"); lines > 125 {
		t.Errorf("%d lines: more than a page", lines)
	}
}
