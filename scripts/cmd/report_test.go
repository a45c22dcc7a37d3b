package cmd

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairstream/scripts/internal/cli"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict/comparetest"
	"fairstream/scripts/internal/testfile"
	"fairstream/scripts/internal/workload"
)

// output is the standard output of a command, whatever its verdict.
func output(t *testing.T, define func(*flag.FlagSet) cli.Action, args ...string) []byte {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() // read again by its name
	defer func(before *cli.Output) { cli.Stdout = before }(cli.Stdout)
	cli.Stdout = &cli.Output{File: file}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	do := define(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	failed := do(context.Background(), flags.Args())
	text, err := os.ReadFile(file.Name())
	if err != nil || len(text) == 0 {
		t.Fatalf("%q: printed nothing: %v, %v", args, failed, err)
	}
	return text
}

// comparison is a file of a comparison: head takes 10 % more CPU time, and in a discarded round ten times as much.
func comparison(t *testing.T) string {
	t.Helper()
	var lines bytes.Buffer
	w := workload.Named("web")
	for round := 1; round <= 13; round++ {
		factors := map[string]float64{"mixed server_cpu_us_per_request": map[bool]float64{false: 1.1, true: 11}[round == 5]}
		records := comparetest.Requests(w, "go-http", 1, round, 12, factors)
		for i := range records {
			if r := &records[i]; round == 5 {
				r.Conditions.Disturbed, r.Status = []string{"the host kept 30 % of the machine"}, record.Warning
				r.Why = r.Conditions.Disturbed
			}
		}
		if err := record.Write(&lines, records); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "run.jsonl")
	testfile.Write(t, file, lines.String())
	return file
}

// A discarded round is in no figure of a comparison, and base and head have no ranks.
func TestAReportOfAComparisonIsItsReplay(t *testing.T) {
	file := comparison(t)
	for _, format := range []string{"text", "markdown", "svg"} {
		got, want := output(t, Report, "-format", format, file), output(t, Replay, "-format", format, file)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: report says\n%s\nand replay\n%s", format, got, want)
		}
		switch text := string(got); {
		case format == "svg":
			if !strings.Contains(text, "<svg") || !strings.Contains(text, ">CPU us/request</text>") {
				t.Errorf("svg: %s", text)
			}
		case !strings.Contains(text, "regressed: mixed CPU us/request +10.") || strings.Contains(text, "rank"):
			t.Errorf("%s: %s", format, text)
		}
	}
	if lines := output(t, Report, "-format", "benchfmt", file); !strings.Contains(string(lines), "side: head") {
		t.Errorf("benchfmt: %s", lines)
	}
	run := filepath.Join("..", "..", "servers", "web", "results.jsonl")
	if text := output(t, Report, run); !strings.Contains(string(text), " rank ") {
		t.Errorf("a run has no ranks: %s", text)
	}
}
