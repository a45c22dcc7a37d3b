// Package internal_test holds the rules of who may import whom.
package internal_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "fairstream/scripts/internal/"

// What is pure stays pure: a package that judges or shows reaches no package that
// starts processes or knows GitHub, not even through another.
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
