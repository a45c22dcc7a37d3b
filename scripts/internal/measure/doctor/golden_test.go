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

// some is a noise that was once measured on the guest of KVM.
func some() *Noise {
	steal, others := 0.08, 1.7
	return &Noise{
		Seconds: 12, Cores: 2,
		Work:     Work{SliceMs: 10.4, InSecondPct: 5.7, NextPct: 3.6, LoadS: 3, AfterPct: 2.04, TurnsPct: 2.16, FastTurnsPct: 0.57},
		Timer:    Delays{N: 1144, P50us: 64, P99us: 328, MaxUs: 1456},
		Loopback: Loopback{Delays{N: 234963, P50us: 9.4, P99us: 21, MaxUs: 1532}, 42},
		StealPct: &steal, OthersPct: &others,
	}
}

func TestMachines(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			report := Report{Findings: open(t, name).look(t)}
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

func TestTheNoise(t *testing.T) {
	report := Report{Findings: open(t, "vm").look(t), Noise: some()}
	for name, width := range map[string]int{"noise.txt": 100, "narrow.txt": 72} {
		var text bytes.Buffer
		if err := report.WriteText(&text, false, width); err != nil {
			t.Fatal(err)
		}
		golden(t, name, text.Bytes())
		for line := range strings.Lines(text.String()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > width && !strings.Contains(line, "$ ") {
				t.Errorf("%d columns, want %d: %s", n, width, line)
			}
		}
	}
	unknown := *some()
	unknown.StealPct, unknown.OthersPct = nil, nil
	var text bytes.Buffer
	if err := (Report{Noise: &unknown}).WriteText(&text, false, 100); err != nil {
		t.Fatal(err)
	}
	if want := "steal ?, others ?"; !strings.Contains(text.String(), want) {
		t.Errorf("no %q in\n%s", want, text.String())
	}
}

// What is shown by default stays on a screen, even of a machine with much to mend.
func TestTheDefaultFitsAScreen(t *testing.T) {
	for _, name := range names {
		var text bytes.Buffer
		if err := (Report{open(t, name).look(t), some()}).WriteText(&text, false, 100); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text.Bytes(), []byte("\n")); n > 34 {
			t.Errorf("%s: %d lines:\n%s", name, n, text.String())
		}
	}
}
