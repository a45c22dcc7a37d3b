package e2e

import (
	"os"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict/comparetest"
)

// What could not be printed is not 0: CI reads these.
func TestAFullDiskIsReported(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.copy("internal/judge/record/testdata/mixed", "mixed")
	p.copy("internal/judge/record/testdata/mixed.jsonl", "run.jsonl")
	comparison := comparetest.Lines(t, "internal/judge/record/testdata/mixed.jsonl", func(*record.Record) {})
	p.write("compare.jsonl", strings.Join(comparison, ""))
	p.write("servers/relay/x/server.json", `{"workload": "relay", "language": "sh", "framework": "none", "build": ["true"], "run": ["x"], "versions": {"sh": ["echo", "1.0"]}}`)
	prints := []string{"list", "list -json", "help", "list -h", "replay compare.jsonl", "replay -format markdown compare.jsonl", "report run.jsonl", "record mixed", "doctor"}
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
