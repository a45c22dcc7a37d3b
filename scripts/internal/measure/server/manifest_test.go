package server

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

const good = `{
  "workload": "relay",
  "language": "go",
  "framework": "net/http",
  "build": ["go", "build", "-o", "bin/server", "."],
  "run": ["bin/server"],
  "versions": {"go": ["go", "version"]}
}
`

// server writes a manifest into a directory of that name and returns the directory.
func server(t *testing.T, name, content string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	testfile.Write(t, filepath.Join(dir, File), content)
	return dir
}

func TestAGoodManifestBecomesAServerNamedAfterItsDirectory(t *testing.T) {
	dir := server(t, "go-http2", good)
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := Server{
		Workload: "relay", Name: "go-http2", Dir: dir, Language: "go", Framework: "net/http",
		Build: []string{"go", "build", "-o", "bin/server", "."}, Run: []string{"bin/server"},
		Versions: map[string][]string{"go": {"go", "version"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestTheDirectoryOfAServerIsAbsoluteHoweverItWasNamed(t *testing.T) {
	dir := server(t, "gin", good)
	t.Chdir(dir)
	got, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	if got.Dir != dir || got.Name != "gin" {
		t.Errorf("Load(\".\") in %s: name %q, directory %q", dir, got.Name, got.Dir)
	}
}

// without is the good manifest without the line of a key.
func without(key string) string {
	var kept []string
	for line := range strings.Lines(good) {
		if !strings.HasPrefix(line, `  "`+key+`"`) {
			kept = append(kept, line)
		}
	}
	return strings.Replace(strings.Join(kept, ""), "\"],\n}", "\"]\n}", 1) // the last comma
}

// with is the good manifest with another value for a key.
func with(key, value string) string {
	var lines []string
	for line := range strings.Lines(good) {
		if strings.HasPrefix(line, `  "`+key+`"`) {
			comma := strings.HasSuffix(line, ",\n")
			line = `  "` + key + `": ` + value
			if comma {
				line += ","
			}
			line += "\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

func TestAManifestWithoutAllOfItsKeysIsAnErrorThatShowsAnExample(t *testing.T) {
	wants := map[string]string{
		"workload":  `key "workload" is missing or empty; want such as "relay"`,
		"language":  `key "language" is missing or empty; want such as "go"`,
		"framework": `key "framework" is missing or empty; want such as "gin"`,
		"build":     `key "build" is missing or empty; want a list of words such as ["go", "build", "-o", "bin/server", "."], or ["true"] when there is nothing to build`,
		"run":       `key "run" is missing or empty; want a list of words such as ["bin/server"]`,
		"versions":  `key "versions" is missing or empty; want commands that print a version, such as {"go": ["go", "version"]}`,
	}
	empty := map[string]string{"workload": `""`, "language": `""`, "framework": `""`, "build": `[]`, "run": `[]`, "versions": `{}`}
	for key, want := range wants {
		for form, content := range map[string]string{
			"missing": without(key), "empty": with(key, empty[key]), "null": with(key, "null"),
		} {
			t.Run(key+" "+form, func(t *testing.T) { refused(t, "gin", content, want) })
		}
	}
	t.Run("a version without words", func(t *testing.T) {
		refused(t, "gin", with("versions", `{"go": ["go", "version"], "gin": []}`),
			`versions: gin: empty command; want a list of words such as ["go", "version"]`)
	})
}

// refused checks that a manifest is an error that begins with its path.
func refused(t *testing.T, name, content, want string) {
	t.Helper()
	dir := server(t, name, content)
	_, err := Load(dir)
	if err == nil {
		t.Fatalf("accepted:\n%s", content)
	}
	if got, ok := strings.CutPrefix(err.Error(), filepath.Join(dir, File)+": "); !ok || got != want {
		t.Errorf("got  %v\nwant %s: %s", err, filepath.Join(dir, File), want)
	}
}
