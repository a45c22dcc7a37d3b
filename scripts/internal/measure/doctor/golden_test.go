package doctor

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"fairstream/scripts/internal/testfile"
)

func TestMachines(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			report := Report{open(t, name).look(t)}
			for _, all := range []bool{false, true} {
				var text bytes.Buffer
				if err := report.WriteText(&text, all, 100); err != nil {
					t.Fatal(err)
				}
				testfile.Check(t, "testdata/"+name+map[bool]string{false: ".txt", true: ".all.txt"}[all], text.Bytes())
			}
			asJSON, err := json.MarshalIndent(report, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			testfile.Check(t, "testdata/"+name+".json", append(asJSON, '\n'))
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
			testfile.Check(t, "testdata/narrow.txt", text.Bytes())
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
