package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// rigFiles are a small project with three workloads, and which workloads' hash each file
// moves. The workload alone has neither a k6 module nor a part of the stub. Sources are as
// short as may be.
var rigFiles = []struct{ name, text, moves string }{
	{"k6/relay/steady.js", "import '../lib/stream.js';", "relay"},
	{"k6/relay/hello.json", "{}", "relay"},
	{"k6/made/all.js", "import { get } from 'k6/x/plain';", "made"},
	{"k6/alone/all.js", "import http from 'k6/http';", "alone"},
	{"k6/lib/stream.js", `import { sleep } from "k6"; import sse from "k6/x/sse";`, "relay"},
	{"k6/go.mod", "module fairstream/k6\n\ngo 1.26.0\n\nreplace fairstream/k6/shared => ./shared\n\n" +
		"require fairstream/k6/shared v0.0.0\n", "relay made alone"},
	{"k6/go.sum", "", "relay made alone"},
	{"k6/sse/post.go", "package sse\n\nimport _ \"fairstream/k6/common\"\n", "relay"},
	{"k6/plain/get.go", "package plain\n\nimport _ \"fairstream/k6/common\"\n", "made"},
	{"k6/common/watch.go", "package common\n\nimport (\n\t_ \"fairstream/k6/shared/hist\"\n\t_ \"fairstream/k6/common/http1\"\n)\n", "relay made"},
	{"k6/common/http1/loop.go", "package http1\n", "relay made"},
	{"k6/shared/hist/hist.go", "package hist\n", "relay made"},
	{"k6/shared/go.mod", "module fairstream/k6/shared\n\ngo 1.26.0\n", "relay made"},
	{"stub/go.mod", "module fairstream/stub\n\ngo 1.26.0\n", "relay made alone"},
	{"stub/go.sum", "", "relay made alone"},
	{"stub/common/conn.go", "package common\n", "relay made"},
	{"stub/relay/chat.go", "package relay\n\nimport _ \"fairstream/stub/common\"\n", "relay"},
	{"stub/made/answer.go", "package made\n\nimport (\n\t_ \"embed\"\n\n\t_ \"fairstream/stub/common\"\n\t_ \"fairstream/stub/made/inner\"\n)\n\n//go:embed answer.txt\nvar _ string\n", "made"},
	{"stub/made/answer.txt", "hello", "made"},
	{"stub/made/inner/inner.go", "package inner\n", "made"},

	{"README.md", "", ""},
	{"k6/README.md", "", ""},
	{"k6/main.go", "package main\n\nimport (\n\t_ \"fairstream/k6/plain\"\n\t_ \"fairstream/k6/sse\"\n)\n\nfunc main() {}\n", ""},
	{"k6/RIG.md", "", ""},
	{"k6/lib/README.md", "", ""},
	{"k6/lib/unused.js", "", ""},
	{"k6/common/moduletest/server.go", "package moduletest\n", ""},
	{"k6/lib/stream_test.js", "", ""},
	{"k6/relay/testdata/answer.txt", "", ""},
	{"k6/other/all.js", "", ""},
	{"k6/sse/post_test.go", "package sse\n", ""},
	{"k6/sse/post_other.go", "//go:build never\n\npackage sse\n", ""},
	{"k6/sse/example.js", "", ""},
	{"k6/sse/testdata/answer.txt", "", ""},
	{"k6/cost/main.go", "package main\n\nimport _ \"fairstream/k6/sse\"\n\nfunc main() {}\n", ""},
	{"k6/bin/k6", "", ""},
	{"stub/README.md", "", ""},
	{"stub/main.go", "package main\n\nimport (\n\t_ \"fairstream/stub/made\"\n\t_ \"fairstream/stub/other\"\n\t_ \"fairstream/stub/relay\"\n)\n\nfunc main() {}\n", ""},
	{"stub/main_test.go", "package main\n", ""},
	{"stub/other/answer.go", "package other\n\nimport _ \"fairstream/stub/common\"\n", ""},
	{"stub/cost/main.go", "package main\n\nfunc main() {}\n", ""},
	{"stub/made/answer_test.go", "package made\n", ""},
	{"stub/bin/stub", "", ""},
	{"servers/relay/go-http/main.go", "package main\n", ""},
	{"scripts/main.go", "package main\n", ""},
}

// made makes the project of rigFiles, and returns its root and what writes a file of it.
func made(t *testing.T) (root string, write func(name, text string)) {
	root = t.TempDir()
	write = func(name, text string) {
		t.Helper()
		testfile.Write(t, filepath.Join(root, name), text)
	}
	for _, f := range rigFiles {
		write(f.name, f.text)
	}
	return root, write
}

// A byte in a file moves the hashes of those workloads that are loaded or answered
// with the file, and of no other.
func TestWhichByteMovesWhichRigHash(t *testing.T) {
	root, write := made(t)
	hashes := func() map[string]string {
		t.Helper()
		all := map[string]string{}
		for _, w := range []workload.Workload{{Name: "relay", Stub: []string{"relay"}}, {Name: "made", Stub: []string{"made"}}, {Name: "alone"}} {
			hash, err := RigHash(t.Context(), root, w)
			if err != nil {
				t.Fatal(err)
			}
			all[w.Name] = hash
		}
		return all
	}
	before := hashes()
	check := func(what, moves string) {
		t.Helper()
		for workload, hash := range hashes() {
			want := slices.Contains(strings.Fields(moves), workload)
			if moved := hash != before[workload]; moved != want {
				t.Errorf("%s: the hash of %s moves: %v; want %v", what, workload, moved, want)
			}
		}
	}
	check("nothing", "")
	var still []string
	for _, f := range rigFiles {
		if f.moves == "" {
			still = append(still, f.name)
			continue
		}
		write(f.name, f.text+"\n")
		check("a byte in "+f.name, f.moves)
		write(f.name, f.text)
	}
	// All at once, since most of the time goes into asking Go.
	for _, f := range rigFiles {
		if f.moves == "" {
			write(f.name, f.text+"\n")
		}
	}
	check("a byte in one of "+strings.Join(still, ", "), "")
	write("k6/sse/new.go", "package sse\n")
	check("a new file of a package", "relay")
	if err := os.Remove(filepath.Join(root, "k6/sse/new.go")); err != nil {
		t.Fatal(err)
	}

	// Another Go, which says so and does the rest as the real one.
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	write("path/go", `#!/bin/sh
[ "$1" = env ] && echo go1.99.0 || exec "`+real+`" "$@"
`)
	if err := os.Chmod(filepath.Join(root, "path/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(root, "path")+":"+os.Getenv("PATH"))
	check("another Go", "relay made alone")
}

// A hash of some of the sources would call different rigs the same.
func TestARigWithAMissingSourceHasNoHash(t *testing.T) {
	root, write := made(t)
	write("k6/far/all.js", "import '../lib/gone.js';")
	write("k6/gone/all.js", "import gone from 'k6/x/gone';")
	for name, want := range map[string]string{"no": "k6/no: no scripts", "far": "gone.js", "gone": "gone"} {
		hash, err := RigHash(t.Context(), root, workload.Workload{Name: name})
		if hash != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want an error with %q", name, hash, err, want)
		}
	}
}
