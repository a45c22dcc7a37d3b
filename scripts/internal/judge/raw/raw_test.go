package raw

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

// Raw files of another version say so: a figure that it had not is not 0.
func TestKeysThatAreNotThoseOfThisVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), FactsFile)
	if err := WriteJSON(path, Facts{Round: 1, Targets: []TargetFacts{{Name: "go-http"}, {Name: Direct}}}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"whole":             {"", "", ""},
		"unknown":           {`"round"`, `"rounds"`, `unknown field "rounds"`},
		"missing":           {`"round": 1,`, "", `no key "round"`},
		"missing in a list": {`"name": "direct",`, "", `no key "name"`},
		"missing, unknown":  {`"load_before": null`, `"pidstat_cpu_seconds": 0`, ""},
		"text after it":     {"\n}\n", "\n}\n}", "text after the JSON"},
		"half of it":        {`"seconds"`, "", "invalid character"},
	} {
		text := strings.Replace(string(whole), c.old, c.new, 1)
		testfile.Write(t, path, text)
		var f Facts
		err := ReadJSON(path, &f)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), c.want) || !strings.HasSuffix(err.Error(), "; want what this version of scripts/bench wrote")) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestAFileIsReplacedInOneStep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	full := errors.New("no space left")
	for _, c := range []struct {
		err  error
		text string
	}{{nil, "first"}, {full, "first"}, {nil, "second"}} {
		err := WriteFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, c.text[:3])
			return errors.Join(err, c.err)
		})
		if !errors.Is(err, c.err) {
			t.Errorf("error %v, want %v", err, c.err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.text[:3] {
			t.Errorf("%q, %v; want %q", got, err, c.text[:3])
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("left %v, %v", left, err)
		}
	}
}
