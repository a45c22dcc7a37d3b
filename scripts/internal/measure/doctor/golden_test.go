package doctor

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s; -update writes it anew. Got:\n%s", path, got)
	}
}

func TestMachines(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			report := Report{open(t, name).look(t)}
			for _, all := range []bool{false, true} {
				var text bytes.Buffer
				if err := report.WriteText(&text, all, 100); err != nil {
					t.Fatal(err)
				}
				golden(t, name+map[bool]string{false: ".txt", true: ".all.txt"}[all], text.Bytes())
			}
			asJSON, err := json.MarshalIndent(report, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".json", append(asJSON, '\n'))
		})
	}
}

func TestLinesFitTheTerminal(t *testing.T) {
	report := Report{open(t, "vm").look(t)}
	for _, width := range []int{100, 72} {
		var text bytes.Buffer
		if err := report.WriteText(&text, true, width); err != nil {
			t.Fatal(err)
		}
		if width == 72 {
			golden(t, "narrow.txt", text.Bytes())
		}
		for line := range strings.Lines(text.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > width && !strings.Contains(line, "$ ") {
				t.Errorf("%d columns, want %d: %s", n, width, line)
			}
		}
	}
}

// The default report fits on a screen, even for a machine with many problems.
func TestTheDefaultFitsAScreen(t *testing.T) {
	for _, name := range names {
		var text bytes.Buffer
		if err := (Report{open(t, name).look(t)}).WriteText(&text, false, 100); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text.Bytes(), []byte("\n")); n > 34 {
			t.Errorf("%s: %d lines:\n%s", name, n, text.String())
		}
	}
}
