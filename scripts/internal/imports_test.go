// Package internal_test holds the rules of who may import whom.
package internal_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/workload"
)

const module = "fairstream/scripts/internal/"

// Pure packages stay pure: a package that judges or shows reaches no package that starts processes or knows
// GitHub, not even through another.
func TestWhoMayImportWhom(t *testing.T) {
	t.Parallel()
	for _, rule := range []struct{ packages, never string }{
		{"judge/", "measure/"}, {"judge/", "ci/"}, {"judge/", "show/"},
		{"show/", "measure/"}, {"show/", "ci/"},
		{"measure/", "ci/"},
		{"workload/", "judge/"}, {"workload/", "measure/"}, {"workload/", "show/"}, {"workload/", "ci/"},
		{"cli/", "judge/"}, {"files/", "judge/"}, {"cli/", "measure/"}, {"files/", "measure/"},
	} {
		for _, p := range packages(t) {
			if !strings.HasPrefix(p.ImportPath+"/", module+rule.packages) {
				continue
			}
			for _, dep := range p.Deps {
				if strings.HasPrefix(dep+"/", module+rule.never) {
					t.Errorf("%s reaches %s; internal/%s must not need internal/%s", p.ImportPath, dep, rule.packages, rule.never)
				}
			}
		}
	}
}

type goPackage struct {
	ImportPath string
	Deps       []string
}

// packages are those of this directory and below, with all that they need.
func packages(t *testing.T) (all []goPackage) {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Deps", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 20 {
		t.Fatalf("%d packages; want those of internal", len(all))
	}
	return all
}

// otherWords are texts that are the name of a workload and mean something else.
var otherWords = map[string]string{
	"../internal/measure/doctor/checks.go": "files", // a check of open files
	"../internal/measure/process/ready.go": "http",  // the scheme of a URL
}

// Only internal/workload, and directories named for it, know a workload by name: another
// is added there and nowhere else. Names are also common words, so a text counts that is a
// name, or a path of one.
func TestOneListOfWorkloads(t *testing.T) {
	t.Parallel()
	either := `(` + strings.Join(workload.Names(), "|") + `)`
	word := regexp.MustCompile(`^["\x60]` + either + `([/.].*)?["\x60]$|\b(servers|k6|stub|verify)/` + either + `\b`)
	seen := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (path == "workload" || path == "../internal/workload" || path == "../e2e" || entry.Name() == "testdata" || slices.Contains(workload.Names(), entry.Name())) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		seen++
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if ast.IsGenerated(parsed) { // from the directories
			return nil
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			if _, ok := node.(*ast.ImportSpec); ok {
				return false
			}
			if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING && word.MatchString(text.Value) && text.Value != `"`+otherWords[path]+`"` {
				t.Errorf("%s: %s names a workload; take it from internal/workload", files.Position(text.Pos()), text.Value)
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files, %v", seen, err)
	}
}
