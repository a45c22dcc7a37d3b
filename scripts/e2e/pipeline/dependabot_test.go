package pipeline

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ecosystemOf says by which file Dependabot knows that a directory has
// something to keep current.
var ecosystemOf = map[string]string{
	"go.mod": "gomod", "Cargo.toml": "cargo", "Cargo.lock": "cargo", "rust-toolchain.toml": "rust-toolchain",
	"package.json": "npm", "package-lock.json": "npm", "requirements.txt": "pip",
}

// entryForm is one entry as the file writes them all. A form as strict as this
// is read without a YAML library, and no entry can lack its cooldown.
var entryForm = regexp.MustCompile(`(?m)^  - package-ecosystem: (\S+)
    (?:directory: /(\S*)|directories: \[/(\S*\*)\])
    schedule: \{interval: weekly\}
    cooldown: \{default-days: 7\}$`)

// entries are the file's, as "ecosystem directory"; an error when the file has
// anything beside them.
func entries(config string) ([]string, error) {
	var found []string
	for _, m := range entryForm.FindAllStringSubmatch(config, -1) {
		found = append(found, m[1]+" "+m[2]+m[3])
	}
	for line := range strings.Lines(entryForm.ReplaceAllString(config, "")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && line != "version: 2" && line != "updates:" {
			return nil, fmt.Errorf("%q: not part of an entry with directory or one glob, weekly schedule and a cooldown of 7 days", line)
		}
	}
	return found, nil
}

// inWorkspace reports whether a package has no lock file of its own, but one above it: the entry there raises its pins.
func inWorkspace(files []string, dir string) bool {
	lock := func(dir string) bool { return slices.Contains(files, path.Join(dir, "package-lock.json")) }
	if lock(dir) {
		return false
	}
	for dir != "." && dir != "/" && !lock(dir) {
		dir = path.Dir(dir)
	}
	return lock(dir)
}

// wanted are the entries that the project's files ask for.
func wanted(files []string) []string {
	all := map[string]bool{}
	for _, file := range files {
		dir := strings.TrimSuffix(path.Dir(file), ".")
		if strings.HasPrefix(file, ".github/workflows/") {
			all["github-actions "] = true
		} else if strings.HasPrefix(file, ".github/actions/") && path.Base(file) == "action.yml" {
			all["github-actions "+dir] = true
		} else if ecosystem := ecosystemOf[path.Base(file)]; ecosystem != "" && !(path.Base(file) == "package.json" && inWorkspace(files, path.Dir(file))) {
			all[ecosystem+" "+dir] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// covering are the entries that a wanted one is covered by. A * is within one directory's name.
func covering(entries []string, want string) []string {
	return slices.DeleteFunc(slices.Clone(entries), func(entry string) bool {
		covers, err := path.Match(entry, want)
		return !covers || err != nil
	})
}

func TestEachDirectoryThatPinsVersionsHasAnEntry(t *testing.T) {
	config, err := os.ReadFile("../../../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = "../../.."
	files, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	has, err := entries(string(config))
	if err != nil {
		t.Fatal(err)
	}
	wants := wanted(strings.Fields(string(files)))
	for _, want := range wants {
		if n := len(covering(has, want)); n != 1 {
			t.Errorf("%d entries for %q; want one", n, want)
		}
	}
	for _, entry := range has {
		if !slices.ContainsFunc(wants, func(want string) bool { return len(covering([]string{entry}, want)) > 0 }) {
			t.Errorf("an entry for %q, where there is nothing of the kind", entry)
		}
	}
}

func TestWhatTheFileMayNotHold(t *testing.T) {
	good := "version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: /a\n    schedule: {interval: weekly}\n    cooldown: {default-days: 7}\n"
	if got, err := entries(good); err != nil || !slices.Equal(got, []string{"npm a"}) {
		t.Fatalf("got %q, %v", got, err)
	}
	glob := strings.Replace(good, "directory: /a", "directories: [/servers/*/*]", 1)
	if got, err := entries(glob); err != nil || len(covering(got, "npm servers/relay/bun-http")) != 1 || len(covering(got, "npm servers/relay")) != 0 || len(covering(got, "gomod servers/relay/go-http")) != 0 {
		t.Fatalf("got %q, %v", got, err)
	}
	for _, wrong := range []string{
		strings.Replace(good, "7", "3", 1),
		strings.Replace(good, "weekly", "daily", 1),
		strings.Replace(good, "    cooldown: {default-days: 7}\n", "", 1),
		good + "    groups: {all: {patterns: ['*']}}\n",
		strings.Replace(good, "directory: /a", "directories: [/a, /b]", 1),
	} {
		if got, err := entries(wrong); err == nil {
			t.Errorf("no error but %q for\n%s", got, wrong)
		}
	}
	got := wanted([]string{"go.mod", "a/Cargo.lock", "a/Cargo.toml", "a/rust-toolchain.toml", "a/main.rs", "a/action.yml", ".github/workflows/ci.yml", ".github/actions/x/action.yml",
		"w/package.json", "w/package-lock.json", "w/packages/api/package.json", "w/own/package.json", "w/own/package-lock.json", "alone/package.json"})
	want := []string{"cargo a", "github-actions ", "github-actions .github/actions/x", "gomod ", "npm alone", "npm w", "npm w/own", "rust-toolchain a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
