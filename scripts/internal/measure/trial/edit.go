package trial

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/measure/server"
)

// A language knows just enough of a language's syntax for these edits. Sources must have the form of the
// language's formatter: a function ends with the first line that is a single brace.
type language struct {
	extension string
	function  *regexp.Regexp // first line of a top-level function; its name is a group
	belongs   *regexp.Regexp // a line before a function that belongs to it: comments and attributes
	private   func(line string) bool
	unused    string // format of an unused function, from its name and a number
	hidden    *regexp.Regexp
}

var languages = map[string]language{
	"go": {
		".go", regexp.MustCompile(`^func ([a-z]\w*)\(`), regexp.MustCompile(`^//`), func(string) bool { return true },
		"func %[1]s(n int) int {\n\tfor i := range n {\n\t\tn ^= i * %[2]d\n\t}\n\treturn n\n}\n",
		regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|`[^`]*`|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)+'"),
	},
	"rust": {
		".rs", regexp.MustCompile(`^(?:pub )?(?:async )?fn ([a-z]\w*)\b`), regexp.MustCompile(`^(///|//[^/!]|#\[)`), func(line string) bool { return !strings.HasPrefix(line, "pub ") },
		"#[allow(dead_code)]\nfn %[1]s(n: u64) -> u64 {\n    (0..n).fold(n, |sum, i| sum ^ i.wrapping_mul(%[2]d))\n}\n",
		regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|r#\".*?\"#|\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)'"),
	},
	"bun": {
		".ts", regexp.MustCompile(`^(?:async )?function ([a-z]\w*)\b`), regexp.MustCompile(`^//`), func(string) bool { return true },
		"function %[1]s(n: number): number {\n  for (let i = 0; i < n; i++) n ^= i * %[2]d;\n  return n;\n}\n",
		regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|`(?:[^`\\\\]|\\\\.)*`|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'"),
	},
}

// Edit edits the sources of a server in place. The same seed makes the same edit.
func Edit(s server.Server, seed uint64) (prove.Change, error) {
	l, known := languages[s.Language]
	if !known {
		return prove.Change{}, fmt.Errorf("edit: %s: language %q; want go, rust or bun", s.Name, s.Language)
	}
	files, err := sourceFiles(s.Dir, l.extension)
	if err != nil {
		return prove.Change{}, fmt.Errorf("edit: %s: %w", s.Name, err)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		name := files[random.IntN(len(files))]
		path := filepath.Join(s.Dir, name)
		code, err := os.ReadFile(path)
		if err != nil {
			return prove.Change{}, fmt.Errorf("edit: %s: %w", s.Name, err)
		}
		edit := []func(language, string, *rand.Rand) (string, string){swap, addUnused, rename}[random.IntN(3)]
		changed, what := edit(l, string(code), random)
		if what == "" {
			continue // this edit is not possible here
		}
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			return prove.Change{}, fmt.Errorf("edit: %s: %w", s.Name, err)
		}
		return prove.Change{Language: s.Language, What: name + ": " + what}, nil
	}
	return prove.Change{}, fmt.Errorf("edit: %s: found no function to swap, add or rename in %s; want some at the top of a file", s.Name, strings.Join(files, ", "))
}

// sourceFiles lists the sources of a server by name.
func sourceFiles(dir, extension string) (names []string, err error) {
	err = fs.WalkDir(sources{os.DirFS(dir)}, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && filepath.Ext(path) == extension {
			names = append(names, path)
		}
		return err
	})
	slices.Sort(names)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("no file *%s", extension)
	}
	return names, err
}
