package e2e

import (
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every parser of foreign bytes has a fuzz target; each is run for a while, or for
// as long as FAIRSTREAM_FUZZ says.
func TestLongFuzzing(t *testing.T) {
	long(t, "8 minutes")
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	ran := 0
	for _, module := range []string{"scripts", "stub", "k6"} {
		err := filepath.WalkDir("../"+module, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range target.FindAllStringSubmatch(string(text), -1) {
				ran++
				t.Run(filepath.Base(filepath.Dir(path))+"/"+m[1], func(t *testing.T) {
					fuzz := exec.Command("go", "test", "-trimpath", "-run=^$", "-fuzz=^"+m[1]+"$", "-parallel=1", "-fuzzminimizetime=1s",
						"-fuzztime="+cmp.Or(os.Getenv("FAIRSTREAM_FUZZ"), "10s"))
					fuzz.Dir = filepath.Dir(path)
					out, err := fuzz.CombinedOutput()
					if err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					said := strings.Split(string(out), "fuzz: ")
					t.Log(said[len(said)-1]) // how many it tried
				})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if ran < 20 {
		t.Errorf("%d targets found, want at least 20", ran)
	}
}
