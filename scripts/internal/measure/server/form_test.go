package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/workload"
)

func TestAKeyOfTheWrongTypeIsAnErrorWithItsLine(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"workload", with("workload", `["relay"]`), `line 2: key "workload" is a JSON array; want a string`},
		{"language", with("language", `["go"]`), `line 3: key "language" is a JSON array; want a string`},
		{"framework", with("framework", `4`), `line 4: key "framework" is a JSON number; want a string`},
		{"build", with("build", `"go build"`), `line 5: key "build" is a JSON string; want a list of strings, the command's words`},
		{"a word", with("build", `["go", 5]`), `line 5: key "build" is a JSON number; want a list of strings, the command's words`},
		{"run", with("run", `{}`), `line 6: key "run" is a JSON object; want a list of strings, the command's words`},
		{"versions", with("versions", `["go"]`), `line 7: key "versions" is a JSON array; want an object of component to command, a list of strings`},
		{"a version", with("versions", `{"go": "go version"}`), `line 7: key "versions" is a JSON string; want an object of component to command, a list of strings`},
		{"on a later line", with("run", "\n\n  true"), `line 8: key "run" is a JSON bool; want a list of strings, the command's words`},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, "gin", c.content, c.want) })
	}
}

func TestAManifestThatIsNotAnObjectIsAnError(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"array", `[]`, `line 1: key "" is a JSON array; want an object`},
		{"string", "\n\"gin\"\n", `line 2: key "" is a JSON string; want an object`},
		{"null", `null`, `key "workload" is missing or empty; want such as "relay"`},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, "gin", c.content, c.want) })
	}
}

func TestAnUnknownKeyIsAnErrorWithAdviceIfThereIsSome(t *testing.T) {
	for key, want := range map[string]string{
		"name":    `unknown key "name"; the directory's name is the server's name`,
		"port":    `unknown key "port"; Fairstream sets $PORT`,
		"env":     `unknown key "env"; Fairstream sets $PORT and $STUB_URL, nothing else`,
		"version": `unknown key "version"; versions are asked from the toolchain: "versions"`,
		"enabled": `unknown key "enabled"; to leave a server out, name the others on the command line`,
		"biuld":   `unknown key "biuld"; known are workload, language, framework, build, run, versions, was, reference`,
	} {
		t.Run(key, func(t *testing.T) {
			refused(t, "gin", strings.Replace(good, "{", "{\n  \""+key+"\": 1,", 1), want)
		})
	}
}

func TestASyntaxErrorIsReportedOnItsLine(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a missing comma", strings.Replace(good, `"go",`, `"go"`, 1), `line 4: invalid character '"' after object key:value pair; want a comma before it`},
		{"a comment", "{\n  // words\n}", `line 2: invalid character '/' looking for beginning of object key string; want a key in quotes; JSON has no comments and no comma after the last key`},
		{"an open string", strings.Replace(good, `"go",`, `"go`, 1), `line 3: invalid character '\n' in string literal; want one JSON object, as the examples in servers/README.md`},
		{"a word", "gin\n", `line 1: invalid character 'g' looking for beginning of value; want one JSON object, as the examples in servers/README.md`},
		{"the last comma", with("versions", `{"go": ["go", "version"]},`), `line 8: invalid character '}' looking for beginning of object key string; want a key in quotes; JSON has no comments and no comma after the last key`},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, "gin", c.content, c.want) })
	}
}

func TestTextAfterTheObjectIsAnErrorWithItsLine(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		{"}", "line 9: text after the closing brace; want one JSON object"},
		{"\n\n{}", "line 11: text after the closing brace; want one JSON object"},
		{"and so on", "line 9: text after the closing brace; want one JSON object"},
		{"\n,", "line 10: text after the closing brace; want one JSON object"},
	} {
		t.Run(c.text, func(t *testing.T) { refused(t, "gin", good+c.text, c.want) })
	}
	if _, err := Load(server(t, "gin", good+" \n\t\n")); err != nil {
		t.Errorf("blanks after the closing brace: %v", err)
	}
}

func TestAManifestThatEndsEarlyIsAnError(t *testing.T) {
	for _, content := range []string{"", " \n", "{", good[:len(good)/2], strings.TrimSuffix(good, "}\n")} {
		refused(t, "gin", content, "the file ends too early; want one JSON object")
	}
}

func TestAnUnknownWorkloadListsTheKnownOnes(t *testing.T) {
	refused(t, "gin", with("workload", `"relais"`), `workload "relais": unknown; known are `+strings.Join(workload.Names(), ", "))
}

// Directories elsewhere were named by other rules.
func TestADirectoryNameIsLowerCaseWordsJoinedByHyphens(t *testing.T) {
	for name, elsewhere := range map[string]string{"Gin": "gin", "go_http": "go-http", "go http": "go-http", "-gin": "gin", "gin-": "gin", "go--http": "go-http", "gin.old": "gin-old", "é": ""} {
		t.Run(name, func(t *testing.T) {
			dir := server(t, name, good)
			want := `server "` + name + `": want lower-case letters and digits, joined by single hyphens`
			if err := os.MkdirAll(filepath.Join(filepath.Dir(dir), "relay"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(dir, filepath.Join(filepath.Dir(dir), "relay", name)); err != nil {
				t.Fatal(err)
			}
			if _, err := LoadIn(filepath.Dir(dir), "relay", name); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("in the tree: %v; want %s", err, want)
			}
			if s, err := Load(filepath.Join(filepath.Dir(dir), "relay", name)); s.Name != elsewhere || (err == nil) != (elsewhere != "") {
				t.Errorf("elsewhere: %q, %v; want %q", s.Name, err, elsewhere)
			}
		})
	}
	for _, name := range []string{"gin", "2", "go-net-http2", "directly"} {
		if _, err := Load(server(t, name, good)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesOfOtherTargetsAndOfTheRigAreTaken(t *testing.T) {
	refused(t, "direct", good, `server "direct": the name stands for k6 straight to the stub; choose another`)
	refused(t, "k6", good, `server "k6": the name stands for the load generator; choose another`)
	refused(t, "stub", good, `server "stub": the name stands for the fake model; choose another`)
}

func TestADirectoryWithoutManifestExplainsServers(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(dir)
	want := filepath.Join(dir, File) + ": no such file; a server is a directory with a server.json; `scripts/bench init " + dir + "` writes one"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestADirectoryAboveServersNamesThem(t *testing.T) {
	dir := server(t, "gin", good)
	above := filepath.Dir(filepath.Dir(dir))
	_, err := Load(above)
	want := filepath.Join(above, File) + ": no such file; the servers below it are in " + dir + "; name one of these directories"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestThePathOfAManifestIsAnErrorThatNamesTheDirectory(t *testing.T) {
	dir := server(t, "gin", good)
	_, err := Load(filepath.Join(dir, File))
	want := filepath.Join(dir, File) + ": not a directory; name the directory of the server: " + dir
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAManifestThatCannotBeReadIsAnErrorWithItsPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, File), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, File)) {
		t.Errorf("a manifest that is a directory: %v", err)
	}
}
