package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/raw"
)

// What could not be printed is not 0: CI reads these.
func TestAFullDiskIsTold(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.copy("internal/judge/record/testdata/mixed", "mixed")
	p.copy("internal/judge/record/testdata/mixed.jsonl", "run.jsonl")
	var pair string
	for line := range strings.Lines(p.text("run.jsonl")) {
		if strings.Contains(line, `"name":"direct"`) {
			pair += line
			continue
		}
		for _, side := range []string{"base", "head"} {
			pair += strings.Replace(line, `"side":""`, `"side":"`+side+`"`, 1)
		}
	}
	p.write("pair.jsonl", pair)
	p.write("servers/x/server.json", `{"language": "sh", "framework": "none", "build": ["true"], "run": ["x"], "versions": {"sh": ["echo", "1.0"]}}`)
	prints := []string{"list", "list -json", "help", "list -h", "compare pair.jsonl", "compare -format markdown pair.jsonl", "report run.jsonl", "record mixed", "doctor -for 0"}
	for _, args := range prints {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		p.must(err)
		if status, stderr := p.into(full, args); status < 2 || !strings.Contains(stderr, "no space left on device") {
			t.Errorf("%s: exit status %d\n%s", args, status, stderr)
		}
	}
	// A reader that has gone is nobody's fault.
	for _, args := range prints {
		want := p.bench(strings.Fields(args)...).status
		r, w, err := os.Pipe()
		p.must(err)
		p.must(r.Close())
		if got, stderr := p.into(w, args); got != want || strings.Contains(stderr, "pipe") {
			t.Errorf("%s: exit status %d when nobody reads, else %d\n%s", args, got, want, stderr)
		}
	}
}

// into prints to a file, which it closes.
func (p testProject) into(stdout *os.File, args string) (status int, stderr string) {
	p.Helper()
	cmd := p.command(strings.Fields(args)...)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = stdout, &said
	_ = cmd.Run() // its status is looked at
	p.must(stdout.Close())
	return cmd.ProcessState.ExitCode(), said.String()
}

// What cannot be written beside the raw files costs neither the table nor what was
// there before.
func TestRecordsThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("internal/judge/record/testdata/mixed")); err != nil {
		t.Fatal(err)
	}
	// As a full disk would, these refuse what is to be renamed to them, and to be written.
	for _, name := range []string{recordsFile + ".part", pageFile} {
		if err := os.MkdirAll(filepath.Join(dir, name, "full"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, recordsFile), []byte("before\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	printed, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	if err != nil {
		t.Fatal(err)
	}
	stdout.file = printed
	err = conclude(dir, nil)
	told := os.Stderr
	os.Stderr = printed // of a run that broke, whose own error is main's
	beside := conclude(dir, context.Canceled)
	os.Stderr, stdout.file = told, os.Stdout
	if beside == nil || beside.Error() != err.Error() {
		t.Errorf("beside the error of a run: %v, want %v", beside, err)
	}
	if err == nil || !strings.Contains(err.Error(), "the raw files are whole: scripts/bench record "+dir) {
		t.Errorf("error %v", err)
	}
	table, readErr := os.ReadFile(printed.Name())
	if readErr != nil || !strings.Contains(string(table), "tenth-fails") || strings.Count(string(table), err.Error()) != 1 {
		t.Errorf("the table is %.80q, %v", table, readErr)
	}
	if text, err := os.ReadFile(filepath.Join(dir, recordsFile)); err != nil || string(text) != "before\n" {
		t.Errorf("the records before are %.80q, %v", text, err)
	}
	if exists(filepath.Join(dir, detailsFile+".part")) || !exists(filepath.Join(dir, raw.RunFile)) {
		t.Error("half a file is left, or a raw file is gone")
	}
}
