package trial

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/prove"
)

// words are how often each word and sign stands in the sources of a server.
func words(t *testing.T, dir, extension string) map[string]int {
	t.Helper()
	files, err := sourceFiles(dir, extension)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, name := range files {
		code, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range regexp.MustCompile(`\w+|[^\w\s]`).FindAllString(string(code), -1) {
			count[word]++
		}
	}
	return count
}

// edited writes twenty edits of a server into directories of dir.
func edited(t *testing.T, dir, server string, check func(to string, c prove.Change, before, after map[string]int)) {
	t.Helper()
	for seed := range uint64(20) {
		to := filepath.Join(dir, fmt.Sprintf("%s-%d", server, seed))
		s, err := Copy(filepath.Join("../../../../servers/relay", server), to)
		if err != nil {
			t.Fatal(err)
		}
		extension := languages[s.Language].extension
		before := words(t, to, extension)
		c, err := Edit(s, seed)
		if err != nil {
			t.Fatalf("%s, seed %d: %v", server, seed, err)
		}
		check(to, c, before, words(t, to, extension))
	}
}

var (
	renamed = regexp.MustCompile(`: (\w+) renamed to (\w+)$`)
	added   = regexp.MustCompile(`: (\w+) added before \w+$`)
	swapped = regexp.MustCompile(`: \w+ and \w+ swapped$`)
)

func TestEditsKeepTextsAndComments(t *testing.T) {
	for _, server := range []string{"go-http", "go-gin", "go-fiber", "rust-axum", "rust-actix", "rust-http", "bun-http", "bun-hono"} {
		dir, kinds := t.TempDir(), map[string]bool{}
		edited(t, dir, server, func(to string, c prove.Change, before, after map[string]int) {
			switch {
			case swapped.MatchString(c.What):
				kinds["swap"] = true
				if !maps.Equal(before, after) {
					t.Errorf("%s: %s: other words than before", server, c.What)
				}
			case renamed.MatchString(c.What):
				kinds["rename"] = true
				m := renamed.FindStringSubmatch(c.What)
				after[m[1]] += after[m[2]]
				delete(after, m[2])
				if !maps.Equal(before, after) {
					t.Errorf("%s: %s: more than the name changed", server, c.What)
				}
			case added.MatchString(c.What):
				kinds["add"] = true
				if name := added.FindStringSubmatch(c.What)[1]; after[name] != 1 {
					t.Errorf("%s: %s: it stands there %d times", server, c.What, after[name])
				}
				for word, n := range before {
					if after[word] < n {
						t.Errorf("%s: %s: %q stands there less often", server, c.What, word)
					}
				}
			default:
				t.Errorf("%s: %s: what is that?", server, c.What)
			}
			if diff := exec.Command("diff", "-rq", filepath.Join("../../../../servers/relay", server), to); diff.Run() == nil {
				t.Errorf("%s: %s: nothing changed", server, c.What)
			}
		})
		if got := slices.Sorted(maps.Keys(kinds)); len(got) != 3 {
			t.Errorf("%s: edits are only %v", server, got)
		}
	}
}

// All twenty in one module, so that one go compiles them. That Rust and
// TypeScript build was tried by hand: their compilers take minutes.
func TestEditedGoBuilds(t *testing.T) {
	dir := t.TempDir()
	edited(t, dir, "go-http", func(to string, _ prove.Change, _, _ map[string]int) {
		if err := os.Remove(filepath.Join(to, "go.mod")); err != nil {
			t.Fatal(err)
		}
	})
	mod, err := os.ReadFile("../../../../servers/relay/go-http/go.mod")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	// It compiles and does not link. The cache has what it compiled, whatever dir is.
	build := exec.Command("go", "list", "-export", "-trimpath", "./...")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestTheSameSeedEditsInTheSameWay(t *testing.T) {
	var all [2][]string
	for i := range all {
		edited(t, t.TempDir(), "rust-axum", func(_ string, c prove.Change, _, _ map[string]int) { all[i] = append(all[i], c.What) })
	}
	if !slices.Equal(all[0], all[1]) {
		t.Errorf("%q\nand then\n%q", all[0], all[1])
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(all[0]))); len(distinct) < 10 {
		t.Errorf("only %d different ones: %s", len(distinct), strings.Join(distinct, "; "))
	}
}

func TestNamesThatAreMoreThanAFunctionsAreNotRenamed(t *testing.T) {
	l := languages["bun"]
	for _, code := range []string{
		"function chat() {\n}\nserver.chat();\n", "function chat() {\n}\nserve({ chat: 1 });\n", "function chat() {\n}\nconst a = `${chat()}`;\n",
	} {
		for seed := range uint64(5) {
			if _, what := rename(l, code, rand.New(rand.NewPCG(seed, 0))); what != "" {
				t.Errorf("%q: %s", code, what)
			}
		}
	}
	public := "pub fn ask() {\n}\n\nfn tell() {\n    ask();\n}\n" // another file may call it
	for seed := range uint64(5) {
		if changed, what := rename(languages["rust"], public, rand.New(rand.NewPCG(seed, 0))); strings.Contains(what, "ask") || what != "" && !strings.Contains(changed, "pub fn ask") {
			t.Errorf("%q: %s", changed, what)
		}
	}
	code := "// chat\nfunction chat() {\n}\nserve({ POST: chat }, \"chat\");\n"
	changed, what := rename(l, code, rand.New(rand.NewPCG(1, 0)))
	_, name, _ := strings.Cut(what, "chat renamed to ")
	if want := strings.ReplaceAll("// chat\nfunction NAME() {\n}\nserve({ POST: NAME }, \"chat\");\n", "NAME", name); changed != want || name == "" {
		t.Errorf("%s: %q", what, changed)
	}
}
