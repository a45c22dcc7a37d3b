package doctor

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fairstream/scripts/internal/measure/usage"
	"fairstream/scripts/internal/testfile"
)

// short is the screen of a copied machine, with the work of some machine.
func (c copied) short(t testing.TB) Short {
	t.Helper()
	now := maps.Clone(c.files)
	s, err := lookShort(now, func() error {
		maps.Copy(now, c.later)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Work = Work{Pieces: 812, Low: 0.98, High: 1.14, Max: 2.31}
	return s
}

func (s Short) lines(t testing.TB) string {
	t.Helper()
	var text bytes.Buffer
	if err := s.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestShort(t *testing.T) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := open(t, name).short(t)
			testfile.Check(t, "testdata/"+name+".short.txt", []byte(s.lines(t)))
		})
	}
}

func TestShortFitsAScreen(t *testing.T) {
	for _, name := range names {
		s := open(t, name).short(t)
		s.model = strings.Repeat("A processor ", 9)
		s.noPidstat, s.root = true, false
		for i := range 4 {
			for j := range s.Findings {
				if f := &s.Findings[j]; i > 1 && f.Name != "virtual" && f.Name != "steal" && f.Name != "throttling" {
					f.State = []State{Fix, Unknown}[(i*j/2)%2] // all to fix, or half of them not known
				}
			}
			text := s.lines(t)
			if n := strings.Count(text, "\n"); n > shortLines {
				t.Errorf("%s: %d lines, want at most %d:\n%s", name, n, shortLines, text)
			}
			for line := range strings.Lines(text) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > shortWidth {
					t.Errorf("%s: %d columns, want at most %d: %s", name, n, shortWidth, line)
				}
			}
		}
	}
}

// The screen says what it knows, and says what it does not know.
func TestWhatShortSays(t *testing.T) {
	steal := map[string]string{"/later/proc/stat": "cpu0 715229 22945 315502 2270587 300 0 40 1095 0 0\ncpu1 712382 24658 315336 2272896 300 0 40 1072 0 0\n"}
	for name, c := range map[string]struct {
		machine string
		change  map[string]string
		want    []string
		never   []string
	}{
		"a guest that shows steal": {"vm", steal, []string{"100.0 % just now", "neighbours"}, []string{"Hyper-V"}},
		"a guest that shows none":  {"container", nil, []string{"a guest of Hyper-V\n", "Hyper-V shows\n"}, nil},
		"no guest":                 {"quiet", nil, []string{"not a virtual machine"}, []string{"neighbours", "Hyper-V"}},
		"no pidstat, no root":      {"quiet", map[string]string{"/usr/bin/pidstat": gone}, []string{"pidstat     missing"}, nil},
		"pidstat":                  {"quiet", map[string]string{"/usr/bin/pidstat": "x"}, nil, []string{"pidstat"}},
		"root may install it":      {"vm", map[string]string{"/usr/bin/pidstat": gone}, nil, []string{"pidstat"}},
		"no name":                  {"vm", map[string]string{"/proc/cpuinfo": "flags : hypervisor\n"}, []string{"2 cores, a processor that /proc/cpuinfo does not name\n"}, nil},
	} {
		machine := open(t, c.machine)
		machine.set(c.change)
		text := machine.short(t).lines(t)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		for _, never := range c.never {
			if strings.Contains(text, never) {
				t.Errorf("%s: %q in\n%s", name, never, text)
			}
		}
	}
	s := open(t, "vm").short(t)
	s.Work = Work{}
	if text := s.lines(t); !strings.Contains(text, "not measured, since no core") {
		t.Errorf("without work:\n%s", text)
	}
}

// A processor's name cannot leave the summary's first line.
func TestMarkdownIsFoldedAndHarmless(t *testing.T) {
	s := open(t, "vm").short(t)
	s.model = "</summary>"
	var text bytes.Buffer
	if err := s.WriteMarkdown(&text); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.HasPrefix(got, "<details><summary>Measured on 2 cores, &lt;/summary&gt;</summary>\n\n```\n") || !strings.HasSuffix(got, "\n```\n\n</details>\n\n") {
		t.Error(got)
	}
}

func TestNothingToSee(t *testing.T) {
	s, err := lookShort(fstest.MapFS{}, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if text := s.lines(t); strings.Count(text, "\n") > shortLines || strings.Contains(text, "NaN") {
		t.Error(text)
	}
	if _, err := lookShort(fstest.MapFS{}, func() error { return fs.ErrClosed }); err != fs.ErrClosed {
		t.Errorf("%v; want the error of the wait", err)
	}
}

func TestSpreadOfWork(t *testing.T) {
	times := []time.Duration{300}
	for range 99 {
		times = append(times, 100)
	}
	times[50], times[60] = 90, 120
	if got, want := spread(toMedian(times)), (Work{100, 1, 1, 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	even := []float64{}
	for i := range 100 {
		even = append(even, 0.5+float64(i)/100)
	}
	if got := spread(even); math.Abs(got.Low-0.55) > 1e-9 || math.Abs(got.High-1.44) > 1e-9 || got.Pieces != 100 {
		t.Errorf("%+v", got)
	}
	if got := spread(nil); got != (Work{}) {
		t.Errorf("%+v of nothing", got)
	}
}

// This machine does the work on each of its cores, until the end.
func TestTheWorkIsMeasured(t *testing.T) {
	ctx, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	cores := usage.Allowed(os.DirFS("/"))
	w := MeasureWork(ctx, cores)
	if w.Pieces < len(cores) || !(w.Low > 0 && w.Low <= 1 && w.High >= 1 && w.Max >= w.High) {
		t.Errorf("%+v on %d cores", w, len(cores))
	}
	if w := MeasureWork(ctx, []int{1 << 20}); w.Pieces != 0 {
		t.Errorf("%+v on a core that is not there", w)
	}
}
