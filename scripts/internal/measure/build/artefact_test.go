package build

import (
	"path/filepath"
	"testing"

	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/testfile"
)

// The run command decides. A program is its own artefact, whatever its sources. A script's artefact is its
// whole directory.
func TestEqualArtefactsAreTheSameProgram(t *testing.T) {
	server := func(run []string, files map[string]string) *string {
		s := server.Server{Name: "a", Dir: t.TempDir(), Run: run}
		for name, text := range files {
			testfile.Write(t, filepath.Join(s.Dir, name), text)
		}
		hash, err := Artefact(s)
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	program, script := []string{"bin/server"}, []string{"node_modules/.bin/bun", "server.ts"}
	one := server(program, map[string]string{"bin/server": "1", "main.go": "a"})
	if other := server(program, map[string]string{"bin/server": "1", "main.go": "b"}); *other != *one {
		t.Error("another source of the same program makes another artefact")
	}
	if other := server(program, map[string]string{"bin/server": "2", "main.go": "a"}); *other == *one {
		t.Error("another program has the same artefact")
	}
	if other := server([]string{"bin/server", "-workers", "1"}, map[string]string{"bin/server": "1"}); *other == *one {
		t.Error("another command line has the same artefact")
	}
	files := map[string]string{"node_modules/.bin/bun": "bun", "server.ts": "s", "relay.ts": "r"}
	one = server(script, files)
	for name := range files {
		before := files[name]
		files[name] += "x"
		if other := server(script, files); *other == *one {
			t.Errorf("another %s has the same artefact", name)
		}
		files[name] = before
	}
	if again := server(script, files); *again != *one {
		t.Error("the same files in another directory have another artefact")
	}
	if none := server([]string{"sh", "-c", "true"}, nil); none != nil {
		t.Errorf("nothing was built, and its artefact is %s", *none)
	}
}

// A server that declares its requests is started as its server.json says, and its program may read any file.
func TestOneThatDeclaresRequestsIsItsWholeDirectory(t *testing.T) {
	s := server.Server{Name: "a", Dir: t.TempDir(), Run: []string{"serve", "$PORT"}, Declared: new(server.Declaration)}
	hash := func(file, text string) string {
		testfile.Write(t, filepath.Join(s.Dir, file), text)
		hash, err := Artefact(s)
		if err != nil || hash == nil {
			t.Fatal(hash, err)
		}
		return *hash
	}
	one := hash("server.json", `{"env": {"WORKERS": "1"}}`)
	if other := hash("server.json", `{"env": {"WORKERS": "2"}}`); other == one {
		t.Error("another environment has the same artefact")
	}
	if again := hash("server.json", `{"env": {"WORKERS": "1"}}`); again != one {
		t.Error("the same files have another artefact")
	}
}

// A script may read any file of its repository, and so may a program that is a script.
func TestAScriptIsAllOfItsRepository(t *testing.T) {
	for name, c := range map[string]struct {
		run       []string
		of, whole bool // of main.txt beside the server; of lib.txt outside of its directory
	}{
		"program":         {[]string{"./program"}, false, false},
		"script":          {[]string{"sh", "script"}, true, true},
		"its own program": {[]string{"./script"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			s := server.Server{Name: "a", Dir: filepath.Join(root, "app"), Whole: root, Run: c.run}
			write := func(name, text string) string {
				testfile.Program(t, filepath.Join(root, name), text)
				hash, err := Artefact(s)
				if err != nil {
					t.Fatal(err)
				}
				if hash == nil {
					return ""
				}
				return *hash
			}
			write("app/program", "\x7fELF")
			write("app/script", "#!/bin/sh\n")
			write("lib.txt", "1")
			one := write("app/main.txt", "1")
			two := write("app/main.txt", "2")
			three := write("lib.txt", "2")
			if one == "" || (two != one) != c.of || (three != two) != c.whole {
				t.Errorf("another main.txt changes it: %v, want %v; another lib.txt: %v, want %v", two != one, c.of, three != two, c.whole)
			}
		})
	}
}
